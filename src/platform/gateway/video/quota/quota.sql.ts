import { statement } from '#libs/database';

const ZONE = 'America/Los_Angeles';

/** The day of an instant at Google. Days of 23 and 25 hours included. @param instant SQL */
export const quotaDay = (instant: string) => `(${instant} AT TIME ZONE '${ZONE}')::date`;

const beginOf = (day: string) => `((${day})::timestamp AT TIME ZONE '${ZONE}')`;

const endOf = (day: string) => beginOf(`${day} + 1`);

export const resetAfter = (instant: string) => endOf(quotaDay(instant));

/** @param instant SQL. Seconds: at least 1, also after it */
const until = (instant: string) =>
  `${instant} AS "resetsAt", greatest(1, extract(epoch FROM ${instant} - now()))::float8 AS seconds`;

/**
 * A refusal so soon after midnight can be due to the calls of the day before: held calls are sent in the first second of the day, and
 * the clock of the provider, or its counters, may be behind. Then the bucket is closed for this time only.
 */
const EARLY = `interval '15 minutes'`;

/** When a bucket is tried again after a refusal now; null: not on this day. @param day SQL */
const earlyEnd = (day: string) =>
  `CASE WHEN now() < ${beginOf(day)} + ${EARLY} THEN ${beginOf(day)} + ${EARLY} END`;

/** Whether the provider refuses the calls of a bucket now. @param row SQL name of a row of gateway.video_quota */
const isClosed = (row: string) =>
  `(${row}.exhausted AND (${row}.closed_until IS NULL OR ${row}.closed_until > now()))`;

/**
 * The Google project whose quota calls use: that of the platform's credential, else YOUTUBE_PROJECT. Organizations have none: all
 * tokens of channels are of the platform's client, whatever project an organization names. @param fallback SQL of YOUTUBE_PROJECT
 */
const projectOf = (fallback: string) => `coalesce((
    SELECT c.project FROM gateway.credential c
     WHERE c.provider = 'youtube' AND c.organization_id IS NULL AND c.project IS NOT NULL AND c.enabled AND c.deleted_at IS NULL
     ORDER BY c.position, c.id LIMIT 1), ${fallback})`;

/**
 * Takes units when the bucket has as many, and records for whom. The row of the bucket is locked, so that replicas cannot exceed the
 * limit together. A repetition finds the entry. No row: the bucket has too few units.
 * $1 YOUTUBE_PROJECT, $2 bucket, $3 units, $4 limit, $5 entry id, $6 call, $7 application, $8 organization
 */
export const RESERVE = statement(
  'gateway_reserve_quota',
  `WITH stored AS (
     SELECT id, day FROM gateway.video_quota_entry WHERE id = $5
   ), taken AS (
     INSERT INTO gateway.video_quota (project, day, bucket, used)
     SELECT ${projectOf('$1::text')}, ${quotaDay('now()')}, $2, $3::bigint
      WHERE $3::bigint <= $4::bigint AND NOT EXISTS (SELECT FROM stored)
     ON CONFLICT (project, day, bucket) DO UPDATE
        SET used = video_quota.used + excluded.used, exhausted = false, closed_until = NULL
      WHERE video_quota.used + excluded.used <= $4::bigint AND NOT ${isClosed('video_quota')}
     RETURNING project, day
   ), added AS (
     INSERT INTO gateway.video_quota_entry (id, project, day, bucket, units, call, application_id, organization_id)
     SELECT $5, taken.project, taken.day, $2, $3::bigint, $6, $7, $8 FROM taken
     RETURNING id, day
   )
   SELECT id, day::text AS day FROM stored UNION ALL SELECT id, day::text FROM added`,
);

/**
 * When a bucket that refused a call is tried again. A statement of its own: it must see the row that RESERVE waited for.
 * $1 YOUTUBE_PROJECT, $2 bucket
 */
export const REOPENS = statement(
  'gateway_quota_reopens',
  `SELECT ${until('at')} FROM (
     SELECT coalesce((SELECT q.closed_until FROM gateway.video_quota q
        WHERE q.project = ${projectOf('$1::text')} AND q.day = ${quotaDay('now()')} AND q.bucket = $2 AND ${isClosed('q')}),
       ${resetAfter('now()')}) AS at) reopening`,
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

/**
 * The provider says that the bucket of a call is empty, whatever was counted here. It is the bucket that the call was debited to: the
 * credential may have changed since. Uploads of a release without entries close none.
 * $1 entry, $2 the day on which the call was sent
 */
export const EXHAUST = statement(
  'gateway_exhaust_quota',
  `WITH closed AS (
     INSERT INTO gateway.video_quota (project, day, bucket, used, exhausted, closed_until)
     SELECT e.project, $2::date, e.bucket, 0, true, ${earlyEnd('$2::date')}
       FROM gateway.video_quota_entry e WHERE e.id = $1
     ON CONFLICT (project, day, bucket) DO UPDATE SET exhausted = true, closed_until = excluded.closed_until)
   SELECT ${until('at')} FROM (SELECT coalesce(${earlyEnd('$2::date')}, ${endOf('$2::date')}) AS at) reopening`,
);

/** The project, the day and its end. $1 YOUTUBE_PROJECT */
export const TODAY = statement(
  'gateway_quota_project_and_day',
  `SELECT ${projectOf('$1::text')} AS project, ${quotaDay('now()')}::text AS day, ${resetAfter('now()')} AS "resetsAt"`,
);

/** $1 project, $2 day */
export const USED = statement(
  'gateway_quota_used',
  `SELECT q.bucket, q.used::float8 AS used, ${isClosed('q')} AS exhausted FROM gateway.video_quota q
    WHERE q.project = $1 AND q.day = $2::date`,
);

/** $1 project, $2 day, $3 application, $4 organization */
export const USED_BY = statement(
  'gateway_quota_used_by',
  `SELECT call, bucket, count(*)::int AS calls, sum(units)::float8 AS units FROM gateway.video_quota_entry
    WHERE project = $1 AND day = $2::date AND application_id = $3 AND organization_id = $4 AND state <> 'released'
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
