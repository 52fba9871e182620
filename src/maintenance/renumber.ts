import { DataSource } from 'typeorm';
import type { Environment } from '#libs/config';
import { loadConfig, processEnvironment } from '#libs/config';
import { Database, DatabaseConfig, dataSourceOptions, withoutTimeLimits } from '#libs/database';
import { renumberLog } from '#libs/event-store';
import { runMaintenance } from './run-maintenance.js';

/** After a logical restore, before the first start: see renumberLog. @returns the number of events. */
export async function renumberEvents(environment: Environment = processEnvironment()): Promise<number> {
  const options = dataSourceOptions(withoutTimeLimits(loadConfig(DatabaseConfig, environment)), []);
  const dataSource = await new DataSource(options).initialize();
  try {
    return await renumberLog(new Database(dataSource));
  } finally {
    await dataSource.destroy();
  }
}

/** For the entry file. */
export const runRenumbering = (): Promise<void> =>
  runMaintenance(async () => [`${await renumberEvents()} events renumbered.`]);
