import { longRunning } from '#libs/database';
import type { Grouping, UsageQuery } from '../../src/platform/gateway/ai/usage/report/usage-query.js';
import { UsageReport } from '../../src/platform/gateway/ai/usage/report/usage-report.js';
import { UsageRollups } from '../../src/platform/gateway/ai/usage/rollups/usage-rollups.js';
import { atMost, forTheRecord, type Line } from '../support/line.js';
import { createAttempts, SPREAD } from '../support/many-attempts.js';
import { percentile } from '../support/measure.js';

const ATTEMPTS = 10_000_000;
const REPORTS = 40;
const WARM_UP = 3;
const GOAL_MS = 200;
const DAY_MS = 86_400_000;

interface Asked {
  readonly what: string;
  readonly groupBy: readonly Grouping[];
  readonly days: number;
  readonly isOfOneOrganization?: boolean;
}

const REPORTS_ASKED: readonly Asked[] = [
  { what: 'all organizations by model and day', groupBy: ['model', 'day'], days: SPREAD.days },
  { what: 'all organizations by organization', groupBy: ['organization'], days: SPREAD.days },
  { what: 'all organizations by organization and day', groupBy: ['organization', 'day'], days: 30 },
  { what: 'all organizations by person', groupBy: ['user'], days: SPREAD.days },
  { what: 'all organizations by person and day', groupBy: ['user', 'day'], days: 7 },
  {
    what: 'one organization by person and day',
    groupBy: ['user', 'day'],
    days: 30,
    isOfOneOrganization: true,
  },
  { what: 'one organization by credential', groupBy: ['credential'], days: 90, isOfOneOrganization: true },
];

/** Reports from rollups, and what the same rows take to add up without them. */
export const gatewayUsage: Line = {
  name: 'gateway-usage',
  async run(bench) {
    const db = await bench.database(4);
    try {
      const { database } = db;
      const attempts = Math.round(ATTEMPTS * bench.scale);
      const created = performance.now();
      await createAttempts(database, attempts);
      const counted = performance.now();
      await longRunning(() => new UsageRollups(database).rebuild());
      const rebuilt = performance.now();
      await longRunning(() => database.query('VACUUM ANALYZE gateway.usage_sum'));
      const [{ rows } = { rows: '0' }] = await database.query<{ rows: string }>(
        'SELECT count(*) AS rows FROM gateway.usage_sum',
      );
      const report = new UsageReport(database);
      const moment = await report.moment();
      const [row] = await database.query<{ id: string }>(
        'SELECT organization_id AS id FROM gateway.usage LIMIT 1',
      );
      const results = [];
      for (const asked of REPORTS_ASKED) {
        const query = queryOf(asked, moment.today, row?.id ?? '');
        const times: number[] = [];
        let groups = 0;
        for (let n = 0; n < WARM_UP + REPORTS; n += 1) {
          const begun = performance.now();
          const page = await report.page(query, moment, null, 101);
          if (n >= WARM_UP) times.push(performance.now() - begun);
          groups = page.groups.length;
          if (page.totals.attempts === 0) throw new Error('A report without attempts.');
        }
        const note = `p50 ${percentile(times, 0.5).toFixed(1)} ms, ${groups} groups on the page`;
        const what = `usage report of ${attempts} attempts, ${asked.what}, ${asked.days} days, p95`;
        results.push(atMost(GOAL_MS, 'ms', { what, against: '-', value: percentile(times, 0.95), note }));
      }
      const note = `${((rebuilt - counted) / 1_000).toFixed(0)} s for ${rows} rollups; rows created in ${((counted - created) / 1_000).toFixed(0)} s`;
      const ratio = (attempts / (rebuilt - counted)) * 1_000;
      results.push(
        forTheRecord({ what: 'rebuild of usage rollups, attempts per second', against: '-', ratio, note }),
      );
      return results;
    } finally {
      await db.close();
    }
  },
};

function queryOf(
  { groupBy, days, isOfOneOrganization }: Asked,
  today: string,
  organizationId: string,
): UsageQuery {
  const from = new Date(Date.parse(today) - (days - 1) * DAY_MS).toISOString().slice(0, 10);
  const organizationIds = isOfOneOrganization ? [organizationId] : null;
  return { groupBy, from, to: today, filters: { organizationIds } };
}
