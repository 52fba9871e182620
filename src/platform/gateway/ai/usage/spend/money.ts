import type { NanoDollars } from './spend-ledger.js';

const NANO = 1_000_000_000n;

/** In dollars, without trailing zeros: `0.00123`. */
export function dollarsOf(amount: NanoDollars): string {
  const magnitude = amount < 0n ? -amount : amount;
  const fraction = (magnitude % NANO).toString().padStart(9, '0').replace(/0+$/, '');
  return `${amount < 0n ? '-' : ''}${magnitude / NANO}${fraction && `.${fraction}`}`;
}

/** Dollars with up to nine decimals; null for other text. */
export function parseDollars(text: string): NanoDollars | null {
  const found = /^(\d{1,9})(?:\.(\d{1,9}))?$/.exec(text);
  if (!found) return null;
  const [, whole = '', fraction = ''] = found;
  return BigInt(whole) * NANO + BigInt(fraction.padEnd(9, '0'));
}
