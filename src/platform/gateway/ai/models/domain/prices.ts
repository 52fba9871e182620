import { isDeepStrictEqual } from 'node:util';
import { canonical } from '#libs/http';
import type { Usage } from '../../usage/spend/quantities.js';
import type { NanoDollars } from '../../usage/spend/spend-ledger.js';

/** Dollars as decimal text, with at most nine decimals. */
export type Dollars = string;

/** A tier applies to the whole quantity when the input has more tokens than `above`. The highest such tier counts. */
export interface TieredPrice {
  readonly base: Dollars;
  readonly tiers: readonly { readonly above: number; readonly price: Dollars }[];
}

export type Price = Dollars | TieredPrice;

/** What is priced per million tokens. */
export const TOKEN_PRICES = [
  'inputTokens',
  'cachedInputTokens',
  'cacheWriteTokens',
  'outputTokens',
  'inputImageTokens',
  'outputImageTokens',
  'inputAudioTokens',
] as const satisfies readonly (keyof Usage)[];
type TokenPrice = (typeof TOKEN_PRICES)[number];

/** Prices of a model: per million tokens, per hour of audio, per image. As stored in `gateway.model_price`. */
export type Prices = Readonly<Partial<Record<TokenPrice | 'audioHours' | 'images', Price>>>;

/** Prices from a time until those that start later. */
export interface DatedPrices {
  readonly startsAt: Date;
  readonly prices: Prices;
}

/** Of these in any order, those that apply at a time; null: none does yet. */
export function pricesAt(dated: readonly DatedPrices[], at: Date): Prices | null {
  const started = dated.filter(({ startsAt }) => startsAt <= at);
  const latest = started.reduce<DatedPrices | null>(
    (best, each) => (best && best.startsAt >= each.startsAt ? best : each),
    null,
  );
  return latest?.prices ?? null;
}

export const isAboveZero = (price: Price | undefined): boolean =>
  price !== undefined &&
  (typeof price === 'string' ? [price] : [price.base, ...price.tiers.map((tier) => tier.price)]).some(
    (dollars) => nanoDollars(dollars) > 0n,
  );

/** A price list of zeros says that the price is unknown, or that a free tier is meant. */
export const isPriced = (prices: Prices | null): prices is Prices =>
  prices !== null && Object.values(prices).some(isAboveZero);

const MILLION = 1_000_000n;
const HOUR_MS = 3_600_000n;
/** Both divide it, so that a cost is rounded once. */
const PARTS = MILLION * 18n;

/** Where a quantity has no price of its own and the other's is never too low. */
const COVERED_BY: Partial<Record<TokenPrice, TokenPrice>> = {
  cachedInputTokens: 'inputTokens',
  inputImageTokens: 'inputTokens',
};

/**
 * The cost of what was consumed, rounded up once to a billionth of a dollar. null when a consumed quantity has no price, or the model
 * has none: a partial sum would be too low. Images are priced by their tokens where these were counted and have a price, otherwise per
 * image.
 * @param usage whole, not negative; seconds can have fractions
 */
export function costOf(prices: Prices | null, usage: Usage): NanoDollars | null {
  if (!isPriced(prices)) return null;
  const input = inputOf(usage);
  let parts = 0n;
  for (const { quantity, per, price } of consumed(prices, usage)) {
    if (price === undefined) return null;
    parts += quantity * nanoDollars(atSize(price, input)) * (PARTS / per);
  }
  return (parts + PARTS - 1n) / PARTS;
}

interface Consumed {
  readonly quantity: bigint;
  /** The price is for so many. */
  readonly per: bigint;
  readonly price: Price | undefined;
}

function* consumed(prices: Prices, usage: Usage): Generator<Consumed> {
  const isPerImage =
    usage.images > 0 && (usage.outputImageTokens === 0 || prices.outputImageTokens === undefined);
  for (const name of TOKEN_PRICES) {
    if (name === 'outputImageTokens' && isPerImage) continue;
    const price = prices[name] ?? prices[COVERED_BY[name] ?? name];
    if (usage[name] > 0) yield { quantity: BigInt(usage[name]), per: MILLION, price };
  }
  if (usage.audioSeconds > 0)
    yield { quantity: BigInt(Math.ceil(usage.audioSeconds * 1000)), per: HOUR_MS, price: prices.audioHours };
  if (isPerImage) yield { quantity: BigInt(usage.images), per: 1n, price: prices.images };
}

/** Of which the size decides the tier. */
const inputOf = (usage: Usage): number =>
  usage.inputTokens +
  usage.cachedInputTokens +
  usage.cacheWriteTokens +
  usage.inputImageTokens +
  usage.inputAudioTokens;

function atSize(price: Price, input: number): Dollars {
  if (typeof price === 'string') return price;
  const reached = price.tiers.filter(({ above }) => input > above).sort((a, b) => b.above - a.above);
  return reached[0]?.price ?? price.base;
}

const DOLLARS = /^(\d{1,12})(?:\.(\d{1,9}))?$/;

export function nanoDollars(dollars: Dollars): NanoDollars {
  const [, whole, decimals = ''] = DOLLARS.exec(dollars) ?? [];
  if (whole === undefined) throw new RangeError('A price is a decimal number of dollars.');
  return BigInt(whole + decimals.padEnd(9, '0'));
}

/** An amount as decimal text without needless zeros. */
export function dollarsOf(amount: NanoDollars): Dollars {
  const digits = amount.toString().padStart(10, '0');
  const decimals = digits.slice(-9).replace(/0+$/, '');
  return `${digits.slice(0, -9)}${decimals && `.${decimals}`}`;
}

/**
 * What is added to the stored prices of a source, so that they follow what it says now. Prices that have applied stay as they were, so
 * that past costs can be calculated again. A change without a date applies from now on.
 * @param stored without those that begin later: they are replaced
 */
export function addedPrices(
  stored: readonly DatedPrices[],
  said: readonly DatedPrices[],
  now: Date,
): readonly DatedPrices[] {
  if (stored.length === 0) return said;
  return [...startedSince(stored, said, now), ...said.filter(({ startsAt }) => startsAt > now)];
}

/** What applies now, when it is another price than the stored one. */
function startedSince(
  stored: readonly DatedPrices[],
  said: readonly DatedPrices[],
  now: Date,
): readonly DatedPrices[] {
  const current = pricesAt(said, now);
  const known = pricesAt(stored, now);
  if (current === null || (known !== null && isDeepStrictEqual(canonical(current), canonical(known))))
    return [];
  const startsAt = said.find(({ prices }) => prices === current)?.startsAt ?? now;
  const isLatest = stored.every((one) => one.startsAt < startsAt);
  return [{ startsAt: isLatest ? startsAt : now, prices: current }];
}
