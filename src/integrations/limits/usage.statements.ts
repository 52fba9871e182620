import { statement } from '#libs/database';

/**
 * Parts of a rolling window. Uses of the part that has begun, of the parts of one window before it, and of one more count: a use
 * never leaves our window before it leaves the network's, which began to count it when the call arrived there.
 */
const PARTS = 60;
const KEPT_PARTS = PARTS + 2;

/** A fixed window begins at the network when the first call arrives there. A response that states the end replaces ours. */
const FIXED_TOLERANCE = `interval '5 seconds'`;

/** What a network says of a limit without a published number counts until the reset it states, else so long at most. */
const BELIEVED = `interval '1 hour'`;
/** Maximum of such a limit before the network has stated one. */
const UNKNOWN = 1_000_000;

const WINDOW = `a.window_ms * interval '1 millisecond'`;
const NEXT_MIDNIGHT = `(date_trunc('day', now() AT TIME ZONE a.time_zone) + interval '1 day') AT TIME ZONE a.time_zone`;
const PART_NOW = `floor(extract(epoch FROM now())::float8 * 1000 * ${PARTS} / a.window_ms)::bigint`;
/** Parts that began since the row was written; the clock of a new primary may be behind. */
const PASSED = `least(greatest(${PART_NOW} - u.part, 0), ${KEPT_PARTS})::int`;
/** Uses in each part of the present window, oldest first. */
const LIVE = `CASE WHEN a.kind = 'rolling' THEN u.used[1 + ${PASSED}:] || array_fill(0, ARRAY[${PASSED}])
     WHEN u.resets_at > now() THEN u.used ELSE ARRAY[0] END`;
const sumOf = (parts: string) => `(SELECT sum(n) FROM unnest(${parts}) n)::int`;
/** When the oldest use leaves the rolling window. */
const oldestLeaves = (parts: string) => `coalesce((
       SELECT to_timestamp((${PART_NOW} + min(i)) * a.window_ms / ${PARTS} / 1000)
       FROM unnest(${parts}) WITH ORDINALITY AS part (n, i) WHERE n > 0
     ), now() + ${WINDOW})`;

/**
 * Takes uses of counters, returns unused ones, and corrects counters by what networks said. One row for each counter that exists, in
 * no order. Rows are locked in the order of their key, so that statements of several workers cannot deadlock.
 *
 * A reading never frees uses, except when it came with the last use of an account, whose calls run one after another: another
 * call may be on its way that the network had not counted. Uses that are removed are the oldest, so that no use leaves too early.
 * Readings alone count for a limit of kind `stated`: what a use is worth is not known.
 *
 * MATERIALIZED: each step uses expressions of the one before several times. Inlined, one sum of the parts becomes fifty.
 */
