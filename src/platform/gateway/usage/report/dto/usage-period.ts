/** Days of a report, UTC. */
export interface ReportPeriod {
  readonly from: string;
  readonly to: string;
}

/** Ten years: more days are cut off at the start. */
const MOST_DAYS = 3_660;
const DAY_MS = 86_400_000;

/** Default: the current month until today. A period that ends before it starts is empty. @param today UTC */
export function periodOf({ from, to }: { from?: string; to?: string }, today: string): ReportPeriod {
  const last = to ?? today;
  const first = from ?? `${(last < today ? last : today).slice(0, 7)}-01`;
  const earliest = new Date(Date.parse(last) - (MOST_DAYS - 1) * DAY_MS).toISOString().slice(0, 10);
  return { from: first < earliest ? earliest : first, to: last };
}

/** `2026-11-01`; undefined for anything else. */
export function dayOf(text: string): string | undefined {
  if (!/^(19|20)\d\d-\d\d-\d\d$/.test(text)) return undefined;
  const date = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text) ? text : undefined;
}
