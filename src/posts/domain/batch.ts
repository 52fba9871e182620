import { DomainError } from '#libs/errors';
import { BatchIsRefused, type Refusal } from './batch.errors.js';

/**
 * The results of all decisions, one for each entry of a batch. Runs every decision, so that the caller learns all refusals at once.
 * @throws BatchIsRefused if one of them refuses; any other error of a decision
 */
export function decideAll<Result>(decisions: readonly (() => Result)[]): Result[] {
  const refusals: Refusal[] = [];
  const results: Result[] = [];
  for (const [index, decide] of decisions.entries()) {
    try {
      results.push(decide());
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      refusals.push({ index, error });
    }
  }
  if (refusals.length > 0) throw new BatchIsRefused(refusals, decisions.length);
  return results;
}

/** Does the work now. @returns a function that returns its result or throws its error */
export function settled<Result>(work: () => Result): () => Result {
  try {
    const result = work();
    return () => result;
  } catch (error) {
    return () => {
      throw error;
    };
  }
}

/** For each key the index of the first equal key before it; null if there is none. */
export function duplicatesIn(keys: readonly string[]): (number | null)[] {
  const first = new Map<string, number>();
  return keys.map((key, index) => {
    const known = first.get(key);
    if (known === undefined) first.set(key, index);
    return known ?? null;
  });
}
