/**
 * Positions are doubles, so that a gap can be halved about fifty times. Cards around a small gap are spread out long before
 * that, so that readers with the former positions can continue.
 */
const [SMALL, ROOMY] = [2 ** -30, 2 ** -20];

/** The scale at which doubles of this size are distinguishable. */
const unit = (...positions: readonly number[]) => Math.max(1, ...positions.map(Math.abs));

export const isSmallGap = (below: number, above: number): boolean =>
  above - below < SMALL * unit(below, above);

/**
 * `count` positions in order, evenly between the bounds; 1 apart without a bound.
 * @returns null if the bounds are too close to each other, or too large for doubles
 */
export function spread(count: number, below: number | null, above: number | null): number[] | null {
  const at = (first: number, step: number) => Array.from({ length: count }, (_, n) => first + n * step);
  if (below === null) return at(above === null ? 1 : above - count, 1);
  if (above === null) return at(below + 1, 1);
  const step = (above - below) / (count + 1);
  return step >= ROOMY * unit(below, above) && Number.isFinite(step) ? at(below + step, step) : null;
}
