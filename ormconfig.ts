import { DataSource } from 'typeorm';
import { DatabaseConfig, dataSourceOptions, withoutTimeLimits } from '#libs/database';
import { loadConfig } from '#libs/config';
import { allMigrations } from './src/operator/apply-migrations.js';

/**
 * The one DataSource of the TypeORM command line: all migrations of features and services, on DATABASE_URL.
 * `npm run migration:run` also handles a separate database of identity.
 */
export default new DataSource(
  dataSourceOptions(withoutTimeLimits(loadConfig(DatabaseConfig)), allMigrations),
);
