import { Injectable } from '@nestjs/common';
import { Database, statement } from '#libs/database';
import type { Attribution } from '../../../access/attribution.js';
import { versionsBehindRollups } from '../rollups/measures.sql.js';
import { partsOf } from '../spend/spend-limit.js';
import { countedBy, scopesOf, windowOf } from '../spend/spend-scopes.sql.js';

/** Of attempts. $1 their organizations, $2 their applications */
const SCOPES = `unnest($1::uuid[], $2::uuid[]) AS a (organization_id, application_id)
   CROSS JOIN LATERAL ${scopesOf('a')} AS k (scope)`;

/**
 * Adds the counters of windows that have begun since their limit was set: nothing was granted in them before, so that they are empty.
 * $1 organizations, $2 applications
 */
const ADD = statement(
  'gateway_add_spend_counters',
  `INSERT INTO gateway.spend_counter (scope, period, starts_on)
   SELECT DISTINCT l.scope, l.period, ${windowOf('l.period', 'now()')}
   FROM ${SCOPES} JOIN gateway.spend_limit l ON l.scope = k.scope
   ORDER BY 1, 2, 3
   ON CONFLICT DO NOTHING`,
);

/** How long a new limit waits for the statements that run. Others wait behind it meanwhile. */
const LOCK_MS = 3_000;

/**
 * Waits for all statements that change counters, and lets no other begin until the transaction ends. Such a statement locks the table
 * before it takes its snapshot: so one that waits sees the limit and its counter.
 */
const LOCK = [
  `SET LOCAL lock_timeout = ${LOCK_MS}`,
  'LOCK TABLE gateway.spend_counter IN SHARE ROW EXCLUSIVE MODE',
];

/** A counter without a limit can exist, when a call added it while the former limit was deleted. $1 scope, $2 period */
const DELETE_LEFT = statement(
  'gateway_delete_left_counters',
  'DELETE FROM gateway.spend_counter WHERE scope = $1 AND period = $2',
);

/** The window of now, also for a transaction that began in the one before. $1 period */
const WINDOW = `SELECT ${windowOf('$1::text', 'clock_timestamp()')}::text AS "startsOn", counted_before::text AS position
   FROM gateway.usage_sum_state`;

/**
 * Adds the counter of a window with what it holds. The conditions of the scope are part of the text, so that they use indexes.
 * $1 scope, $2 period, $3 first day, $4 position of the rollups, which was read before. Then the returned values
 */
export function countOf(scope: string) {
  const { organizationId, applicationId } = partsOf(scope);
  const members = Object.entries({ organization_id: organizationId, application_id: applicationId }).filter(
    ([, id]) => id !== null,
  );
  const isOf = (row: string) =>
    members.map(([column], index) => `AND ${row}.${column} = $${index + 5}::uuid`).join(' ');
  const level = organizationId === null ? 'platform' : 'organization';
  const inWindow = (instant: string) => `${windowOf('$2::text', instant)} = $3::date`;
  const text = `WITH part AS (
     SELECT 0 AS reserved, r.cost + r.uncertain_cost AS spent FROM gateway.usage_sum r
     WHERE r.level = '${level}' AND r.period = $2::text AND r.starts_on = $3::date ${isOf('r')}
     UNION ALL
     SELECT 0, v.sign * ${countedBy('v')} FROM (${versionsBehindRollups('$4')}) v
     WHERE ${inWindow('v.reserved_at')} ${isOf('v')}
     UNION ALL
     SELECT coalesce(u.estimate, 0), 0 FROM gateway.usage u
     WHERE u.state = 'reserved' AND ${inWindow('u.reserved_at')} ${isOf('u')}
   )
   INSERT INTO gateway.spend_counter (scope, period, starts_on, reserved, spent)
   SELECT $1::text, $2::text, $3::date, coalesce(sum(reserved), 0), coalesce(sum(spent), 0) FROM part`;
  return { text, values: members.map(([, id]) => id) };
}

type Counted = Pick<Attribution, 'organizationId' | 'applicationId'>;

const TIME_LIMIT_MS = 5_000;

/** What windows of limits have counted. */
@Injectable()
export class SpendCounters {
  constructor(private readonly database: Database) {}

  /** In the transaction that sets the limit: its counter begins with what the window holds. Calls wait until the transaction ends. */
  async begin(scope: string, period: 'day' | 'month'): Promise<void> {
    for (const sql of LOCK) await this.database.query(sql);
    await this.database.query(DELETE_LEFT, [scope, period]);
    const [window] = await this.database.query<{ startsOn: string; position: string }>(WINDOW, [period]);
    const { text, values } = countOf(scope);
    await this.database.query(text, [scope, period, window?.startsOn, window?.position, ...values]);
  }

  /** Adds all counters that calls need and that do not exist. @throws DatabaseIsUnavailable */
  async addFor(calls: readonly Counted[]): Promise<void> {
    const organizations = calls.map(({ organizationId }) => organizationId);
    const applications = calls.map(({ applicationId }) => applicationId);
    await this.database.within(TIME_LIMIT_MS).query(ADD, [organizations, applications]);
  }
}
