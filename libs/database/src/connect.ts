import { DataSource, type DataSourceOptions } from 'typeorm';
import { dataSourceOptions } from './data-source-options.js';
import type { DatabaseSettings } from './database.config.js';
import { isRefusal, namingOutages } from './database.errors.js';
import type { MigrationClass } from './migrations.js';
import { DatabaseIsNotSupported } from './requirements.js';

/**
 * @throws DatabaseIsUnavailable when the server is unreachable or does not accept connections now
 * @throws DatabaseIsNotSupported when it refuses this user, password or database
 */
export function connect(options: DataSourceOptions): Promise<DataSource> {
  return namingOutages(async () => {
    try {
      return await new DataSource(options).initialize();
    } catch (error) {
      if (!isRefusal(error)) throw error;
      throw new DatabaseIsNotSupported(
        `PostgreSQL refuses the connection: ${(error as Error).message}. Check user, password and database name in the database URL.`,
      );
    }
  });
}

/** Opens one connection and closes it. @throws as `connect` does */
export async function tryConnection(settings: DatabaseSettings): Promise<void> {
  const dataSource = await connect(dataSourceOptions({ ...settings, poolSize: 1 }, []));
  await dataSource.destroy();
}

/** For commands: runs the work on connections of its own, which are closed afterwards. */
export async function withDataSource<T>(
  settings: DatabaseSettings,
  work: (dataSource: DataSource) => Promise<T>,
  migrations: readonly MigrationClass[] = [],
): Promise<T> {
  const dataSource = await new DataSource(dataSourceOptions(settings, migrations)).initialize();
  try {
    return await work(dataSource);
  } finally {
    await dataSource.destroy();
  }
}
