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

/** At most so many are returned: the oldest hold the readers back. */
const AT_MOST = 10;

const OLDEST_WRITERS = statement(
  'events_oldest_writing_transactions',
  `SELECT extract(epoch FROM clock_timestamp() - since)::float8 AS "ageSeconds", pid, application FROM (
     SELECT xact_start AS since, pid, application_name AS application
     FROM pg_stat_activity WHERE backend_xid IS NOT NULL AND pid <> pg_backend_pid()
     UNION ALL
     SELECT prepared, NULL, gid FROM pg_prepared_xacts
   ) AS writing ORDER BY since LIMIT ${AT_MOST}`,
);

/**
 * Those of the whole cluster, other databases included, since all share one sequence of ids; the oldest first. Needs the
 * role `pg_read_all_stats` to see those of other users.
 */
export function oldestWritingTransactions(executor: Executor): Promise<WritingTransaction[]> {
  return executor.query<WritingTransaction>(OLDEST_WRITERS);
}
