import { DataSource } from 'typeorm';
import type { Environment } from '#libs/config';
import { loadConfig, processEnvironment } from '#libs/config';
import type { DatabaseSettings, MigrationClass } from '#libs/database';
import { DatabaseConfig, dataSourceOptions, assertFit, withoutTimeLimits } from '#libs/database';
import { dueWorkMigrations } from '#libs/due-work';
import { httpMigrations } from '#libs/http';
import { businessMigrations } from '../api/migrations.js';
import { IdentityProcessConfig } from '../platform/identity/identity-process.config.js';
import { identityMigrations as identityTables } from '../platform/identity/migrations/index.js';
import { runMaintenance } from './run-maintenance.js';

const identityMigrations = [...httpMigrations, ...dueWorkMigrations, ...identityTables];

/** The migrations of a database that all features and services share. */
export const allMigrations: readonly MigrationClass[] = [
  ...new Set([...businessMigrations, ...identityMigrations]),
];

/**
 * Applies missing migrations of the business API and of identity, which may have a separate database.
 * @returns the names of the migrations that were applied
 * @throws DatabaseIsUnfit before anything is applied there
 */
export async function migrate(environment: Environment = processEnvironment()): Promise<string[]> {
  const settings = withoutTimeLimits(loadConfig(DatabaseConfig, environment));
  const { url } = settings;
  const { databaseUrl: identityUrl = url } = loadConfig(IdentityProcessConfig, environment);
  if (identityUrl === url) return apply(settings, allMigrations);
  const business = await apply(settings, businessMigrations);
  return [...business, ...(await apply({ ...settings, url: identityUrl }, identityMigrations))];
}

async function apply(settings: DatabaseSettings, migrations: readonly MigrationClass[]): Promise<string[]> {
  const dataSource = new DataSource(dataSourceOptions(settings, migrations));
  await dataSource.initialize();
  try {
    await assertFit(dataSource);
    return (await dataSource.runMigrations()).map(({ name }) => name);
  } finally {
    await dataSource.destroy();
  }
}

/** For the entry file. */
export const runMigrations = (): Promise<void> =>
  runMaintenance(async () => {
    const applied = await migrate();
    return [...applied, `${applied.length} migrations applied; nothing is missing.`];
  });
