import type { Executor } from '#libs/database';

/**
 * The log holds transaction ids that this cluster has not assigned yet: it was restored from a dump of another cluster.
 * Readers would not see those events, and appends would fail.
 */
export class LogIsFromAnotherCluster extends Error {
  constructor(stored: string, next: string) {
    super(
      `The event log holds transaction id ${stored}, but the next id of this PostgreSQL cluster is ${next}: the log ` +
        'was restored from another cluster. Run `npm run events:renumber` once, then start again.',
    );
    this.name = 'LogIsFromAnotherCluster';
  }
}

/** @throws LogIsFromAnotherCluster */
export async function refuseForeignLog(executor: Executor): Promise<void> {
  const [row] = await executor.query<{ stored: string; next: string }>(`
    SELECT transaction_id::text AS stored, pg_snapshot_xmax(pg_current_snapshot())::text AS next
    FROM events.event ORDER BY transaction_id DESC, position DESC LIMIT 1`);
  if (row && BigInt(row.stored) >= BigInt(row.next)) throw new LogIsFromAnotherCluster(row.stored, row.next);
}
