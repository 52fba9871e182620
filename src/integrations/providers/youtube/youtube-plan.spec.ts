import fc from 'fast-check';
import { LAST_PART_BYTES, PART_BYTES, PART_UNIT } from './youtube-limits.js';
import { afterBytes, lastPart, partEnd, stepName, stepOf } from './youtube-plan.js';

const NOTHING = { ids: {}, addresses: {}, notes: {}, ageMs: 0 };

/** Every part of a file, in order, and the last one. */
function partsOf(total: number, from = 0): { parts: [number, number][]; last: [number, number] } {
  const parts: [number, number][] = [];
  let start = from;
  for (let end = partEnd(start, total); end !== null; end = partEnd(start, total)) {
    parts.push([start, end]);
    start = end;
  }
  return { parts, last: [start, total] };
}

describe('the parts of an upload', () => {
  it('cover the file once; all but the last have a multiple of the unit, and the last is small and never empty', () => {
    const sizes = fc.integer({ min: 1, max: 20 * PART_BYTES });
    const offsets = fc.double({ min: 0, max: 0.999_999, noNaN: true });
    fc.assert(
      fc.property(sizes, offsets, (total, share) => {
        const from = Math.floor(total * share);
        const { parts, last } = partsOf(total, from);
        let next = from;
        for (const [start, end] of parts) {
          expect(start).toBe(next);
          expect((end - start) % PART_UNIT).toBe(0);
          expect(end - start).toBeLessThanOrEqual(PART_BYTES);
          next = end;
        }
        expect(last[0]).toBe(next);
        expect(last[1] - last[0]).toBeGreaterThan(0);
        expect(last[1] - last[0]).toBeLessThanOrEqual(LAST_PART_BYTES);
      }),
    );
  });

  it('of a small file are the last one alone', () => {
    expect(partsOf(PART_UNIT)).toEqual({ parts: [], last: [0, PART_UNIT] });
    expect(partsOf(PART_UNIT + 1)).toEqual({ parts: [[0, PART_UNIT]], last: [PART_UNIT, PART_UNIT + 1] });
  });

  it('are known again by the name of their step', () => {
    for (const step of [
      { call: 'begin' },
      { call: 'part', start: 0, total: 9 },
      { call: 'resumed-part', start: 262_144, total: 900_000 },
      { call: 'probe', total: 9 },
    ] as const)
      expect(stepOf(stepName(step))).toEqual(step);
    expect(stepOf('a step of tomorrow')).toEqual({ call: 'begin' });
  });

  it('leave to the commit what was prepared for it, and nothing else', () => {
    const ready = afterBytes(2 * PART_UNIT, 2 * PART_UNIT + 5);
    expect(ready).toEqual({ kind: 'ready', notes: { sent: '524288', total: '524293' } });
    const notes = 'notes' in ready ? (ready.notes ?? {}) : {};
    expect(lastPart({ ...NOTHING, notes })).toEqual({ start: 524_288, total: 524_293 });
    expect(lastPart(NOTHING)).toBeNull();
    expect(lastPart({ ...NOTHING, notes: { sent: '0', total: '999999999' } })).toBeNull();
  });
});
