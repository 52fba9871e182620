import fc from 'fast-check';
import { dayRange, daysBetween, MAX_DAYS } from './calendar-days.js';

const TODAY = '2026-01-15';

describe('the days a rollup shows', () => {
  it.each([
    ['the last thirty unless asked', {}, '2025-12-17', '2026-01-15'],
    ['those asked for', { from: '2026-01-01', to: '2026-01-10' }, '2026-01-01', '2026-01-10'],
    ['one day', { from: '2026-01-10', to: '2026-01-10' }, '2026-01-10', '2026-01-10'],
    ['thirty up to a given day', { to: '2025-06-30' }, '2025-06-01', '2025-06-30'],
    ['up to today from a given day', { from: '2026-01-01' }, '2026-01-01', '2026-01-15'],
    ['a year from a given day at most', { from: '2024-01-01' }, '2024-01-01', '2024-12-31'],
    ['the last year of a longer time', { from: '2020-01-01', to: '2026-01-15' }, '2025-01-15', '2026-01-15'],
    [
      'the last day when the first comes after it',
      { from: '2026-02-01', to: '2026-01-10' },
      '2026-01-10',
      '2026-01-10',
    ],
    ['a day ahead', { from: '2026-02-01' }, '2026-02-01', '2026-02-01'],
    ['what there is of nonsense', { from: 'yesterday', to: '2026-02-30' }, '2025-12-17', '2026-01-15'],
  ])('are %s', (_, asked, from, to) => {
    expect(dayRange(asked, TODAY)).toEqual({ from, to });
  });

  it('are between one and 366 for any request', () => {
    const text = fc.option(
      fc.oneof(
        fc.string(),
        fc
          .date({ min: new Date('1990-01-01'), max: new Date('2999-12-31'), noInvalidDate: true })
          .map((at) => at.toISOString().slice(0, 10)),
      ),
      { nil: undefined },
    );
    fc.assert(
      fc.property(text, text, (from, to) => {
        const range = dayRange({ from, to }, TODAY);
        const days = daysBetween(range.from, range.to) + 1;
        expect(days).toBeGreaterThanOrEqual(1);
        expect(days).toBeLessThanOrEqual(MAX_DAYS);
      }),
    );
  });
});
