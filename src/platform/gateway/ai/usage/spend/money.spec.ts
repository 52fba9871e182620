import fc from 'fast-check';
import { dollarsOf, parseDollars } from './money.js';

describe('amounts of money', () => {
  it.each([
    [0n, '0'],
    [1n, '0.000000001'],
    [1_230_000n, '0.00123'],
    [5_000_000_000n, '5'],
    [12_500_000_000n, '12.5'],
    [-1n, '-0.000000001'],
  ])('writes %s billionths of a dollar as %s', (amount, text) => expect(dollarsOf(amount)).toBe(text));

  it.each(['', '-1', '1.', '.5', '1e3', '0.0000000001', '1,5', ' 1', '1000000000'])(
    'does not read %j',
    (text) => expect(parseDollars(text)).toBeNull(),
  );

  it('reads every amount that it writes', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 10n ** 18n - 1n }), (amount) => {
        expect(parseDollars(dollarsOf(amount))).toBe(amount);
      }),
    );
  });
});
