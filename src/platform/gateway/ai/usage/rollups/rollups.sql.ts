import { statement } from '#libs/database';
import { dayOf } from '../spend/spend-scopes.sql.js';
import {
  DIMENSIONS,
  MEASURES,
  ROLLUP_LEVELS,
  type RollupLevel,
  SUMS_OF_VERSIONS,
  sumsOf,
  versions,
} from './measures.sql.js';

/** Another replica may count just now: no row. */
export const STATE = `SELECT counted_before::text AS "countedBefore" FROM gateway.usage_sum_state FOR UPDATE SKIP LOCKED`;

/** Waits for another replica. */
export const LOCK_STATE = `SELECT FROM gateway.usage_sum_state FOR UPDATE`;

/** Transactions below `oldest` have ended: what they settled is fixed and visible. */
export const TRANSACTIONS = `SELECT pg_snapshot_xmin(pg_current_snapshot())::text AS oldest,
   pg_snapshot_xmax(pg_current_snapshot())::text AS next`;

/**
 * Where a batch ends: the transaction of its first row, and that of the row behind it.
 * $1 counted before, $2 rows of a batch
 */
export const BATCH = statement(
  'gateway_batch_of_usage',
  `SELECT (SELECT settled_transaction::text FROM gateway.usage WHERE settled_transaction >= $1::text::xid8
     ORDER BY settled_transaction LIMIT 1) AS first,
   (SELECT settled_transaction::text FROM gateway.usage WHERE settled_transaction >= $1::text::xid8
     ORDER BY settled_transaction OFFSET $2 LIMIT 1) AS behind`,
);

const KEYS = ['level', 'period', 'starts_on', ...DIMENSIONS];

/** What the sums of each level do not tell apart. */
const MISSING_IN: Readonly<Record<RollupLevel, readonly string[]>> = {
  platform: ['organization_id', 'user_id', 'credential_id'],
  organization: ['user_id'],
  user: ['capability', 'provider', 'model', 'credential_id'],
  detail: [],
};
/** For each level the columns of a row `d`. The first has all, which gives the columns their types. */
const LEVELS = ROLLUP_LEVELS.toReversed()
  .map((level) => {
    const columns = DIMENSIONS.map((name) => (MISSING_IN[level].includes(name) ? 'NULL' : `d.${name}`));
    return `('${level}', ${columns.join(', ')})`;
  })
  .join(', ');
const ofLevel = DIMENSIONS.map((name) => `l.${name}`).join(', ');

const ofAllLevels = (isIn: (transactionId: string) => string, where?: string) => `
  WITH daily AS (
    SELECT ${dayOf('v.reserved_at')} AS day, ${DIMENSIONS.map((name) => `v.${name}`).join(', ')}, ${SUMS_OF_VERSIONS}
    FROM (${versions(isIn, where)}) v GROUP BY day, ${DIMENSIONS.map((name) => `v.${name}`).join(', ')}
  )
  INSERT INTO gateway.usage_sum (${[...KEYS, ...MEASURES].join(', ')})
  SELECT l.level, p.period, p.starts_on, ${ofLevel}, ${sumsOf('d')}
  FROM daily d
  CROSS JOIN LATERAL (VALUES ('day', d.day), ('month', date_trunc('month', d.day)::date)) AS p (period, starts_on)
  CROSS JOIN LATERAL (VALUES ${LEVELS}) AS l (level, ${DIMENSIONS.join(', ')})
  GROUP BY l.level, p.period, p.starts_on, ${ofLevel}
  ORDER BY p.starts_on, l.organization_id`;

const isInRange = (transactionId: string) =>
  `${transactionId} >= $1::text::xid8 AND ${transactionId} < $2::text::xid8`;

/** $1 counted before, $2 end */
export const ADVANCE = statement(
  'gateway_advance_usage_rollups',
  `${ofAllLevels(isInRange)}
  ON CONFLICT ON CONSTRAINT usage_sum_key DO UPDATE SET
    ${MEASURES.map((name) => `${name} = usage_sum.${name} + excluded.${name}`).join(', ')}`,
);

/** $1 end */
export const SET_STATE = `UPDATE gateway.usage_sum_state SET counted_before = $1::text::xid8`;

const ROWS_FROM = '(SELECT rows_from FROM gateway.usage_sum_state)';

/** Of months whose rows may be deleted already the rollups stay. */
export const CLEAR = `DELETE FROM gateway.usage_sum WHERE starts_on >= ${ROWS_FROM}`;

/** After CLEAR. $1 0, $2 end */
export const REBUILD = ofAllLevels(isInRange, `u.reserved_at >= ${ROWS_FROM}::timestamp AT TIME ZONE 'UTC'`);

/** Transaction ids of another cluster, from a restored dump. $1 the next id of this cluster */
export const RENUMBER = [
  `UPDATE gateway.usage SET settled_transaction = '0' WHERE settled_transaction >= $1::text::xid8`,
  `UPDATE gateway.usage SET corrected_transaction = '0' WHERE corrected_transaction >= $1::text::xid8`,
  `UPDATE gateway.usage_correction SET corrected_transaction = '0' WHERE corrected_transaction >= $1::text::xid8`,
];

/** $1 days that rows are kept */
export const KEEP_FROM = `UPDATE gateway.usage_sum_state SET rows_from =
   greatest(rows_from, date_trunc('month', now() AT TIME ZONE 'UTC' - $1::int * interval '1 day')::date)
   RETURNING rows_from::text AS "rowsFrom"`;

/**
 * Deletes rows of earlier months that the rollups hold. The first id of a version 7 UUID bounds the search by the primary key; the
 * clock of the process that made an id can differ by less than a day.
 * $1 first day of kept rows, $2 lowest id of the next day, $3 maximum number
 */
export const DELETE_OLD = statement(
  'gateway_delete_old_usage',
  `DELETE FROM gateway.usage WHERE id IN (
     SELECT u.id FROM gateway.usage u, gateway.usage_sum_state s
     WHERE u.id < $2::uuid AND u.reserved_at < $1::date::timestamp AT TIME ZONE 'UTC'
       AND u.settled_transaction < s.counted_before
       AND (u.corrected_transaction IS NULL OR u.corrected_transaction < s.counted_before)
     LIMIT $3)
   RETURNING id`,
);

/** Deletes corrections of rows that `DELETE_OLD` deleted. $1 first day of kept rows, $2 lowest id of the next day */
export const DELETE_CORRECTIONS = statement(
  'gateway_delete_old_corrections',
  `DELETE FROM gateway.usage_correction c USING gateway.usage_sum_state s
   WHERE c.usage_id < $2::uuid AND c.reserved_at < $1::date::timestamp AT TIME ZONE 'UTC'
     AND c.corrected_transaction < s.counted_before
     AND NOT EXISTS (SELECT FROM gateway.usage u WHERE u.id = c.usage_id)`,
);

/** For the sums of a rebuild: of all rows at once. Until the transaction ends. */
export const MORE_MEMORY = `SET LOCAL work_mem = '256MB'`;
