import { Database, type DatabaseSettings, longRunning, withDataSource } from '#libs/database';
import { UsageRollups } from './usage-rollups.js';

/**
 * The command `npm run usage:rebuild`: adds up all kept rows of usage again. The gateway can run meanwhile.
 * @returns lines to print
 */
export const rebuildUsage = (settings: DatabaseSettings): Promise<readonly string[]> =>
  withDataSource(settings, async (dataSource) => {
    const database = new Database(dataSource);
    await longRunning(() => new UsageRollups(database).rebuild());
    const [row] = await database.query<{ rollups: number }>(
      'SELECT count(*)::int AS rollups FROM gateway.usage_sum',
    );
    return [`Usage is added up again: ${row?.rollups ?? 0} rollups.`];
  });
