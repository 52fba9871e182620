import fc from 'fast-check';
import { isSmallGap, spread } from './card-spacing.js';

describe('positions of cards', () => {
  it.each([
    [3, null, null, [1, 2, 3]],
    [2, 10, null, [11, 12]],
    [2, null, 10, [8, 9]],
    [3, 0, 4, [1, 2, 3]],
    [1, 1, 1, null],
    [3, 1, 1 + 2 ** -25, null],
  ])('%d between %s and %s are %j', (count, below, above, expected) =>
    expect(spread(count, below, above)).toEqual(expected),
  );

  it('are apart, and in order, wherever they are spread', () => {
    const number = fc.double({ min: -1e12, max: 1e12, noNaN: true });
    fc.assert(
      fc.property(number, number, fc.integer({ min: 1, max: 50 }), (one, other, count) => {
        const [below, above] = [Math.min(one, other), Math.max(one, other)];
        const all = [below, ...(spread(count, below, above) ?? []), above];
        fc.pre(all.length > 2);
        for (const [index, position] of all.slice(1).entries())
          expect(isSmallGap(all[index] as number, position)).toBe(false);
      }),
    );
  });

  it('allow twenty more halvings of a gap that counts as small', () => {
    const below = 1;
    let above = 2;
    let halvings = 0;
    for (; !isSmallGap(below, above); halvings += 1) above = (below + above) / 2;
    expect(halvings).toBeGreaterThan(20);
    for (let more = 0; more < 20; more += 1) above = (below + above) / 2;
    expect(above).toBeGreaterThan(below);
  });
});
