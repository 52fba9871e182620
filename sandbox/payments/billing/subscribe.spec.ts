import { periodEnd, remainingAmount } from './subscribe.js';
import type { Price } from '../state/objects.js';

const june = { start: Date.UTC(2026, 5, 1) / 1000, end: Date.UTC(2026, 6, 1) / 1000 };
const every = (interval: string): Price => ({ recurring: { interval, interval_count: 1 } }) as Price;
const seconds = (text: string): number => Date.parse(text) / 1000;

describe('what is charged for the rest of a period', () => {
  it.each([
    ['nothing is used', june.start, 3_000],
    ['half is used', (june.start + june.end) / 2, 1_500],
    ['all is used', june.end, 0],
    ['a third of a minor unit is rounded down', june.end - 288, 0],
    ['half a minor unit is rounded up', june.end - 432, 1],
  ])('%s', (_, at, amount) => {
    expect(remainingAmount({ unitAmount: 1_000, quantity: 3 }, june, at)).toBe(amount);
  });

  it('is exact for amounts beyond 2^53 over the length of a period', () => {
    expect(remainingAmount({ unitAmount: 99_999_999, quantity: 999_999 }, june, june.start)).toBe(
      99_999_999 * 999_999,
    );
  });
});

describe('the end of a period', () => {
  it.each([
    ['month', '2027-01-31T10:30:00Z', '2027-02-28T10:30:00Z'],
    ['month', '2026-12-15T00:00:00Z', '2027-01-15T00:00:00Z'],
    ['year', '2028-02-29T00:00:01Z', '2029-02-28T00:00:01Z'],
    ['week', '2026-06-01T00:00:00Z', '2026-06-08T00:00:00Z'],
  ])('of a %s from %s is %s', (interval, start, end) => {
    expect(periodEnd(seconds(start), every(interval))).toBe(seconds(end));
  });
});
