import { statement } from '#libs/database';
import { endOf, windowOf } from '../spend/spend-scopes.sql.js';

/*
 * The column organization_id is the organization that set the limit; null: the platform did. So a limit that the platform set for an
 * organization has that only as its value.
 */

/** Of `SpendScope`. @param row SQL name of a row of gateway.spend_limit */
export const scopeColumns = (
  row: string,
) => `${row}.scope_type AS "scopeType", ${row}.scope_value AS "scopeValue",
     CASE ${row}.scope_type WHEN 'organization' THEN ${row}.scope_value::uuid ELSE ${row}.organization_id END AS "organizationId",
     CASE WHEN ${row}.organization_id IS NULL THEN 'platform' ELSE 'organization' END AS "setBy"`;

/** Condition on a limit `l`: an organization set it, or the platform for the organization. @param ids SQL array of organizations */
const concernsSome = (ids: string) => `(l.organization_id = ANY (${ids}::uuid[])
     OR l.scope = ANY (ARRAY(SELECT 'organization:' || o::text || ':platform' FROM unnest(${ids}::uuid[]) o)))`;

/** Additions of one organization, or of the platform, take turns. $1 its id, null for the platform */
export const TAKE_TURNS = `SELECT pg_advisory_xact_lock(hashtextextended('gateway.spend_limit ' || coalesce($1, 'platform'), 0))`;

/**
 * $1 id, $2 scope type, $3 scope value, $4 organization that sets it, $5 period, $6 hard, $7 soft, $8 by whom, $9 maximum number of the
 * organization, or of the platform without those of organizations; null: none. After `TAKE_TURNS`. No row: there are as many.
 */
export const INSERT = `INSERT INTO gateway.spend_limit
     (id, scope_type, scope_value, organization_id, period, hard, soft, created_by)
   SELECT $1, $2, $3, $4::uuid, $5, $6, $7, $8
   WHERE $9::int IS NULL OR (SELECT count(*) FROM gateway.spend_limit l WHERE l.organization_id = $4
     OR ($4::uuid IS NULL AND l.organization_id IS NULL AND l.scope_type <> 'organization')) < $9::int
   RETURNING scope`;

/** With what the current window counted. */
const SELECT = `SELECT l.id, ${scopeColumns('l')}, l.period, l.hard, l.soft, l.version, l.created_at AS "createdAt",
     l.updated_at AS "updatedAt", coalesce(c.spent, 0) AS spent, coalesce(c.reserved, 0) AS reserved,
     w.starts_on::text AS "startsOn", ${endOf('l.period', 'w.starts_on')} AS "resetsAt", c.alarmed_at AS "alarmedAt"
   FROM gateway.spend_limit l
   CROSS JOIN LATERAL (SELECT ${windowOf('l.period', 'now()')} AS starts_on) w
   LEFT JOIN gateway.spend_counter c
     ON c.scope = l.scope AND c.period = l.period AND c.starts_on = w.starts_on`;

/** $1 id */
export const FIND = `${SELECT} WHERE l.id = $1`;

/** What the organization $1 sees, or for null all that the platform set. $2 id before the first, $3 maximum number */
export const LIST = `${SELECT} WHERE ($1::uuid IS NULL AND l.organization_id IS NULL OR ${concernsSome('ARRAY[$1]')})
   AND ($2::uuid IS NULL OR l.id > $2) ORDER BY l.id LIMIT $3`;

/** What the organizations $1 see. */
export const LIST_OF_ALL = `${SELECT} WHERE ${concernsSome('$1')} ORDER BY l.id`;

/** What the platform set, of organizations only for $1. */
export const LIST_OF_PLATFORM = `${SELECT} WHERE l.organization_id IS NULL
   AND (l.scope_type <> 'organization' OR l.scope_value = $1::uuid::text) ORDER BY l.id`;

/** Of windows that overlap with days, newest first. $1 organizations, null for all limits, $2 first and $3 last day, $4 maximum number */
export const ALARMS = statement(
  'gateway_soft_limit_alarms',
  `SELECT l.id AS "limitId", ${scopeColumns('l')}, l.period, c.starts_on::text AS "startsOn", l.soft, c.spent,
     c.alarmed_at AS "raisedAt"
   FROM gateway.spend_limit l JOIN gateway.spend_counter c USING (scope, period)
   WHERE c.alarmed_at IS NOT NULL AND ($1::uuid[] IS NULL OR ${concernsSome('$1')})
     AND c.starts_on <= $3::date
     AND c.starts_on >= CASE l.period WHEN 'day' THEN $2::date ELSE date_trunc('month', $2::date)::date END
   ORDER BY c.alarmed_at DESC, l.id LIMIT $4`,
);

/** $1 id, $2 version, $3 hard, $4 soft. A window whose spend is below the new soft limit can raise the alarm again. */
export const UPDATE = statement(
  'gateway_update_spend_limit',
  `WITH updated AS (
     UPDATE gateway.spend_limit SET hard = $3, soft = $4, version = version + 1, updated_at = now()
     WHERE id = $1 AND version = $2 RETURNING *
   ), rearmed AS (
     UPDATE gateway.spend_counter c SET alarmed_at = NULL FROM updated l
     WHERE c.scope = l.scope AND c.period = l.period AND c.alarmed_at IS NOT NULL AND (l.soft IS NULL OR c.spent < l.soft)
   )
   SELECT id FROM updated`,
);

/** $1 id, $2 version. Counters without a limit are not locked by attempts any more. */
export const DELETE = statement(
  'gateway_delete_spend_limit',
  `WITH deleted AS (DELETE FROM gateway.spend_limit WHERE id = $1 AND version = $2 RETURNING id, scope, period),
   counters AS (DELETE FROM gateway.spend_counter c USING deleted l WHERE c.scope = l.scope AND c.period = l.period)
   SELECT id FROM deleted`,
);
