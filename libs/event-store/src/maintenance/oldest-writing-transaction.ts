import type { Executor } from '#libs/database';
import { statement } from '#libs/database';

/** A transaction that has written and not ended: no reader of the log sees anything newer until it does. */
export interface WritingTransaction {
  readonly ageSeconds: number;
  /** null for a prepared transaction. */
  readonly pid: number | null;
  /** The application name of its connection, or the name it was prepared under. */
  readonly application: string;
}

const OLDEST_WRITER = statement(
  'events_oldest_writing_transaction',
  `SELECT extract(epoch FROM clock_timestamp() - since)::float8 AS "ageSeconds", pid, application FROM (
     SELECT xact_start AS since, pid, application_name AS application
     FROM pg_stat_activity WHERE backend_xid IS NOT NULL AND pid <> pg_backend_pid()
     UNION ALL
     SELECT prepared, NULL, gid FROM pg_prepared_xacts
   ) AS writing ORDER BY since LIMIT 1`,
);

/**
 * The oldest one of the whole cluster, other databases included, since all share one sequence of ids. Needs the role
 * `pg_read_all_stats` to see those of other users.
 */
export async function oldestWritingTransaction(executor: Executor): Promise<WritingTransaction | null> {
  const [row] = await executor.query<WritingTransaction>(OLDEST_WRITER);
  return row ?? null;
}
