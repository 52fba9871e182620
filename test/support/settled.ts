import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '#libs/database';

/**
 * Waits until everything committed so far is shown to readers of the log. Test files share one cluster, so a
 * transaction of another file may hold readers back for a moment, as it would in production.
 */
export async function settled(database: Database): Promise<void> {
  const [mark] = await database.query<{ id: string }>('SELECT pg_current_xact_id()::text AS id');
  for (;;) {
    const [row] = await database.query<{ passed: boolean }>(
      'SELECT pg_snapshot_xmin(pg_current_snapshot()) > $1::xid8 AS passed',
      [mark?.id],
    );
    if (row?.passed) return;
    await sleep(5);
  }
}
