import { RequestIsNotValid } from '#libs/http';
import type { UsageQuery } from './usage-query.js';

/** Days of a report, UTC. */
export interface ReportPeriod {
  readonly from: string;
  readonly to: string;
}

/** Ten years: more days are cut off at the start. */
const MOST_DAYS = 3_660;
const DAY_MS = 86_400_000;
/** Each page adds up all groups: 2 000 people have 14 000 in so many days. */
const MOST_DAYS_OF_ALL_PEOPLE = 7;

/** Default: the current month until today. A period that ends before it starts is empty. @param today UTC */
export function periodOf({ from, to }: { from?: string; to?: string }, today: string): ReportPeriod {
  const last = to ?? today;
  const first = from ?? `${(last < today ? last : today).slice(0, 7)}-01`;
  const earliest = new Date(Date.parse(last) - (MOST_DAYS - 1) * DAY_MS).toISOString().slice(0, 10);
  return { from: first < earliest ? earliest : first, to: last };
}

/** For pages; an export adds up once. @throws RequestIsNotValid when people of all organizations are told apart on too many days */
export function assertFewGroups({ groupBy, from, to, filters }: UsageQuery): void {
  const isOfAllPeople = filters.organizationIds === null && filters.userId === undefined;
  const days = (Date.parse(to) - Date.parse(from)) / DAY_MS + 1;
  if (!isOfAllPeople || !groupBy.includes('user') || !groupBy.includes('day')) return;
  if (days > MOST_DAYS_OF_ALL_PEOPLE)
    throw new RequestIsNotValid([
      {
        parameter: 'from',
        code: 'period_too_long',
        detail: `must be at most ${MOST_DAYS_OF_ALL_PEOPLE} days for the people of all organizations by day; name an organization, or use the export`,
      },
    ]);
}

/** `2026-11-01`; undefined for anything else. */
export function dayOf(text: string): string | undefined {
  if (!/^(19|20)\d\d-\d\d-\d\d$/.test(text)) return undefined;
  const date = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text) ? text : undefined;
}
