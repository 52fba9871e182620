import { type Executor, statement } from '#libs/database';

/** An open transaction that has written. Readers of the log see no newer event until it ends. */
export interface WritingTransaction {
  readonly ageSeconds: number;
  /** null for a prepared transaction. */
  readonly pid: number | null;
  /** The application name of its connection, or the name it was prepared under. */
  readonly application: string;
}

/** The oldest ones hold the readers back. */
const MAX_TRANSACTIONS = 10;

const OLDEST_WRITERS = statement(
  'events_oldest_writing_transactions',
  `SELECT extract(epoch FROM clock_timestamp() - since)::float8 AS "ageSeconds", pid, application FROM (
     SELECT xact_start AS since, pid, application_name AS application
     FROM pg_stat_activity WHERE backend_xid IS NOT NULL AND pid <> pg_backend_pid()
     UNION ALL
     SELECT prepared, NULL, gid FROM pg_prepared_xacts
   ) AS writing ORDER BY since LIMIT ${MAX_TRANSACTIONS}`,
);

/**
 * Of the whole cluster, because all databases share one sequence of transaction ids; the oldest first. Needs the role
 * `pg_read_all_stats` to see those of other users.
 */
export function oldestWritingTransactions(executor: Executor): Promise<WritingTransaction[]> {
  return executor.query<WritingTransaction>(OLDEST_WRITERS);
}
