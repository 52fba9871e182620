import { join } from 'node:path';
import { DataSource } from 'typeorm';
import type { Environment } from '#libs/config';
import { loadConfig } from '#libs/config';
import type { EmbeddedPostgres, MigrationClass } from '#libs/database';
import { DatabaseConfig, dataSourceOptions, startEmbeddedPostgres } from '#libs/database';
import { businessMigrations, identityMigrations } from '../migrations.js';
import { freePort } from './ports.js';

const DATABASE = 'content_operations';

export interface LocalDatabase extends EmbeddedPostgres {
  readonly databaseUrl: string;
}

/** The cluster of the data folder, with our database in it. Its port is a free one: nothing else needs to know it. */
export async function startLocalDatabase(
  dataDirectory: string,
  password: string,
  lost: (sentence: string) => void,
): Promise<LocalDatabase> {
  const server = await startEmbeddedPostgres({
    directory: join(dataDirectory, 'postgres'),
    port: await freePort(),
    persistent: true,
    password,
    settings: ['max_connections=200'],
    onDeath: (how) =>
      lost(
        `PostgreSQL ended by itself (${how}), so everything stops. Nothing that was saved is lost: start again.`,
      ),
  });
  await server.createDatabase(DATABASE);
  return { ...server, databaseUrl: server.url(DATABASE) };
}

/** Applies what is not applied yet, of the business API and of identity, which may have a database of its own. */
export async function migrate(environment: Environment): Promise<void> {
  const { url, poolSize } = loadConfig(DatabaseConfig, environment);
  const identityUrl = environment.IDENTITY_DATABASE_URL?.trim() || url;
  if (identityUrl === url) return run(url, poolSize, [...businessMigrations, ...identityMigrations]);
  await run(url, poolSize, businessMigrations);
  await run(identityUrl, poolSize, identityMigrations);
}

async function run(url: string, poolSize: number, migrations: readonly MigrationClass[]): Promise<void> {
  const dataSource = new DataSource(dataSourceOptions({ url, poolSize }, [...new Set(migrations)]));
  await dataSource.initialize();
  try {
    await dataSource.runMigrations();
  } finally {
    await dataSource.destroy();
  }
}