export const CHANGE = statement(
  'integrations_change_network_usage',
  `WITH a AS (
     SELECT * FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::float8[], $6::text[], $7::int[], $8::int[], $9::int[],
       $10::timestamptz[], $11::int[], $12::timestamptz[], $13::int[], $14::bigint[])
       AS a (platform, account_id, counter, kind, window_ms, time_zone, max, wanted, returned, of_window,
         read_remaining, read_resets_at, read_max, read_after)
   ), u AS (
     SELECT u.* FROM integrations.network_usage u JOIN a USING (platform, account_id, counter)
     ORDER BY u.platform, u.account_id, u.counter FOR UPDATE OF u
   ), live AS MATERIALIZED (
     SELECT a.*, u.resets_at, u.taken, ${LIVE} AS live, coalesce(a.read_max, u.stated_max) AS stated_max,
       coalesce(a.read_max, u.stated_max, a.max, ${UNKNOWN}) AS most, u.closed_until,
       a.kind = 'rolling' OR (a.kind <> 'stated' AND u.resets_at = a.of_window AND u.resets_at > now()) AS is_same_window
     FROM a JOIN u USING (platform, account_id, counter)
   ), read AS MATERIALIZED (
     SELECT a.*, ${sumOf('a.live')} AS total, greatest(a.most - a.read_remaining, 0) AS read_used,
       CASE WHEN a.read_resets_at > now() THEN least(a.read_resets_at, now() + ${WINDOW} + interval '1 hour') END AS stated_reset,
       coalesce(a.read_remaining IS NOT NULL AND (a.kind = 'stated' OR a.is_same_window OR a.read_resets_at > now()), false) AS is_read
     FROM live a
   ), counted AS MATERIALIZED (
     SELECT a.*, a.is_read AND a.kind = 'rolling' AND a.read_remaining <= 0 AND a.stated_reset IS NOT NULL AS is_closed,
       greatest(a.total - CASE WHEN a.is_same_window THEN a.returned ELSE 0 END, 0) AS kept,
       a.kind = 'stated' OR a.read_after = a.taken OR (a.kind <> 'rolling' AND a.stated_reset > greatest(a.resets_at, now()) + ${WINDOW} / 2) AS is_exact
     FROM read a
   ), corrected AS MATERIALIZED (
     SELECT a.*, CASE WHEN NOT a.is_read OR a.is_closed THEN a.kept WHEN a.is_exact THEN a.read_used ELSE greatest(a.kept, a.read_used) END AS target,
       CASE WHEN a.is_read AND a.read_remaining > 0 THEN NULL
         WHEN a.is_closed THEN a.stated_reset
         ELSE a.closed_until END AS closed
     FROM counted a
   ), granted AS MATERIALIZED (
     SELECT a.*, CASE WHEN a.closed > now() OR a.most <= a.target THEN 0
         WHEN a.kind = 'stated' THEN a.wanted ELSE least(a.wanted, a.most - a.target) END AS granted,
       CASE WHEN a.kind = 'rolling' THEN date_trunc('milliseconds', now() + ${WINDOW} * ${KEPT_PARTS} / ${PARTS})
         WHEN a.is_read AND a.stated_reset IS NOT NULL THEN a.stated_reset
         WHEN a.is_read AND a.kind = 'stated' THEN now() + least(${WINDOW}, ${BELIEVED})
         WHEN a.kind = 'stated' THEN a.resets_at
         WHEN a.resets_at > now() OR a.wanted = 0 THEN a.resets_at
         WHEN a.kind = 'day' THEN ${NEXT_MIDNIGHT}
         ELSE date_trunc('milliseconds', now() + ${WINDOW} + ${FIXED_TOLERANCE}) END AS ends_at,
       CASE WHEN a.total <= a.target THEN a.live ELSE ARRAY(
         SELECT greatest(0, n - greatest(0, a.total - a.target - before))
         FROM (SELECT n, i, coalesce(sum(n) OVER (ORDER BY i ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), 0) AS before
           FROM unnest(a.live) WITH ORDINALITY AS part (n, i)) parts
         ORDER BY i)::int[] END AS rest
     FROM corrected a
   ), counting AS MATERIALIZED (
     SELECT a.*, CASE WHEN a.kind = 'stated' THEN 0 ELSE a.granted END AS new_uses FROM granted a
   ), next AS MATERIALIZED (
     SELECT a.*, ${PART_NOW} AS part,
       a.rest[:cardinality(a.rest) - 1] || (a.rest[cardinality(a.rest)] + greatest(a.target - a.total, 0) + a.new_uses) AS used,
       greatest(a.most - a.target - a.new_uses, 0) AS remaining
     FROM counting a
   )
   UPDATE integrations.network_usage known
   SET used = a.used, part = a.part, resets_at = a.ends_at, closed_until = a.closed, stated_max = a.stated_max,
     taken = a.taken + a.granted, updated_at = now()
   FROM next a
   WHERE known.platform = a.platform AND known.account_id = a.account_id AND known.counter = a.counter
   RETURNING a.platform, a.account_id AS "accountId", a.counter, a.granted, (a.taken + a.granted)::float8 AS taken,
     CASE WHEN a.closed > now() THEN 0 ELSE a.remaining END AS remaining, a.most AS max, a.ends_at AS "windowEndsAt",
     CASE WHEN a.remaining > 0 AND (a.closed > now()) IS NOT TRUE THEN 0
       ELSE ceil(extract(epoch FROM greatest(a.closed,
         CASE WHEN a.kind = 'rolling' AND a.remaining = 0 THEN ${oldestLeaves('a.used')} WHEN a.kind <> 'rolling' THEN a.ends_at END
       ) - now())::float8 * 1000) END AS "freeInMs"`,
);

export const ADD = statement(
  'integrations_add_network_usage',
  `INSERT INTO integrations.network_usage (platform, account_id, counter)
   SELECT * FROM unnest($1::text[], $2::text[], $3::text[]) AS a (platform, account_id, counter)
   ORDER BY platform, account_id, counter ON CONFLICT DO NOTHING`,
);

/** What is left of counters now. `resetsAt`: when a use is given back, at the latest; null: none is used. */
export const READ = statement(
  'integrations_read_network_usage',
  `WITH a AS (
     SELECT * FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::float8[], $6::int[])
       AS a (platform, account_id, counter, kind, window_ms, max)
   ), live AS MATERIALIZED (
     SELECT a.*, u.resets_at, ${LIVE} AS live, coalesce(u.stated_max, a.max) AS most,
       CASE WHEN u.closed_until > now() THEN u.closed_until END AS closed
     FROM a JOIN integrations.network_usage u USING (platform, account_id, counter)
   )
   SELECT a.platform, a.account_id AS "accountId", a.counter, a.most AS max,
     CASE WHEN a.most IS NULL THEN NULL WHEN a.closed IS NULL THEN greatest(a.most - ${sumOf('a.live')}, 0) ELSE 0 END AS remaining,
     coalesce(a.closed, CASE WHEN ${sumOf('a.live')} = 0 THEN NULL WHEN a.kind = 'rolling' THEN ${oldestLeaves('a.live')}
       ELSE a.resets_at END) AS "resetsAt"
   FROM live a`,
);

/** Of the pages of the table from $1 to before $2. No index finds unused counters: each use would have to change it. */
export const SWEEP = statement(
  'integrations_sweep_network_usage',
  `WITH deleted AS (
     DELETE FROM integrations.network_usage
     WHERE ctid IN (
       SELECT ctid FROM integrations.network_usage
       WHERE ctid >= format('(%s,0)', $1::int)::tid AND ctid < format('(%s,0)', $2::int)::tid
         AND greatest(resets_at, closed_until, updated_at) < now() - interval '1 day' FOR UPDATE SKIP LOCKED))
   SELECT pg_relation_size('integrations.network_usage') > $2::bigint * current_setting('block_size')::int AS "hasMore"`,
);
