import fc from 'fast-check';
import { BEGINNING, compareCursors } from './index.js';

const place = fc.record({
  transactionId: fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }),
  position: fc.bigInt({ min: 0n, max: 2n ** 63n - 1n }),
});

describe('a cursor', () => {
  it('orders by transaction id, then by position, beyond the safe integers of JavaScript', () => {
    fc.assert(
      fc.property(place, place, (a, b) => {
        const text = (at: typeof a) => ({
          transactionId: String(at.transactionId),
          position: String(at.position),
        });
        const expected =
          a.transactionId === b.transactionId ? a.position - b.position : a.transactionId - b.transactionId;
        expect(Math.sign(compareCursors(text(a), text(b)))).toBe(expected < 0n ? -1 : expected > 0n ? 1 : 0);
        expect(compareCursors(BEGINNING, text(a))).toBeLessThanOrEqual(0);
      }),
    );
  });
});
