/** Entries of a list that are counted at most: about a millisecond along an index, however many are stored. */
export const MAX_TOTAL = 1_000;

/** How many entries all pages have, or that there are more than were counted. */
export interface Counted {
  readonly total?: number;
  readonly totalExceeds?: number;
}

/** @param entries counted up to `MAX_TOTAL` + 1 */
export const counted = (entries: number): Counted =>
  entries > MAX_TOTAL ? { totalExceeds: MAX_TOTAL } : { total: entries };
