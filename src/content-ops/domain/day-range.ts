import { addDays, daysBetween, isCalendarDate } from './calendar-days.js';

/** Default length of the range: the last thirty days, today included. */
export const DEFAULT_DAYS = 30;
/** A year with a leap day. */
export const MAX_DAYS = 366;

export interface DayRange {
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
