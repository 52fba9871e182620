/** Of one quantity at one price, in minor units. */
export interface Charged {
  readonly unitAmount: number;
  readonly quantity: number;
}

export interface Period {
  readonly start: number;
  readonly end: number;
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
