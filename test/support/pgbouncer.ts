import type { ChildProcess } from 'node:child_process';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../../src/embedded/ports.js';
import { serverUrl } from './test-database.js';
import type { TestDatabase } from './test-database.js';
import { until } from './until.js';

/** Debian installs it where only root looks. PGBOUNCER names another one. */
const PROGRAM = [process.env.PGBOUNCER ?? '', 'pgbouncer', '/usr/sbin/pgbouncer'].find(
  (path) => path !== '' && spawnSync(path, ['--version']).status === 0,
);

/** Why tests with a pooler do not run here; undefined where they do. */
export const NO_PGBOUNCER = PROGRAM
  ? undefined
  : 'no PgBouncer is installed (Debian: apt-get install pgbouncer)';

const NOBODY = 65_534;

/** A PgBouncer in transaction mode in front of the test server, for all of its databases. */
export class PgBouncer {
  private constructor(
    private readonly port: number,
    private readonly program: ChildProcess,
    private readonly folder: string,
  ) {}

  /** @param poolSize connections to the server per database; few, so that clients share them all the time */
  static async start(poolSize: number): Promise<PgBouncer> {
    if (!PROGRAM) throw new Error(NO_PGBOUNCER);
    const [folder, port] = [await mkdtemp(join(tmpdir(), 'pgbouncer-')), await freePort()];
    const file = join(folder, 'pgbouncer.ini');
    await writeFile(file, settings(port, poolSize));
    await chmod(folder, 0o755);
    // It refuses to run as root.
    const identity = process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {};
    const program = spawn(PROGRAM, [file], { ...identity, stdio: ['ignore', 'ignore', 'pipe'] });
    let log = '';
    program.stderr.on('data', (chunk: Buffer) => (log = `${log}${chunk.toString()}`.slice(-4_000)));
    await until(() => {
      if (program.exitCode !== null) throw new Error(`PgBouncer did not start. ${log}`);
      return accepts(port);
    });
    return new PgBouncer(port, program, folder);
  }

  /** The same database, by way of the pooler. */
  url(direct: string): string {
    const url = new URL(direct);
    url.port = String(this.port);
    return url.toString();
  }

  /** The same database, whose services are to connect by way of the pooler. */
  before(test: TestDatabase): TestDatabase {
    return { ...test, url: this.url(test.url) };
  }

  async stop(): Promise<void> {
    const ended = once(this.program, 'exit');
    // To PgBouncer SIGTERM means: at once.
    this.program.kill('SIGTERM');
    await ended;
    await rm(this.folder, { recursive: true, force: true });
  }
}

/** PgBouncer's defaults, with as little as it needs; no `ignore_startup_parameters`. */
function settings(port: number, poolSize: number): string {
  const { hostname, port: serverPort, username, password } = new URL(serverUrl('postgres'));
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
`;
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
