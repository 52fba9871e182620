import { type Database, statement } from '#libs/database';
import { IdempotencyStore } from '../idempotency/idempotency.store.js';

const PURGE_COUNTERS = statement(
  'http_purge_rate_limits',
  `DELETE FROM http.rate_limit WHERE key IN (
     SELECT key FROM http.rate_limit WHERE expire < extract(epoch FROM now())::bigint * 1000 - 60000
     ORDER BY expire LIMIT $1 FOR UPDATE SKIP LOCKED)
   RETURNING key`,
);

const ROWS_PER_PASS = 5_000;

/** One pass: deletes up to ROWS_PER_PASS expired idempotency keys and counters each. @returns whether there may be more */
export async function purgeExpiredRequests(database: Database): Promise<boolean> {
  const keys = await new IdempotencyStore(database).purgeExpired(ROWS_PER_PASS);
  const counters = await database.query(PURGE_COUNTERS, [ROWS_PER_PASS]);
  return Math.max(keys, counters.length) === ROWS_PER_PASS;
}
