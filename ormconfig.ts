import { DataSource } from 'typeorm';
import { DatabaseConfig, dataSourceOptions, withoutTimeLimits } from '#libs/database';
import { loadConfig } from '#libs/config';
import { allMigrations } from './src/maintenance/apply-migrations.js';

/**
 * The one DataSource of the TypeORM command line: every migration of every room and service, on DATABASE_URL.
 * `npm run migration:run` knows also where identity has a database of its own.
 */
export default new DataSource(
  dataSourceOptions(withoutTimeLimits(loadConfig(DatabaseConfig)), allMigrations),
);
