/**
 * Positions are doubles, and halving the gap between two of them works some fifty times. So cards around a gap that has
 * become small are spread out again, long before it closes: readers that still know the former numbers can go on.
 */
const [SMALL, ROOMY] = [2 ** -30, 2 ** -20];

/** In units that doubles of this size still tell apart. */
const unit = (...positions: readonly number[]) => Math.max(1, ...positions.map(Math.abs));

export const isSmallGap = (below: number, above: number): boolean =>
  above - below < SMALL * unit(below, above);

/**
 * So many positions in order, evenly between two that stay; one apart where there is no such bound.
 * @returns null where the bounds are too near to one another, or too far for doubles.
 */
export function spread(count: number, below: number | null, above: number | null): number[] | null {
  const at = (first: number, step: number) => Array.from({ length: count }, (_, n) => first + n * step);
  if (below === null) return at(above === null ? 1 : above - count, 1);
  if (above === null) return at(below + 1, 1);
  const step = (above - below) / (count + 1);
  return step >= ROOMY * unit(below, above) && Number.isFinite(step) ? at(below + step, step) : null;
}
