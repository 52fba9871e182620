import { statement } from '#libs/database';
import { versionsBehindRollups } from '../rollups/measures.sql.js';
import { partsOf } from '../scopes/scope-names.js';
import { countedBy, scopesOf, windowOf } from '../scopes/spend-scopes.sql.js';

/** Of attempts. $1 their organizations, $2 their applications */
const SCOPES = `unnest($1::uuid[], $2::uuid[]) AS a (organization_id, application_id)
   CROSS JOIN LATERAL ${scopesOf('a')} AS k (scope)`;

/**
 * Adds the counters of the current windows of attempts. Nothing was counted in a window that began a day or more after its limit was
 * set: no statement that began before the limit runs that long. Other counters are incomplete.
 * $1 organizations, $2 applications
 */
export const ADD = statement(
  'gateway_add_spend_counters',
  `INSERT INTO gateway.spend_counter (scope, period, starts_on, is_complete)
   SELECT DISTINCT l.scope, l.period, w.starts_on,
     l.counted_from < (w.starts_on::timestamp AT TIME ZONE 'UTC') - interval '1 day'
   FROM ${SCOPES} JOIN gateway.spend_limit l ON l.scope = k.scope
   CROSS JOIN LATERAL (SELECT ${windowOf('l.period', 'now()')} AS starts_on) w
   ORDER BY 1, 2, 3
   ON CONFLICT DO NOTHING`,
);

/** A counter without a limit can exist, when a call added it while the former limit was deleted. $1 scope, $2 period */
export const DELETE_LEFT = statement(
  'gateway_delete_left_counters',
  'DELETE FROM gateway.spend_counter WHERE scope = $1 AND period = $2',
);

/** A call can add the counter of the former limit again after `DELETE_LEFT`. $1 scope, $2 period, $3 first day */
export const BEGIN = statement(
  'gateway_begin_spend_counter',
  `INSERT INTO gateway.spend_counter (scope, period, starts_on, is_complete) VALUES ($1, $2, $3, false)
   ON CONFLICT (scope, period, starts_on) DO UPDATE
     SET reserved = 0, spent = 0, alarmed_at = NULL, is_complete = false`,
);

/** With their limits. $1 organizations and $2 applications of attempts, both null for all counters */
export const INCOMPLETE = statement(
  'gateway_incomplete_counters',
  `SELECT scope, period, c.starts_on::text AS "startsOn", l.id AS "limitId"
   FROM gateway.spend_counter c JOIN gateway.spend_limit l USING (scope, period)
   WHERE NOT c.is_complete AND ($1::uuid[] IS NULL OR scope IN (SELECT k.scope FROM ${SCOPES}))
   ORDER BY scope, period, starts_on`,
);

/**
 * Transactions with a statement that may have begun before a counter was committed: it writes counters, so that it locked the table
 * in this mode before it took its snapshot. $1 of these transactions only; null: all.
 */
export const RUNNING = statement(
  'gateway_running_counter_statements',
  `SELECT virtualtransaction AS id FROM pg_locks
   WHERE locktype = 'relation' AND mode = 'RowExclusiveLock' AND granted
     AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
     AND relation = 'gateway.spend_counter'::regclass
     AND ($1::text[] IS NULL OR virtualtransaction = ANY ($1))`,
);

/** Read before `countOf`. */
export const POSITION = `SELECT counted_before::text AS position FROM gateway.usage_sum_state`;

/**
 * Adds to an incomplete counter what its window holds beyond it. Sum and counter are of one snapshot, and the difference is added to
 * the newest version of the counter: statements that change rows and the counter meanwhile change both by the same amounts. The
 * conditions of the scope are part of the text, so that they use indexes.
 * $1 scope, $2 period, $3 first day, $4 position of the rollups, $5 the limit whose counter was incomplete when earlier statements had not
 * ended: nothing is missing afterwards, unless it was set again meanwhile; null: something may be missing. Then the returned values
 */
export function countOf(scope: string) {
  const { organizationId, applicationId } = partsOf(scope);
  const members = Object.entries({ organization_id: organizationId, application_id: applicationId }).filter(
    ([, id]) => id !== null,
  );
  const isOf = (row: string) =>
    members.map(([column], index) => `AND ${row}.${column} = $${index + 6}::uuid`).join(' ');
  const level = organizationId === null ? 'platform' : 'organization';
  const inWindow = (instant: string) => `${windowOf('$2::text', instant)} = $3::date`;
  const isCounter = 'c.scope = $1::text AND c.period = $2::text AND c.starts_on = $3::date';
  const text = `WITH part AS (
     SELECT 0 AS reserved, r.cost + r.uncertain_cost AS spent FROM gateway.usage_sum r
     WHERE r.level = '${level}' AND r.period = $2::text AND r.starts_on = $3::date ${isOf('r')}
     UNION ALL
     SELECT 0, v.sign * ${countedBy('v')} FROM (${versionsBehindRollups('$4')}) v
     WHERE ${inWindow('v.reserved_at')} ${isOf('v')}
     UNION ALL
     SELECT coalesce(u.estimate, 0), 0 FROM gateway.usage u
     WHERE u.state = 'reserved' AND ${inWindow('u.reserved_at')} ${isOf('u')}
   ), held AS (
     SELECT coalesce(sum(reserved), 0)::bigint AS reserved, coalesce(sum(spent), 0)::bigint AS spent FROM part
   ), missing AS MATERIALIZED (
     SELECT h.reserved - c.reserved AS reserved, h.spent - c.spent AS spent
     FROM held h CROSS JOIN gateway.spend_counter c WHERE ${isCounter}
   )
   UPDATE gateway.spend_counter c
   SET reserved = c.reserved + m.reserved, spent = c.spent + m.spent, is_complete = $5::uuid IS NOT NULL
   FROM missing m WHERE ${isCounter} AND NOT c.is_complete
     AND ($5::uuid IS NULL OR EXISTS (SELECT FROM gateway.spend_limit l WHERE l.id = $5::uuid))`;
  return { text, values: members.map(([, id]) => id) };
}
