import { type Environment, loadConfig } from '#libs/config';
import {
  applyMigrations,
  assertSupported,
  DatabaseConfig,
  type MigrationClass,
  withDataSource,
  withoutTimeLimits,
} from '#libs/database';
import { databaseOf, type ServiceDeclaration } from '#libs/http';
import { SERVICES } from '../services.js';

/** The migrations of a database that all services share. */
export const allMigrations = await migrationsOf(SERVICES);

/**
 * Applies the missing migrations of every service. Services may have databases of their own.
 * @returns the names of the migrations that were applied
 * @throws DatabaseIsNotSupported before anything is applied there
 */
export async function migrate(environment: Environment, services = SERVICES): Promise<string[]> {
  const settings = withoutTimeLimits(loadConfig(DatabaseConfig, environment));
  const urls = Map.groupBy(services, (service) => databaseOf(service, environment).url);
  const applied: string[] = [];
  for (const [url, sharing] of urls) {
    const migrations = await migrationsOf(sharing);
    const names = await withDataSource(
      { ...settings, url },
      async (dataSource) => {
        await assertSupported(dataSource);
        return applyMigrations(dataSource);
      },
      migrations,
    );
    applied.push(...names);
  }
  return applied;
}

async function migrationsOf(services: readonly ServiceDeclaration[]): Promise<MigrationClass[]> {
  const lists = await Promise.all(services.map(({ migrations }) => migrations()));
  return [...new Set(lists.flat())];
}

export async function runMigrations(environment: Environment): Promise<string[]> {
  const applied = await migrate(environment);
  return [...applied, `${applied.length} migrations applied; nothing is missing.`];
}
