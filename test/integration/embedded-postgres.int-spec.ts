import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { startEmbeddedPostgres } from '../../local/postgres/embedded-postgres.js';
import { freePort } from '../../local/ports.js';
import { isProcessRunning } from '../support/is-process-running.js';
import { waitUntil } from '../support/wait-until.js';

describe('the embedded PostgreSQL', () => {
  let folder: string;
  let directory: string;

  const start = async (persistent = true) =>
    startEmbeddedPostgres({ directory, port: await freePort(), persistent, password: 'it’s "secret"' });

  const pid = async () => Number((await readFile(join(directory, 'postmaster.pid'), 'utf8')).split('\n')[0]);

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'embedded-postgres-'));
    directory = join(folder, 'postgres');
  });

  afterEach(() => rm(folder, { recursive: true, force: true }));

  it('keeps its data from one start to the next, in UTF-8 with the characters of every script', async () => {
    const first = await start();
    await first.createDatabase('shop');
    await first.createDatabase('shop');
    await first.stop();
    const second = await start();
    const client = new Client({ connectionString: second.url('shop') });
    await client.connect();
    const { rows } = await client.query(
      `SELECT pg_encoding_to_char(encoding) AS encoding, datcollate, 'я' ~ '[[:alpha:]]' AS folds FROM pg_database WHERE datname = 'shop'`,
    );
    await client.end();
    await second.stop();
    expect(rows).toEqual([{ encoding: 'UTF8', datcollate: 'C.UTF-8', folds: true }]);
  });

  it('asks for the password and leaves no copy of it', async () => {
    const server = await start();
    const url = new URL(server.url('postgres'));
    url.password = 'wrong';
    await expect(new Client({ connectionString: url.toString() }).connect()).rejects.toThrow('password');
    await expect(stat(`${directory}.password`)).rejects.toThrow('ENOENT');
    await server.stop();
  });

  it('recreates the cluster after an interrupted creation', async () => {
    await mkdir(`${directory}.unfinished`);
    await writeFile(join(`${directory}.unfinished`, 'PG_VERSION'), '18\n');
    const server = await start();
    await server.stop();
    await expect(stat(`${directory}.unfinished`)).rejects.toThrow('ENOENT');
  });

  it('removes expired records', async () => {
    const server = await start(false);
    await server.stop();
    await expect(stat(directory)).rejects.toThrow('ENOENT');
  });

  it('stops with a killed process, and starts again', async () => {
    const entry = join(process.cwd(), 'dist/local/postgres/embedded-postgres.js');
    const options = { directory, port: await freePort(), persistent: true, password: 'p' };
    const script = `import { startEmbeddedPostgres } from ${JSON.stringify(entry)};
      await startEmbeddedPostgres(${JSON.stringify(options)});
      console.log('up');`;
    const child = spawn(process.execPath, ['--input-type=module', '-e', script], { cwd: process.cwd() });
    await once(child.stdout, 'data');
    const server = await pid();
    child.kill('SIGKILL');
    const next = await startEmbeddedPostgres({ ...options, port: await freePort() });
    // Its lock file goes a moment before the process does.
    await waitUntil(() => !isProcessRunning(server));
    await next.stop();
  });

  it('clears a lock whose process number belongs to another program by now', async () => {
    await (await start()).stop();
    await writeFile(join(directory, 'postmaster.pid'), `${process.pid}\n${directory}\n`);
    const server = await start();
    expect(await pid()).not.toBe(process.pid);
    await server.stop();
  });
});
