import { Inject, Injectable, Optional } from '@nestjs/common';
import { Database, statement } from '#libs/database';
import { PeriodicSweep } from '#libs/due-work';
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
async function purgeExpiredRequests(database: Database): Promise<boolean> {
  const keys = await new IdempotencyStore(database).purgeExpired(ROWS_PER_PASS);
  const counters = await database.query(PURGE_COUNTERS, [ROWS_PER_PASS]);
  return Math.max(keys, counters.length) === ROWS_PER_PASS;
}

const EVERY_MS = 10 * 60_000;

/**
 * Deletes expired idempotency keys and counters in the service's database. Every replica runs it without a lease, because
 * rows that another replica deletes are skipped.
 */
@Injectable()
export class ExpiredRequestsSweep extends PeriodicSweep {
  constructor(@Optional() @Inject(Database) private readonly database?: Database) {
    super(EVERY_MS);
  }

  async sweep(): Promise<void> {
    while (this.database && (await purgeExpiredRequests(this.database)) && !this.isStopping);
  }
}
