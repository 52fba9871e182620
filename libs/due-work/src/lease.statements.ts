import { statement } from '#libs/database';

const UNTIL = `clock_timestamp() + $3::float8 * interval '1 millisecond'`;

/** $1 keys, $2 owner, $3 milliseconds. Locks in key order, so that two claims never deadlock. */
export const ACQUIRE = statement(
  'due_work_acquire',
  `INSERT INTO due_work.lease AS lease (key, owner, until, fence)
   SELECT key, $2::uuid, ${UNTIL}, nextval('due_work.fence')
   FROM (SELECT DISTINCT unnest($1::text[]) AS key ORDER BY key) AS wanted
   ON CONFLICT (key) DO UPDATE SET owner = excluded.owner, until = excluded.until, fence = excluded.fence
   WHERE lease.until <= clock_timestamp()
   RETURNING key, fence`,
);

/** The keys of $1 that still have the fences $2, locked in key order like ACQUIRE. */
const HELD = `ARRAY(
    SELECT lease.key FROM due_work.lease
    JOIN unnest($1::text[], $2::bigint[]) AS held (key, fence) ON lease.key = held.key AND lease.fence = held.fence
    ORDER BY lease.key FOR UPDATE OF lease)`;

/** $1 keys, $2 fences, $3 milliseconds. An expired lease stays with its holder until another process acquires it. */
export const RENEW = statement(
  'due_work_renew',
  `UPDATE due_work.lease SET until = ${UNTIL} WHERE key = ANY (${HELD}) RETURNING key`,
);

/** $1 keys, $2 fences. */
export const RELEASE = statement('due_work_release', `DELETE FROM due_work.lease WHERE key = ANY (${HELD})`);

/** $1 keys. Returns those that any process holds now. */
export const HELD_NOW = statement(
  'due_work_held',
  'SELECT key FROM due_work.lease WHERE key = ANY ($1::text[]) AND until > clock_timestamp()',
);
