import { unknownMedia } from '#libs/content';
import { FileIsRejected, type InspectedFacts } from './inspection.types.js';
import { assertPlausible, plausibleFrameRate } from './limits.js';

const facts = (different: Partial<InspectedFacts>): InspectedFacts => ({
  ...unknownMedia(''),
  kind: 'animation',
  width: 2,
  height: 1,
  frames: 10,
  durationMs: 1_000,
  ...different,
});

describe('facts of a file', () => {
  it.each<Partial<InspectedFacts>>([
    {},
    { frames: null, durationMs: null },
    { durationMs: 86_400_000 },
    { width: 2 ** 31 - 1 },
  ])('can be %j', (different) => {
    expect(() => assertPlausible(facts(different))).not.toThrow();
  });

  it.each<Partial<InspectedFacts>>([
    { width: null },
    { width: 0 },
    { height: NaN },
    { height: 2 ** 31 },
    { width: 1.5 },
    { frames: 0 },
    { durationMs: 86_400_001 },
    { durationMs: -1 },
    { durationMs: Infinity },
    { durationMs: NaN },
  ])('cannot be %p', (different) => {
    expect(() => assertPlausible(facts(different))).toThrow(FileIsRejected);
  });

  it.each([
    [25, 25],
    [29.970_029, 29.97],
    [0.1, 0.1],
    [0, null],
    [0.000_1, null],
    [1_001, null],
    [Infinity, null],
    [NaN, null],
    [-5, null],
  ])('have, at %p frames per second, a frame rate of %p', (rate, expected) => {
    expect(plausibleFrameRate(rate)).toBe(expected);
  });
});
