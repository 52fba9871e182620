/** Position of a reader in the whole log, whose order is (transaction id, position), both 64-bit. */
export interface Cursor {
  readonly transactionId: string;
  readonly position: string;
}

/** Before the first event. */
export const BEGINNING: Cursor = { transactionId: '0', position: '0' };

/** Negative when `a` is before `b`, 0 when they are equal. */
export function compareCursors(a: Cursor, b: Cursor): number {
  const difference =
    BigInt(a.transactionId) - BigInt(b.transactionId) || BigInt(a.position) - BigInt(b.position);
  return difference < 0n ? -1 : difference > 0n ? 1 : 0;
}
