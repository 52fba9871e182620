import type { Executor } from '#libs/database';

/**
 * The log holds transaction ids that this cluster has not given out yet: it was restored from a dump of another one.
 * Readers would not see those events, and appends would be refused.
 */
export class LogIsFromTheFuture extends Error {
  constructor(stored: string, next: string) {
    super(
      `The event log holds transaction id ${stored}, but this PostgreSQL cluster will give out ${next} next: the log ` +
        'was restored from another cluster. Run `npm run events:renumber` once, then start again.',
    );
    this.name = 'LogIsFromTheFuture';
  }
}

/** @throws LogIsFromTheFuture */
export async function refuseLogFromTheFuture(executor: Executor): Promise<void> {
  const [row] = await executor.query<{ stored: string; next: string }>(`
    SELECT transaction_id::text AS stored, pg_snapshot_xmax(pg_current_snapshot())::text AS next
    FROM events.event ORDER BY transaction_id DESC, position DESC LIMIT 1`);
  if (row && BigInt(row.stored) >= BigInt(row.next)) throw new LogIsFromTheFuture(row.stored, row.next);
}
