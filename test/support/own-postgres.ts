import { execFile } from 'node:child_process';
import { chown, mkdtemp, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Client } from 'pg';
import { DataSource } from 'typeorm';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../../local/postgres/embedded-postgres.js';
import { Database, dataSourceOptions } from '#libs/database';
import { freePort } from '../../local/ports.js';
import { migrate } from '../../src/operator/apply-migrations.js';
import { isProcessRunning } from './is-process-running.js';
import type { TestDatabase } from './test-database.js';
import { waitUntil } from './wait-until.js';

const run = promisify(execFile);
const NAME = 'content_operations';

/** A separate PostgreSQL of one test file with a migrated database. Tests can stop, kill and restart it. */
export class OwnPostgres {
  private constructor(
    private readonly folder: string,
    private readonly port: number,
    private server: EmbeddedPostgres,
    private frozen: number | null = null,
  ) {}

  static async start(): Promise<OwnPostgres> {
    const [folder, port] = [await mkdtemp(join(tmpdir(), 'own-postgres-')), await freePort()];
    const own = new OwnPostgres(folder, port, await launch(folder, port));
    await own.server.createDatabase(NAME);
    await migrate({ DATABASE_URL: own.url });
    return own;
  }

  get url(): string {
    return this.server.url(NAME);
  }

  /** The test database on this server; dropped with it. */
  async test(): Promise<TestDatabase> {
    const { url } = this;
    const settings = { url, namedStatements: 'on' } as const;
    const dataSource = await new DataSource(
      dataSourceOptions({ ...settings, poolSize: 20 }, []),
    ).initialize();
    const environment = { DATABASE_URL: url, DATABASE_NAMED_STATEMENTS: 'on' } as const;
    return {
      url,
      settings,
      environment,
      database: new Database(dataSource),
      drop: () => dataSource.destroy(),
    };
  }

  /** Orderly shutdown: connections are closed. */
  stop(): Promise<void> {
    return this.server.stop();
  }

  /** Kills the server with SIGKILL. Resolves when its backends have ended. */
  async kill(): Promise<void> {
    const first = await this.pid();
    const client = new Client({ connectionString: this.url });
    client.on('error', () => undefined);
    await client.connect();
    // Frozen it starts no more of them, so that those there are can be counted.
    process.kill(first, 'SIGSTOP');
    const { rows } = await client.query<{ pid: number }>('SELECT pid FROM pg_stat_activity');
    process.kill(first, 'SIGKILL');
    await waitUntil(() => rows.every(({ pid }) => !isProcessRunning(pid)));
    await client.end().catch(() => undefined);
  }

  /** Ends all connections and accepts no new one, until `thaw`. */
  async freeze(): Promise<void> {
    const client = new Client({ connectionString: this.url });
    await client.connect();
    this.frozen = await this.pid();
    process.kill(this.frozen, 'SIGSTOP');
    // A frozen server does not reap its backends: they end as connections, and stay as processes.
    const others = `FROM pg_stat_activity WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()`;
    await client.query(`SELECT pg_terminate_backend(pid) ${others}`);
    await waitUntil(async () => (await client.query(`SELECT ${others}`)).rowCount === 0);
    await client.end();
  }

  thaw(): void {
    if (this.frozen !== null) process.kill(this.frozen, 'SIGCONT');
    this.frozen = null;
  }

  /** On the same port, with what was committed. */
  async startAgain(): Promise<void> {
    this.server = await launch(this.folder, this.port);
  }

  /** Stops the server, copies its data like an asynchronous standby, and restarts it. */
  async copy(): Promise<void> {
    await this.server.stop();
    await run('cp', ['-a', join(this.folder, 'postgres'), join(this.folder, 'copy')]);
    await this.startAgain();
  }

  /** The failover: this server ends permanently, and the copy takes its port, promoted to a new timeline. */
  async promoteCopy(): Promise<void> {
    await this.server.stop();
    await rename(join(this.folder, 'postgres'), join(this.folder, 'lost'));
    await rename(join(this.folder, 'copy'), join(this.folder, 'postgres'));
    const { uid, gid } = await stat(join(this.folder, 'postgres'));
    const signal = join(this.folder, 'postgres', 'recovery.signal');
    await writeFile(signal, '');
    await chown(signal, uid, gid);
    this.server = await launch(this.folder, this.port, ['restore_command=false']);
  }

  async tearDown(): Promise<void> {
    this.thaw();
    await this.server.stop();
    await rm(this.folder, { recursive: true, force: true });
  }

  private async pid(): Promise<number> {
    const [first] = (await readFile(join(this.folder, 'postgres', 'postmaster.pid'), 'utf8')).split('\n');
    return Number(first);
  }
}

function launch(folder: string, port: number, more: readonly string[] = []): Promise<EmbeddedPostgres> {
  const settings = ['max_connections=200', 'shared_buffers=64MB', ...more];
  return startEmbeddedPostgres({
    directory: join(folder, 'postgres'),
    port,
    persistent: true,
    password: 'p',
    settings,
  });
}
