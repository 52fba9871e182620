import { DataSource } from 'typeorm';
import { type Environment, loadConfig } from '#libs/config';
import { Database, DatabaseConfig, dataSourceOptions, withoutTimeLimits } from '#libs/database';
import { renumberLog } from '#libs/event-store';

/** After a logical restore, before the first start: see renumberLog. @returns the number of events. */
export async function renumberEvents(environment: Environment): Promise<number> {
  const options = dataSourceOptions(withoutTimeLimits(loadConfig(DatabaseConfig, environment)), []);
  const dataSource = await new DataSource(options).initialize();
  try {
    return await renumberLog(new Database(dataSource));
  } finally {
    await dataSource.destroy();
  }
}

export const runRenumbering = async (environment: Environment): Promise<string[]> => [
  `${await renumberEvents(environment)} events renumbered.`,
];
