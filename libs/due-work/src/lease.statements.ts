import { statement } from '#libs/database';

const UNTIL = `clock_timestamp() + $3::float8 * interval '1 millisecond'`;

/** $1 keys, $2 owner, $3 milliseconds. In the order of the keys, so that two claims never wait for each other in a circle. */
export const ACQUIRE = statement(
  'due_work_acquire',
  `INSERT INTO due_work.lease AS lease (key, owner, until, fence)
   SELECT key, $2::uuid, ${UNTIL}, nextval('due_work.fence')
   FROM (SELECT DISTINCT unnest($1::text[]) AS key ORDER BY key) AS wanted
   ON CONFLICT (key) DO UPDATE SET owner = excluded.owner, until = excluded.until, fence = excluded.fence
   WHERE lease.until <= clock_timestamp()
   RETURNING key, fence`,
);

/** Those of $1 (keys) that still have the fences $2, locked in the order of the keys: as they are acquired. */
const HELD = `ARRAY(
    SELECT lease.key FROM due_work.lease
    JOIN unnest($1::text[], $2::bigint[]) AS held (key, fence) ON lease.key = held.key AND lease.fence = held.fence
    ORDER BY lease.key FOR UPDATE OF lease)`;

/** $1 keys, $2 fences, $3 milliseconds. An expired lease that nobody took is still its holder's. */
export const RENEW = statement(
  'due_work_renew',
  `UPDATE due_work.lease SET until = ${UNTIL} WHERE key = ANY (${HELD}) RETURNING key`,
);

/** $1 keys, $2 fences. */
export const RELEASE = statement('due_work_release', `DELETE FROM due_work.lease WHERE key = ANY (${HELD})`);

/** $1 keys: those that a process holds now. */
export const HELD_NOW = statement(
  'due_work_held',
  'SELECT key FROM due_work.lease WHERE key = ANY ($1::text[]) AND until > clock_timestamp()',
);
