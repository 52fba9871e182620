import { statement } from '#libs/database';

const ZONE = 'America/Los_Angeles';

/** The day of an instant at Google, and when it ends: days of 23 and 25 hours included. @param instant SQL */
export const quotaDay = (instant: string) => `(${instant} AT TIME ZONE '${ZONE}')::date`;
export const resetAfter = (instant: string) =>
  `((${quotaDay(instant)} + 1)::timestamp AT TIME ZONE '${ZONE}')`;

/**
 * The ledger of a call: that of the Google project of the organization's own credential, else of the platform's, else of YOUTUBE_PROJECT.
 * The ledger of an own credential belongs to the organization, so that naming the project of others does not use up their quota.
 * @param fallback SQL of YOUTUBE_PROJECT @param organization SQL of the organization
 */
const ledgerOf = (fallback: string, organization: string) => `coalesce((
    SELECT c.project || CASE WHEN c.organization_id IS NULL THEN '' ELSE '@' || c.organization_id END
      FROM gateway.credential c
     WHERE c.provider = 'youtube' AND c.project IS NOT NULL AND c.enabled AND c.deleted_at IS NULL
       AND (c.organization_id = ${organization}::uuid OR c.organization_id IS NULL)
     ORDER BY c.organization_id IS NULL, c.position, c.id LIMIT 1), ${fallback})`;

/** $1 YOUTUBE_PROJECT, $2 organization */
export const LEDGER = statement('gateway_quota_ledger', `SELECT ${ledgerOf('$1::text', '$2')} AS ledger`);

/**
 * Takes units when the bucket has as many, and records for whom. The row of the bucket is locked, so that replicas cannot exceed the
 * limit together. No row: the bucket has too few units.
 * $1 YOUTUBE_PROJECT, $2 bucket, $3 units, $4 limit, $5 entry id, $6 call, $7 application, $8 organization
 */
export const RESERVE = statement(
  'gateway_reserve_quota',
  `WITH taken AS (
     INSERT INTO gateway.video_quota (project, day, bucket, used)
     SELECT ${ledgerOf('$1::text', '$8')}, ${quotaDay('now()')}, $2, $3::bigint WHERE $3::bigint <= $4::bigint
     ON CONFLICT (project, day, bucket) DO UPDATE SET used = video_quota.used + excluded.used
      WHERE video_quota.used + excluded.used <= $4::bigint AND NOT video_quota.exhausted
     RETURNING project, day)
   INSERT INTO gateway.video_quota_entry (id, project, day, bucket, units, call, application_id, organization_id)
   SELECT $5, taken.project, taken.day, $2, $3::bigint, $6, $7, $8 FROM taken
   RETURNING id`,
);

/** $1 entry, $2 state. Only an entry that is still reserved; a sweep may have been faster. */
export const SETTLE = statement(
  'gateway_settle_quota',
  `UPDATE gateway.video_quota_entry SET state = $2, settled_at = now() WHERE id = $1 AND state = 'reserved'`,
);

/** Gives the units back: the provider was not asked. $1 entry */
export const RELEASE = statement(
  'gateway_release_quota',
  `WITH released AS (
     UPDATE gateway.video_quota_entry SET state = 'released', settled_at = now()
      WHERE id = $1 AND state = 'reserved' RETURNING project, day, bucket, units)
   UPDATE gateway.video_quota q SET used = q.used - released.units FROM released
    WHERE q.project = released.project AND q.day = released.day AND q.bucket = released.bucket`,
);

/** The provider says that the bucket is empty, whatever was counted here. $1 YOUTUBE_PROJECT, $2 bucket, $3 organization */
export const EXHAUST = statement(
  'gateway_exhaust_quota',
  `INSERT INTO gateway.video_quota (project, day, bucket, used, exhausted)
   VALUES (${ledgerOf('$1::text', '$3')}, ${quotaDay('now()')}, $2, 0, true)
   ON CONFLICT (project, day, bucket) DO UPDATE SET exhausted = true`,
);

/** The day, its end and the seconds until then. */
export const TODAY = statement(
  'gateway_quota_day',
  `SELECT ${quotaDay('now()')}::text AS day, ${resetAfter('now()')} AS resets_at,
          extract(epoch FROM ${resetAfter('now()')} - now())::float8 AS seconds`,
);

/** $1 project */
export const USED_TODAY = statement(
  'gateway_quota_used',
  `SELECT bucket, used::float8 AS used, exhausted FROM gateway.video_quota
    WHERE project = $1 AND day = ${quotaDay('now()')}`,
);

/** $1 project, $2 application, $3 organization */
export const USED_BY = statement(
  'gateway_quota_used_by',
  `SELECT call, bucket, count(*)::int AS calls, sum(units)::float8 AS units FROM gateway.video_quota_entry
    WHERE project = $1 AND day = ${quotaDay('now()')} AND application_id = $2 AND organization_id = $3
      AND state <> 'released'
    GROUP BY call, bucket ORDER BY call, bucket`,
);

/** The process ended between the reservation and the settlement: the call may have been made, so its units stay taken. */
export const SETTLE_ABANDONED = statement(
  'gateway_settle_abandoned_quota',
  `UPDATE gateway.video_quota_entry SET state = 'unknown', settled_at = now()
    WHERE state = 'reserved' AND created_at < now() - interval '10 minutes'`,
);

/** Kept for a year and a month, for bills. */
export const DELETE_OLD = [
  `DELETE FROM gateway.video_quota_entry WHERE day < current_date - 400`,
  `DELETE FROM gateway.video_quota WHERE day < current_date - 400`,
];
