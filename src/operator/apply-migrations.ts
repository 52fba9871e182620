import { DataSource } from 'typeorm';
import type { Environment } from '#libs/config';
import { loadConfig } from '#libs/config';
import type { DatabaseSettings, MigrationClass } from '#libs/database';
import {
  applyMigrations,
  DatabaseConfig,
  dataSourceOptions,
  assertFit,
  withoutTimeLimits,
} from '#libs/database';
import { dueWorkMigrations } from '#libs/due-work';
import { httpMigrations } from '#libs/http';
import { businessMigrations } from '../api/migrations.js';
import { GatewayProcessConfig } from '../platform/gateway/gateway-process.config.js';
import { gatewayMigrations as gatewayTables } from '../platform/gateway/migrations/index.js';
import { IdentityProcessConfig } from '../platform/identity/identity-process.config.js';
import { identityMigrations as identityTables } from '../platform/identity/migrations/index.js';

const identityMigrations = [...httpMigrations, ...dueWorkMigrations, ...identityTables];
const gatewayMigrations = [...httpMigrations, ...dueWorkMigrations, ...gatewayTables];

/** The migrations of a database that all features and services share. */
export const allMigrations: readonly MigrationClass[] = [
  ...new Set([...businessMigrations, ...identityMigrations, ...gatewayMigrations]),
];

/**
 * Applies missing migrations of the business API, of identity and of the gateway. Both services may have a separate database.
 * @returns the names of the migrations that were applied
 * @throws DatabaseIsUnfit before anything is applied there
 */
export async function migrate(environment: Environment): Promise<string[]> {
  const settings = withoutTimeLimits(loadConfig(DatabaseConfig, environment));
  const { url } = settings;
  const { databaseUrl: identityUrl = url } = loadConfig(IdentityProcessConfig, environment);
  const { databaseUrl: gatewayUrl = url } = loadConfig(GatewayProcessConfig, environment);
  const owners: readonly [string, readonly MigrationClass[]][] = [
    [url, businessMigrations],
    [identityUrl, identityMigrations],
    [gatewayUrl, gatewayMigrations],
  ];
  const applied: string[] = [];
  for (const each of new Set([url, identityUrl, gatewayUrl])) {
    const migrations = new Set(owners.filter(([at]) => at === each).flatMap(([, own]) => own));
    applied.push(...(await apply({ ...settings, url: each }, [...migrations])));
  }
  return applied;
}

async function apply(settings: DatabaseSettings, migrations: readonly MigrationClass[]): Promise<string[]> {
  const dataSource = new DataSource(dataSourceOptions(settings, migrations));
  await dataSource.initialize();
  try {
    await assertFit(dataSource);
    return await applyMigrations(dataSource);
  } finally {
    await dataSource.destroy();
  }
}

export async function runMigrations(environment: Environment): Promise<string[]> {
  const applied = await migrate(environment);
  return [...applied, `${applied.length} migrations applied; nothing is missing.`];
}
