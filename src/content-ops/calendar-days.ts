/** One day of one zone, as the half-open stretch of time it covers: 23 to 25 hours long. */
export interface CalendarDay {
  /** YYYY-MM-DD. */
  readonly date: string;
  readonly startsAt: Date;
  readonly endsAt: Date;
}

const MINUTE = 60_000;
/** Every zone's offset has been a multiple of it since 1972, and so is every change of one. */
const QUARTER_HOUR = 15 * MINUTE;
const DAY = 24 * 60 * MINUTE;
/** Offsets reach from −12:00 to +14:00; the first quarter-hour of a local day lies within this of midnight UTC. */
const SEARCHED = 16 * 60 * MINUTE;

/** Whether the name is an IANA time zone; offsets such as `+02:00` are not: they know no summer time. */
export function isTimeZone(name: string): boolean {
  if (!/^[A-Za-z][A-Za-z0-9_+/-]*$/.test(name)) return false;
  try {
    formatterOf(name);
    return true;
  } catch {
    return false;
  }
}

/** YYYY-MM-DD of an existing day between the years 2000 and 2999. */
export function isCalendarDate(text: string): boolean {
  if (!/^2\d{3}-\d{2}-\d{2}$/.test(text)) return false;
  const at = new Date(`${text}T00:00:00.000Z`);
  return !Number.isNaN(at.getTime()) && at.toISOString().startsWith(text);
}

export function dateIn(zone: string, at: Date): string {
  return formatterOf(zone).format(at);
}

export function addDays(date: string, days: number): string {
  return new Date(midnightUtc(date) + days * DAY).toISOString().slice(0, 10);
}

export function daysBetween(from: string, to: string): number {
  return Math.round((midnightUtc(to) - midnightUtc(from)) / DAY);
}

/** The days from `from` to `to`, both included, each ending where the next begins. A date a zone skipped has no length. */
export function calendarDays(zone: string, from: string, to: string): CalendarDay[] {
  const days: CalendarDay[] = [];
  let startsAt = startOf(zone, from);
  for (let date = from; date <= to; date = addDays(date, 1)) {
    const endsAt = startOf(zone, addDays(date, 1));
    days.push({ date, startsAt, endsAt });
    startsAt = endsAt;
  }
  return days;
}

/** The first quarter-hour whose local date is `date` or later. Searched, not computed: where clocks change at midnight, 00:00 does not exist or exists twice. */
function startOf(zone: string, date: string): Date {
  const midnight = midnightUtc(date);
  let before = (midnight - SEARCHED) / QUARTER_HOUR;
  let reached = (midnight + SEARCHED) / QUARTER_HOUR;
  while (reached - before > 1) {
    const middle = Math.floor((before + reached) / 2);
    if (dateIn(zone, new Date(middle * QUARTER_HOUR)) >= date) reached = middle;
    else before = middle;
  }
  return new Date(reached * QUARTER_HOUR);
}

const midnightUtc = (date: string): number => Date.parse(`${date}T00:00:00.000Z`);

const formatters = new Map<string, Intl.DateTimeFormat>();
/** There are some 600 zones, but a name may be spelled in any mixture of cases, and callers choose it. */
const FORMATTERS_KEPT = 1_000;

/** Making one costs a thousand times more than using it. @throws RangeError for a zone nobody knows. */
function formatterOf(zone: string): Intl.DateTimeFormat {
  const known = formatters.get(zone);
  if (known) return known;
  if (formatters.size >= FORMATTERS_KEPT) formatters.clear();
  const made = new Intl.DateTimeFormat('sv-SE', {
    timeZone: zone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
  });
  formatters.set(zone, made);
  return made;
}
