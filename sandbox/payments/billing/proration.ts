import type { Period } from '../state/billed.js';
import type { Price } from '../state/objects.js';

/** Of one quantity at one price, in minor units. */
export interface Charged {
  readonly unitAmount: number;
  readonly quantity: number;
}

/** The share of an amount for the rest of a period, to the second, rounded half away from zero. Exact: no floating point. */
export function remainingAmount(
  { unitAmount, quantity }: Charged,
  { start, end }: Period,
  at: number,
): number {
  const total = BigInt(unitAmount) * BigInt(quantity);
  const rest = BigInt(Math.max(0, Math.min(end, end - at)));
  const length = BigInt(end - start);
  const numerator = total * (rest > length ? length : rest);
  return Number((2n * numerator + length) / (2n * length));
}

/** The end of the period that starts at `start`, in seconds. A month ends at the same day, or at its last day. */
export function periodEnd(start: number, { recurring }: Price): number {
  const { interval, interval_count: count } = recurring ?? { interval: 'month', interval_count: 1 };
  const date = new Date(start * 1000);
  if (interval === 'day' || interval === 'week') return start + count * (interval === 'day' ? 1 : 7) * 86_400;
  const months = date.getUTCMonth() + count * (interval === 'year' ? 12 : 1);
  const lastDay = new Date(Date.UTC(date.getUTCFullYear(), months + 1, 0)).getUTCDate();
  const day = Math.min(date.getUTCDate(), lastDay);
  const time = start * 1000 - Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate());
  return Math.floor((Date.UTC(date.getUTCFullYear(), months, day) + time) / 1000);
}
