import type { Database } from '#libs/database';
import { statement } from '#libs/database';
import { IdempotencyStore } from '../idempotency/idempotency.store.js';

const PURGE_COUNTERS = statement(
  'http_purge_rate_limits',
  `DELETE FROM http.rate_limit WHERE key IN (
     SELECT key FROM http.rate_limit WHERE expire < extract(epoch FROM now()) * 1000 - 60000
     LIMIT 5000 FOR UPDATE SKIP LOCKED)
   RETURNING key`,
);

/** Forgets expired idempotency keys, some thousands at a time, and counters of past windows. @returns how many rows went */
export async function purgeExpiredRequests(database: Database): Promise<number> {
  const keys = await new IdempotencyStore(database).purgeExpired();
  return keys + (await database.query(PURGE_COUNTERS)).length;
}
