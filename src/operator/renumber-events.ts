import { type Environment, loadConfig } from '#libs/config';
import { Database, DatabaseConfig, withDataSource, withoutTimeLimits } from '#libs/database';
import { renumberLog } from '#libs/event-store';

/** After a logical restore, before the first start: see renumberLog. @returns the number of events. */
export const renumberEvents = (environment: Environment): Promise<number> =>
  withDataSource(withoutTimeLimits(loadConfig(DatabaseConfig, environment)), (dataSource) =>
    renumberLog(new Database(dataSource)),
  );

export const runRenumbering = async (environment: Environment): Promise<string[]> => [
  `${await renumberEvents(environment)} events renumbered.`,
];
