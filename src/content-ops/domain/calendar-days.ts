/** One day of one zone as a half-open interval of 23 to 25 hours. */
export interface CalendarDay {
  /** YYYY-MM-DD. */
  readonly date: string;
  readonly startsAt: Date;
  readonly endsAt: Date;
}

const MINUTE = 60_000;
/** Since 1972 the offset of every zone, and every change of it, is a multiple of it. */
const QUARTER_HOUR = 15 * MINUTE;
const DAY = 24 * 60 * MINUTE;
/** Offsets reach from −12:00 to +14:00; the first quarter-hour of a local day lies within this of midnight UTC. */
const SEARCHED = 16 * 60 * MINUTE;

/** Whether the name is an IANA time zone; offsets such as `+02:00` are not: they have no daylight saving time. */
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

/** The days from `from` to `to`, both included, without gaps. A date that the zone skipped has length 0. */
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
/** Limits the cache: there are about 600 zones, but callers may spell names in any case. */
const MAX_FORMATTERS = 1_000;

/** Cached, because creating one costs a thousand times its use. @throws RangeError for an unknown zone */
function formatterOf(zone: string): Intl.DateTimeFormat {
  const known = formatters.get(zone);
  if (known) return known;
  if (formatters.size >= MAX_FORMATTERS) formatters.clear();
  const made = new Intl.DateTimeFormat('sv-SE', {
    timeZone: zone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
  });
  formatters.set(zone, made);
  return made;
}

/** Default length of the range: the last thirty days, today included. */
const DEFAULT_DAYS = 30;
/** A year with a leap day. */
export const MAX_DAYS = 366;

interface DayRange {
  /** YYYY-MM-DD, included. */
  readonly from: string;
  /** YYYY-MM-DD, included. */
  readonly to: string;
}

/** The days to show. Ignores invalid dates and shortens long ranges, because rollups are never refused for their range. */
export function dayRange(asked: { readonly from?: string; readonly to?: string }, today: string): DayRange {
  const from = asked.from !== undefined && isCalendarDate(asked.from) ? asked.from : undefined;
  const to = asked.to !== undefined && isCalendarDate(asked.to) ? asked.to : undefined;
  if (from !== undefined && to === undefined) return { from, to: lastDay(from, today) };
  const end = to ?? today;
  const begin = from ?? addDays(end, 1 - DEFAULT_DAYS);
  if (begin > end) return { from: end, to: end };
  return { from: daysBetween(begin, end) < MAX_DAYS ? begin : addDays(end, 1 - MAX_DAYS), to: end };
}

function lastDay(from: string, today: string): string {
  const furthest = addDays(from, MAX_DAYS - 1);
  if (from > today) return from;
  return furthest < today ? furthest : today;
}
