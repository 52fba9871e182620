import { randomUUID } from 'node:crypto';
import { Client } from 'pg';
import { DataSource } from 'typeorm';
import { Database, type DatabaseConfig, dataSourceOptions } from '#libs/database';
import { allMigrations } from '../../src/operator/apply-migrations.js';
import { NAMED_STATEMENTS } from './pgbouncer.js';

export interface TestDatabase {
  readonly url: string;
  /** How a data source connects to it. */
  readonly settings: Pick<DatabaseConfig, 'url' | 'namedStatements'>;
  /** How a service connects to it. */
  readonly environment: { DATABASE_URL: string; DATABASE_NAMED_STATEMENTS: 'on' | 'off' };
  readonly database: Database;
  /** Closes the connections and drops the database. */
  drop(): Promise<void>;
}

const TEMPLATE = 'template_migrated';

/** Longer than in production: a hundred calls of a test at once wait for a connection on a busy machine. */
const CONNECT_TIMEOUT_MS = 30_000;
let templateIsReady: Promise<void> | undefined;

interface Connections {
  readonly poolSize?: number;
  /** Never through the pooler: for tests of session state. */
  readonly isDirect?: boolean;
}

/** A fresh copy of the migrated template, this test file's own. */
export async function createTestDatabase({
  poolSize = 20,
  isDirect = false,
}: Connections = {}): Promise<TestDatabase> {
  await (templateIsReady ??= onServer(makeTemplate));
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  // A copy of files: by default PostgreSQL logs each page, which takes three times the CPU time.
  await onServer((server) => server.query(`CREATE DATABASE ${name} TEMPLATE ${TEMPLATE} STRATEGY file_copy`));
  const settings = settingsOf(name, isDirect);
  const options = {
    ...dataSourceOptions({ ...settings, poolSize }, []),
    connectTimeoutMS: CONNECT_TIMEOUT_MS,
  };
  const dataSource = await new DataSource(options).initialize();
  return {
    url: settings.url,
    settings,
    environment: { DATABASE_URL: settings.url, DATABASE_NAMED_STATEMENTS: settings.namedStatements },
    database: new Database(dataSource),
    async drop() {
      if (dataSource.isInitialized) await dataSource.destroy();
      await onServer((server) => server.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`));
    },
  };
}

/** Through the pooler if global set-up started one (`npm run test:compat -- --pooler`). */
function settingsOf(database: string, isDirect: boolean): TestDatabase['settings'] {
  const url = new URL(serverUrl(database));
  const pooler = process.env.TEST_POOLER_URL;
  if (!pooler || isDirect) return { url: url.toString(), namedStatements: 'on' };
  url.port = new URL(pooler).port;
  return { url: url.toString(), namedStatements: NAMED_STATEMENTS };
}

/** Made by the first test file that needs it; the others wait at the lock. */
async function makeTemplate(server: Client): Promise<void> {
  await server.query(`SELECT pg_advisory_lock(1)`);
  const { rowCount } = await server.query('SELECT FROM pg_database WHERE datname = $1', [TEMPLATE]);
  if (rowCount) return;
  await server.query(`CREATE DATABASE making_${TEMPLATE}`);
  const url = serverUrl(`making_${TEMPLATE}`);
  const dataSource = await new DataSource(
    dataSourceOptions({ url, poolSize: 2 }, allMigrations),
  ).initialize();
  await dataSource.runMigrations();
  await dataSource.destroy();
  await server.query(`ALTER DATABASE making_${TEMPLATE} RENAME TO ${TEMPLATE}`);
}

export function serverUrl(database: string): string {
  const server = process.env.TEST_POSTGRES_URL;
  if (!server) throw new Error('No test server: run through the jest projects that start one.');
  const url = new URL(server);
  url.pathname = `/${database}`;
  return url.toString();
}

/** Makes an empty database look like one that a version before the first release has migrated. */
export async function unreleased(database: string): Promise<void> {
  const client = new Client({ connectionString: serverUrl(database) });
  await client.connect();
  await client.query(`
    CREATE TABLE schema_migration (id serial PRIMARY KEY, "timestamp" bigint NOT NULL, name varchar NOT NULL);
    INSERT INTO schema_migration ("timestamp", name) VALUES (1790000000000, 'EventLog1790000000000')`);
  await client.end();
}

/** A short connection to the server's maintenance database. */
export async function onServer(work: (server: Client) => Promise<unknown>): Promise<void> {
  const client = new Client({ connectionString: serverUrl('postgres') });
  await client.connect();
  try {
    await work(client);
  } finally {
    await client.end();
  }
}
