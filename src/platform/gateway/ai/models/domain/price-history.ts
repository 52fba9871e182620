import { type DatedPrices, type Prices, pricesAt } from './prices.js';

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
  if (current === null || (known !== null && areEqual(current, known))) return [];
  const startsAt = said.find(({ prices }) => prices === current)?.startsAt ?? now;
  const isLatest = stored.every((one) => one.startsAt < startsAt);
  return [{ startsAt: isLatest ? startsAt : now, prices: current }];
}

const areEqual = (one: Prices, other: Prices): boolean => canonical(one) === canonical(other);

/** The database returns members in another order. */
const canonical = (value: unknown): string =>
  JSON.stringify(value, (_name, member: unknown) =>
    member && typeof member === 'object' && !Array.isArray(member)
      ? Object.fromEntries(Object.entries(member).sort(([a], [b]) => (a < b ? -1 : 1)))
      : member,
  );
