import type { DatedPrices, Prices } from './prices.js';
import { pricesAt } from './prices.js';

export interface PriceChanges {
  readonly added: readonly DatedPrices[];
  /** Starts of announced prices that the source has withdrawn. */
  readonly removed: readonly Date[];
}

/**
 * How the stored prices of a source follow what it says now. Prices that have applied stay as they were, so that past costs can be
 * calculated again. A change without a date applies from now on.
 */
export function priceChanges(
  stored: readonly DatedPrices[],
  said: readonly DatedPrices[],
  now: Date,
): PriceChanges {
  if (stored.length === 0 || said.length === 0)
    return { added: stored.length === 0 ? said : [], removed: [] };
  const announced = said.filter(({ startsAt }) => startsAt > now);
  const expected = stored.filter(({ startsAt }) => startsAt > now);
  return {
    added: [...startedSince(stored, said, now), ...announced.filter((one) => !contains(expected, one))],
    removed: expected.filter((one) => !contains(announced, one)).map(({ startsAt }) => startsAt),
  };
}

/** What applies now, when it is another price than the stored one. */
function startedSince(
  stored: readonly DatedPrices[],
  said: readonly DatedPrices[],
  now: Date,
): readonly DatedPrices[] {
  const current = pricesAt(said, now);
  const known = pricesAt(stored, now);
  if (current === null || (known !== null && areEqual(current, known))) return [];
  const startsAt = said.find(({ prices }) => prices === current)?.startsAt ?? now;
  const isLatest = stored.every((one) => one.startsAt > now || one.startsAt < startsAt);
  return [{ startsAt: isLatest ? startsAt : now, prices: current }];
}

const contains = (dated: readonly DatedPrices[], one: DatedPrices): boolean =>
  dated.some(
    (each) => each.startsAt.getTime() === one.startsAt.getTime() && areEqual(each.prices, one.prices),
  );

const areEqual = (one: Prices, other: Prices): boolean => canonical(one) === canonical(other);

/** The database returns members in another order. */
const canonical = (value: unknown): string =>
  JSON.stringify(value, (_name, member: unknown) =>
    member && typeof member === 'object' && !Array.isArray(member)
      ? Object.fromEntries(Object.entries(member).sort(([a], [b]) => (a < b ? -1 : 1)))
      : member,
  );
