import { TOKEN_PRICES } from '../domain/prices.js';

const NAMES: readonly string[] = [...TOKEN_PRICES, 'audioHours', 'images'];
/** Up to a dollar per token: costs stay within the 64 bits of the ledger. */
const DOLLARS = /^\d{1,6}(\.\d{1,9})?$/;
const MAX_TIERS = 10;

/** What is wrong with a price list of a request; null: nothing. */
export function priceListError(value: unknown): string | null {
  if (!isRecord(value)) return 'must be an object with a price for each quantity';
  const unknown = Object.keys(value).find((name) => !NAMES.includes(name));
  if (unknown !== undefined) return `must have no other members than ${NAMES.join(', ')}`;
  const wrong = Object.keys(value).find((name) => !isPrice(value[name]));
  if (wrong !== undefined)
    return `must have dollars as text in ${wrong}, with up to six digits before and nine after the point, or an object with base and up to ${MAX_TIERS} tiers`;
  return Object.values(value).flatMap(amountsOf).some(isAboveZero)
    ? null
    : 'must have a price above 0: a list of zeros counts as unpriced';
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isDollars = (value: unknown): boolean => typeof value === 'string' && DOLLARS.test(value);

function isPrice(value: unknown): boolean {
  if (!isRecord(value)) return isDollars(value);
  const { base, tiers, ...others } = value;
  if (Object.keys(others).length > 0 || !isDollars(base) || !Array.isArray(tiers)) return false;
  return tiers.length <= MAX_TIERS && tiers.every(isTier);
}

function isTier(value: unknown): boolean {
  if (!isRecord(value)) return false;
  const { above, price, ...others } = value;
  return (
    Object.keys(others).length === 0 && Number.isSafeInteger(above) && Number(above) > 0 && isDollars(price)
  );
}

function amountsOf(price: unknown): unknown[] {
  if (!isRecord(price)) return [price];
  const { base, tiers } = price as { base: unknown; tiers: readonly { price: unknown }[] };
  return [base, ...tiers.map((tier) => tier.price)];
}

const isAboveZero = (dollars: unknown): boolean => /[1-9]/.test(String(dollars));
