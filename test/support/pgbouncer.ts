import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { TestDatabase } from './test-database.js';

// Global set-up imports this file as it is: only Node's own modules, and only types from others.

/** Debian installs it where only root looks. PGBOUNCER names another one. */
const PROGRAM = [process.env.PGBOUNCER ?? '', 'pgbouncer', '/usr/sbin/pgbouncer'].find(
  (path) => path !== '' && spawnSync(path, ['--version']).status === 0,
);

/** Why tests with a pooler do not run here; undefined where they do. */
export const NO_PGBOUNCER = PROGRAM
  ? undefined
  : 'skipped, because no PgBouncer is installed (Debian: apt-get install pgbouncer)';

/** 1.21 and newer can follow named statements from one session to the next. */
export const NAMED_STATEMENTS: 'on' | 'off' = PROGRAM && versionOf(PROGRAM) >= 1.21 ? 'on' : 'off';

const NOBODY = 65_534;
const STARTS_WITHIN_MS = 10_000;

/** A PgBouncer in transaction mode in front of a server, for all of its databases. */
export interface PgBouncer {
  /** The same database, by way of the pooler. */
  url(direct: string): string;
  /** The same database, whose services are to connect by way of the pooler. */
  before(test: TestDatabase): TestDatabase;
  /** Stops the process: connections stay open and get no response until `goOn`. */
  pause(): void;
  goOn(): void;
  stop(): Promise<void>;
}

/**
 * @param port a free one, see freePort
 * @param poolSize connections to the server per database; few, so that clients share them all the time
 */
export async function startPgBouncer(server: string, port: number, poolSize: number): Promise<PgBouncer> {
  if (!PROGRAM) throw new Error(NO_PGBOUNCER);
  const folder = await mkdtemp(join(tmpdir(), 'pgbouncer-'));
  const file = join(folder, 'pgbouncer.ini');
  await writeFile(file, settings(server, port, poolSize));
  await chmod(folder, 0o755);
  // It refuses to run as root.
  const identity = process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {};
  const program = spawn(PROGRAM, ['--quiet', file], { ...identity, stdio: ['ignore', 'ignore', 'inherit'] });
  const end = performance.now() + STARTS_WITHIN_MS;
  while (!(await accepts(port))) {
    if (program.exitCode !== null || performance.now() > end) throw new Error('PgBouncer did not start.');
    await pause(20);
  }
  const url = (direct: string) => Object.assign(new URL(direct), { port: String(port) }).toString();
  return {
    url,
    before: (test) => {
      const settings = { url: url(test.url), namedStatements: NAMED_STATEMENTS };
      const environment = { DATABASE_URL: settings.url, DATABASE_NAMED_STATEMENTS: NAMED_STATEMENTS };
      return { ...test, url: settings.url, settings, environment };
    },
    pause: () => void program.kill('SIGSTOP'),
    goOn: () => void program.kill('SIGCONT'),
    async stop() {
      const ended = once(program, 'exit');
      // SIGTERM ends it at once.
      program.kill('SIGTERM');
      if (program.exitCode === null && program.signalCode === null) await ended;
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** PgBouncer's defaults of 1.24, with as little as it needs; no `ignore_startup_parameters`. */
function settings(server: string, port: number, poolSize: number): string {
  const { hostname, port: serverPort, username, password } = new URL(server);
  return `[databases]
* = host=${hostname} port=${serverPort} user=${username} password=${password}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
pool_mode = transaction
default_pool_size = ${poolSize}
max_client_conn = 1000
${NAMED_STATEMENTS === 'on' ? 'max_prepared_statements = 200' : ''}
`;
}

/** As a number: 1.18 of `PgBouncer 1.18.0`. */
function versionOf(program: string): number {
  return Number(/\d+\.\d+/.exec(spawnSync(program, ['--version']).stdout.toString())?.[0] ?? 0);
}

function accepts(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
}
