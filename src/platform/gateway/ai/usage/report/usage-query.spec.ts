import { type Grouping, levelOf, rangesOf, type UsageFilters } from './usage-query.js';

const query = (
  groupBy: readonly Grouping[],
  from: string,
  to: string,
  filters: Partial<UsageFilters> = {},
) => ({
  groupBy,
  from,
  to,
  filters: { organizationIds: null, ...filters },
});

describe('what a usage report reads', () => {
  it.each([
    [[], {}, 'platform'],
    [['model', 'day'], { provider: 'openai' }, 'platform'],
    [['organization'], {}, 'organization'],
    [['model'], { organizationIds: ['o'] }, 'organization'],
    [['credential'], {}, 'organization'],
    [[], { credentialId: 'c' }, 'organization'],
    [['user', 'organization', 'application'], {}, 'user'],
    [['day'], { organizationIds: ['o'], userId: 'u' }, 'user'],
    [['user', 'credential'], {}, 'detail'],
    [['model'], { organizationIds: ['o'], userId: 'u' }, 'detail'],
    [['user'], { capability: 'images' }, 'detail'],
  ] as const)('grouped by %j with %j is the level %s', (groupBy, filters, level) => {
    expect(levelOf(query(groupBy, '2026-01-01', '2026-01-31', filters))).toBe(level);
  });

  const months = (from: string, to: string) => ({ from, to });
  it.each([
    ['one day', '2026-03-10', '2026-03-10', null, [months('2026-03-10', '2026-03-10')]],
    ['a part of a month', '2026-03-01', '2026-03-30', null, [months('2026-03-01', '2026-03-30')]],
    ['a month', '2026-02-01', '2026-02-28', months('2026-02-01', '2026-02-01'), []],
    ['a year', '2025-01-01', '2025-12-31', months('2025-01-01', '2025-12-01'), []],
    [
      'months with parts on both sides',
      '2025-12-30',
      '2026-03-02',
      months('2026-01-01', '2026-02-01'),
      [months('2025-12-30', '2025-12-31'), months('2026-03-01', '2026-03-02')],
    ],
    ['a month that lasts until today', '2026-11-01', '2026-11-23', months('2026-11-01', '2026-11-01'), []],
    ['a month until tomorrow', '2026-11-01', '2026-11-24', months('2026-11-01', '2026-11-01'), []],
    ['a month until yesterday', '2026-11-01', '2026-11-22', null, [months('2026-11-01', '2026-11-22')]],
  ] as const)('%s', (_, from, to, ofMonths, days) => {
    expect(rangesOf(query(['model'], from, to), '2026-11-23')).toEqual({ months: ofMonths, days });
  });

  it('days, when they are told apart', () => {
    const days = [months('2026-01-01', '2026-12-31')];
    expect(rangesOf(query(['day'], '2026-01-01', '2026-12-31'), '2026-11-23')).toEqual({
      months: null,
      days,
    });
  });
});
