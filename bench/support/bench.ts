import { rmSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { DataSource } from 'typeorm';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../../local/postgres/embedded-postgres.js';
import { Database, dataSourceOptions } from '#libs/database';
import { freePort } from '../../local/ports.js';
import { allMigrations } from '../../src/operator/apply-migrations.js';

/** What every line is given: a PostgreSQL of its own with the settings it is shipped with, and how long to measure. */
export interface Bench {
  readonly repetitions: number;
  /** Multiplies durations and sizes: 1, or less with `--quick`. */
  readonly scale: number;
  /** Scratch space, gone when the benchmark ends. */
  readonly folder: string;
  /** A fresh database with the tables of the business API and of identity. */
  database(poolSize: number): Promise<BenchDatabase>;
  /** A fresh, empty database. */
  emptyDatabase(): Promise<string>;
}

export interface BenchDatabase {
  readonly url: string;
  readonly database: Database;
  close(): Promise<void>;
}

export interface RunningBench extends Bench {
  stop(): Promise<void>;
}

export async function startBench(options: Pick<Bench, 'repetitions' | 'scale'>): Promise<RunningBench> {
  const folder = await mkdtemp(join(tmpdir(), 'content-operations-bench-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  const server = await startEmbeddedPostgres({
    directory: join(folder, 'cluster'),
    port: await freePort(),
    persistent: false,
    password: 'bench',
  });
  let count = 0;
  const emptyDatabase = async () => {
    const name = `bench_${(count += 1)}`;
    await server.createDatabase(name);
    return server.url(name);
  };
  return {
    ...options,
    folder,
    emptyDatabase,
    database: async (poolSize) => openMigrated(server, await emptyDatabase(), poolSize),
    async stop() {
      await server.stop();
    },
  };
}

async function openMigrated(server: EmbeddedPostgres, url: string, poolSize: number): Promise<BenchDatabase> {
  const options = dataSourceOptions({ url, poolSize }, allMigrations);
  const dataSource = await new DataSource(options).initialize();
  await dataSource.runMigrations();
  return {
    url,
    database: new Database(dataSource),
    async close() {
      await dataSource.destroy();
      const client = new Client({ connectionString: server.url('postgres') });
      await client.connect();
      await client.query(`DROP DATABASE ${new URL(url).pathname.slice(1)} WITH (FORCE)`);
      await client.end();
    },
  };
}
