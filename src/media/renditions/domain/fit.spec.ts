import fc from 'fast-check';
import { fitImage } from './fit.js';

const FREE = { maxWidth: 10_000, maxHeight: 10_000, maxPixels: null, ratio: null };
const CENTRE = { x: 0.5, y: 0.5 };

describe('how a picture is cropped and scaled down', () => {
  it('leaves a picture alone that is within the bounds', () => {
    expect(fitImage({ width: 640, height: 480 }, FREE, CENTRE)).toEqual({
      scaled: { width: 640, height: 480 },
      region: { width: 640, height: 480, left: 0, top: 0 },
    });
  });

  it('scales down to the tightest bound, in whole pixels', () => {
    const fit = (bounds: object) => fitImage({ width: 4000, height: 3000 }, { ...FREE, ...bounds }, CENTRE);
    expect(fit({ maxWidth: 1000 })?.region).toMatchObject({ width: 1000, height: 750 });
    expect(fit({ maxHeight: 300 })?.region).toMatchObject({ width: 400, height: 300 });
    expect(fit({ maxPixels: 480_000 })?.region).toMatchObject({ width: 800, height: 600 });
  });

  it.each([
    ['in the middle', 0.5, 1000],
    ['at the left edge', 0, 0],
    ['near the right edge', 0.95, 2000],
  ])('keeps a focus point %s', (_, x, left) => {
    const square = { ...FREE, ratio: { min: 1, max: 1 } };
    expect(fitImage({ width: 3000, height: 1000 }, square, { x, y: 0.5 })?.region.left).toBe(left);
  });

  it('finds no size when whole pixels cannot have the ratio', () => {
    expect(fitImage({ width: 1, height: 9 }, { ...FREE, ratio: { min: 1.2, max: 1.3 } }, CENTRE)).toBeNull();
  });

  it('never exceeds a bound, never leaves the picture, and never scales up', () => {
    const side = fc.integer({ min: 2, max: 8000 });
    const part = fc.double({ min: 0, max: 1, noNaN: true });
    fc.assert(
      fc.property(side, side, part, part, fc.constantFrom(1, 0.5), (width, height, x, y, shrink) => {
        const bounds = { maxWidth: 1440, maxHeight: 1350, maxPixels: 1_500_000, ratio: { min: 0.5, max: 2 } };
        const fit = fitImage({ width, height }, bounds, { x, y }, shrink);
        if (fit === null) return;
        const { scaled, region } = fit;
        expect(region.width).toBeLessThanOrEqual(Math.min(bounds.maxWidth, width));
        expect(region.height).toBeLessThanOrEqual(Math.min(bounds.maxHeight, height));
        expect(region.width * region.height).toBeLessThanOrEqual(bounds.maxPixels);
        expect(region.width / region.height).toBeLessThanOrEqual(2);
        expect(region.width / region.height).toBeGreaterThanOrEqual(0.5);
        expect(region.left + region.width).toBeLessThanOrEqual(scaled.width);
        expect(region.top + region.height).toBeLessThanOrEqual(scaled.height);
        expect(Math.min(region.left, region.top)).toBeGreaterThanOrEqual(0);
      }),
      { numRuns: 200 },
    );
  });
});
