import { type ChildProcess, spawn } from 'node:child_process';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Client } from 'pg';
import { type Account, launchAs, serverAccount } from './account.js';
import { type Binaries, embeddedBinaries, ensureCluster, runToTheEnd } from './cluster.js';
import { clearLeftovers, guardAgainstSuddenDeath } from './leftover.js';

export interface EmbeddedPostgresOptions {
  /** Folder of the cluster, absolute; created if missing. Only one process may use it at a time. */
  readonly directory: string;
  readonly port: number;
  /** false: the cluster is removed when the server stops. */
  readonly persistent: boolean;
  readonly password: string;
  /** Further server settings, as `name=value`. */
  readonly settings?: readonly string[];
  /** Programs of another version than the installed one. */
  readonly binaries?: Binaries;
  readonly onLog?: (line: string) => void;
  /** Called once when the server ends unexpectedly after its start. @param how such as `SIGKILL` or `status 1` */
  readonly onDeath?: (how: string) => void;
}

export interface EmbeddedPostgres {
  /** Address of a database of this server. */
  url(database: string): string;
  /** Does nothing if it exists. */
  createDatabase(name: string): Promise<void>;
  stop(): Promise<void>;
}

/**
 * * A real PostgreSQL on loopback without an installation; also as root. It runs in a separate session, so that Ctrl-C
 * reaches the services first, and it never outlives this process.
 * @throws Error with the server's output when it does not start
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const binaries = options.binaries ?? (await embeddedBinaries());
  const account = await serverAccount();
  await clearLeftovers(options.directory);
  await ensureCluster(options.directory, binaries, account, options.password);
  const server = await launch(binaries.postgres, account, options);
  const standDown = guardAgainstSuddenDeath(server.pid ?? 0);
  const died = (status: number | null, signal: string | null) =>
    options.onDeath?.(signal ?? `status ${status}`);
  server.once('exit', died);
  // The system may reuse its process id, and the pipe to the guard would keep this process alive.
  server.once('exit', standDown);
  const url = (database: string) => embeddedPostgresUrl(options, database);
  return {
    url,
    createDatabase: (name) => createDatabase(url('postgres'), name),
    async stop() {
      server.off('exit', died);
      const stop = ['stop', '--silent', '--mode=fast', '--timeout=60', `--pgdata=${options.directory}`];
      if (!hasEnded(server)) await runToTheEnd(binaries.pg_ctl, stop, [options.directory], account);
      standDown();
      if (!options.persistent) await rm(options.directory, { recursive: true, force: true });
    },
  };
}

/** Address of a database of the embedded server. */
export const embeddedPostgresUrl = (
  { port, password }: Pick<EmbeddedPostgresOptions, 'port' | 'password'>,
  database: string,
): string => `postgres://postgres:${encodeURIComponent(password)}@127.0.0.1:${port}/${database}`;

/** Resolves when the server accepts connections. */
async function launch(
  program: string,
  account: Account | undefined,
  options: EmbeddedPostgresOptions,
): Promise<ChildProcess> {
  const { directory } = options;
  const { command, args, identity } = await launchAs(account, program, serverArguments(options), [directory]);
  const server = spawn(command, args, { ...identity, detached: true, stdio: ['ignore', 'ignore', 'pipe'] });
  let lastWords = '';
  server.stderr.on('data', (chunk: Buffer) => {
    lastWords = `${lastWords}${chunk.toString()}`.slice(-2_000);
    options.onLog?.(chunk.toString());
  });
  let failure: Error | undefined;
  server.once('error', (error) => (failure = error));
  while (!(await isReady(directory, server.pid))) {
    if (failure) throw failure;
    if (hasEnded(server)) throw new Error(`PostgreSQL did not start. ${lastWords.trim()}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return server;
}

const hasEnded = (child: ChildProcess): boolean => child.exitCode !== null || child.signalCode !== null;

function serverArguments({ directory, port, settings = [] }: EmbeddedPostgresOptions): string[] {
  const all = ['listen_addresses=127.0.0.1', 'unix_socket_directories=', ...settings];
  return ['-D', directory, '-p', String(port), ...all.flatMap((setting) => ['-c', setting])];
}

/** Lines 1 and 8 of postmaster.pid: the process and its state (PostgreSQL, src/include/utils/pidfile.h). */
async function isReady(directory: string, pid: number | undefined): Promise<boolean> {
  const lines = (await readFile(join(directory, 'postmaster.pid'), 'utf8').catch(() => '')).split('\n');
  return Number(lines[0]) === pid && lines[7]?.trim() === 'ready';
}

/** The port of the server that runs in the folder and is ready; undefined without one. */
export async function embeddedPostgresPort(directory: string): Promise<number | undefined> {
  const lines = (await readFile(join(directory, 'postmaster.pid'), 'utf8').catch(() => '')).split('\n');
  return lines[7]?.trim() === 'ready' ? Number(lines[3]) : undefined;
}

async function createDatabase(url: string, name: string): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    const { rowCount } = await client.query('SELECT FROM pg_database WHERE datname = $1', [name]);
    if (!rowCount) await client.query(`CREATE DATABASE ${client.escapeIdentifier(name)}`);
  } finally {
    await client.end();
  }
}
