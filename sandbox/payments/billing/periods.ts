import type { Interval, Price } from '../state/objects.js';

/** The end of the period that starts at `start`, in seconds. A month ends at the same day, or at its last day. */
export function periodEnd(start: number, { recurring }: Price): number {
  const { interval, interval_count: count } = recurring ?? {
    interval: 'month' as Interval,
    interval_count: 1,
  };
  const date = new Date(start * 1000);
  if (interval === 'day' || interval === 'week') return start + count * (interval === 'day' ? 1 : 7) * 86_400;
  const months = date.getUTCMonth() + count * (interval === 'year' ? 12 : 1);
  const lastDay = new Date(Date.UTC(date.getUTCFullYear(), months + 1, 0)).getUTCDate();
  const day = Math.min(date.getUTCDate(), lastDay);
  const time = start * 1000 - Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate());
  return Math.floor((Date.UTC(date.getUTCFullYear(), months, day) + time) / 1000);
}
