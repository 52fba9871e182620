import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Client } from 'pg';
import { NETWORKS } from '../../src/integrations/networks.js';
import { allMigrations } from '../../src/operator/apply-migrations.js';
import { type EmbeddedStart, Machine } from '../support/boot-embedded.js';
import { isProcessRunning } from '../support/is-process-running.js';
import { onServer, serverUrl, unreleased } from '../support/test-database.js';
import { waitUntil } from '../support/wait-until.js';

const run = promisify(execFile);

/** Processes of this machine's folder, PostgreSQL and its guard included. */
async function processesOf(folder: string): Promise<string[]> {
  const { stdout } = await run('ps', ['-eo', 'pid,args']);
  return stdout.split('\n').filter((line) => line.includes(folder));
}

const postgresPid = async (machine: Machine) =>
  Number((await readFile(join(machine.folder, '.data/postgres/postmaster.pid'), 'utf8')).split('\n')[0]);

const ids = async (machine: Machine) => readFile(join(machine.folder, '.data/demo.json'), 'utf8');

/** Every network by the variable that says so, with an address that answers nothing. */
const realNetworks = () =>
  Object.fromEntries(
    NETWORKS.flatMap(({ connector }) => Object.keys(connector?.sandbox.addresses ?? {}).slice(0, 1)).map(
      (variable) => [variable, 'https://127.0.0.1:9'],
    ),
  );

/** What people read on the screen, tried out: the status of each. */
async function whatWorksOf({ output }: EmbeddedStart, { ports }: Machine): Promise<object> {
  const read = (label: string) => new RegExp(`^ +${label} +(\\S+)(?: +(\\S+))?$`, 'm').exec(output) ?? [];
  const [[, email, password], [, apiKey = ''], [, brandId = '']] = [
    read('Sign in'),
    read('API key'),
    read('Brand'),
  ];
  const api = `http://127.0.0.1:${ports.API_PORT}`;
  const login = await fetch(`http://127.0.0.1:${ports.IDENTITY_PORT}/api/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email, password }),
  });
  const { accessToken } = (await login.json()) as { accessToken?: string };
  const brand = await fetch(`${api}/api/brands/${brandId}`, {
    headers: { authorization: `Bearer ${accessToken}` },
  });
  const queue = await fetch(`${api}/api/content-ops/queue`, {
    headers: { 'x-api-key': apiKey, 'x-brand-id': brandId },
  });
  return { login: login.status, brand: brand.status, queue: queue.status };
}

interface Connected {
  readonly id: string;
  readonly state: string;
  readonly account: { readonly id: string; readonly username: string };
}

/** Accounts connected to the brand of the demo. */
async function connectionsOf(machine: Machine): Promise<Connected[]> {
  const { email, password, brandId } = JSON.parse(await ids(machine)) as Record<string, string>;
  const login = await fetch(`http://127.0.0.1:${machine.ports.IDENTITY_PORT}/api/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email, password }),
  });
  const { accessToken } = (await login.json()) as { accessToken: string };
  const list = await fetch(`http://127.0.0.1:${machine.ports.API_PORT}/api/integrations?brandId=${brandId}`, {
    headers: { authorization: `Bearer ${accessToken}` },
  });
  return ((await list.json()) as { data: Connected[] }).data;
}

/** What a second machine needs to call the identity of the first one. */
const SERVICE = { IDENTITY_SERVICE_TOKEN: 'a-token-that-both-machines-know-of' };

describe('everything on one machine', () => {
  let machine: Machine;
  let running: EmbeddedStart | undefined;

  beforeAll(async () => {
    machine = await Machine.make();
  });

  /** The start that runs, or a new one: tests share it, because a start costs more than most tests. */
  const started = async () => (running ??= await machine.start([], SERVICE).ready());

  /** Ends the start that runs. @returns its exit status */
  const ended = async (signal?: NodeJS.Signals) => {
    const start = await started();
    running = undefined;
    return start.end(signal);
  };

  afterAll(() => machine.tearDown());

  describe('the first start', () => {
    let start: EmbeddedStart;

    beforeAll(async () => {
      start = await machine.start([], { LOG_LEVEL: 'info' }).ready();
    });

    it('prints all addresses and the credentials', () => {
      expect(start.output).toContain(`http://127.0.0.1:${machine.ports.API_PORT}/docs`);
      expect(start.output).toMatch(/Timeline +http:\/\/127\.0\.0\.1:\d+\/x-web\/\w+/);
      expect(start.output).toMatch(/API key +\S{20,}/);
      expect(start.output.match(/^ {2}curl /gm)).toHaveLength(3);
    });

    it('responds on every port over real HTTP', async () => {
      const {
        API_PORT,
        IDENTITY_PORT,
        GATEWAY_PORT,
        SANDBOX_PORT,
        API_MANAGEMENT_PORT,
        WORKER_MANAGEMENT_PORT,
      } = machine.ports;
      const answers = await Promise.all(
        [
          API_PORT,
          IDENTITY_PORT,
          GATEWAY_PORT,
          SANDBOX_PORT,
          API_MANAGEMENT_PORT,
          WORKER_MANAGEMENT_PORT,
        ].map(async (port) => (await fetch(`http://127.0.0.1:${port}/healthz`)).status),
      );
      expect(answers).toEqual([200, 200, 200, 200, 200, 200]);
    });

    it('makes generated files readable for their owner only', async () => {
      for (const file of ['secrets.json', 'demo.json', 'demo.env']) {
        expect((await stat(join(machine.folder, '.data', file))).mode & 0o777).toBe(0o600);
      }
    });

    it('refuses a second start in the same folder, which changes nothing', async () => {
      const second = machine.start();
      expect(await second.end()).toBe(1);
      expect(second.output).toMatch(/^It is already running from this folder\..*\n$/);
      expect((await fetch(`http://127.0.0.1:${machine.ports.API_PORT}/healthz`)).status).toBe(200);
    });

    it('leaves no process and no lock after SIGTERM', async () => {
      const postgres = await postgresPid(machine);
      expect(await start.end('SIGTERM')).toBe(0);
      await waitUntil(() => !isProcessRunning(postgres));
      await waitUntil(async () => (await processesOf(machine.folder)).length === 0);
      const left = await readdir(join(machine.folder, '.data/postgres'));
      expect(left).not.toContain('postmaster.pid');
    });

    it('names the service in each log line', async () => {
      await start.end('SIGTERM');
      const lines = start.output.split('\n').filter((line) => line.startsWith('{'));
      const services = lines.map((line) => (JSON.parse(line) as { service: string }).service);
      expect([...new Set(services)].sort()).toEqual(['api', 'gateway', 'identity', 'worker']);
    });
  });

  it('refuses an invalid data folder with one sentence', async () => {
    const file = join(machine.folder, 'a-file');
    await writeFile(file, '');
    for (const folder of [file, join(file, 'below'), '/proc/nope', '/proc/nope/below']) {
      const start = machine.start([], { DATA_DIR: folder });
      expect(await start.end()).toBe(1);
      expect(start.output).toMatch(/^[^\n]*DATA_DIR[^\n]*\n$/);
    }
  });

  it('names the port that is in use and the variable to change', async () => {
    const other = createServer().listen(machine.ports.API_PORT, '127.0.0.1');
    const start = machine.start();
    expect(await start.end()).toBe(1);
    expect(start.output).toMatch(new RegExp(`^Port ${machine.ports.API_PORT} is in use\\..*API_PORT=.*\\n$`));
    await new Promise((resolve) => other.close(resolve));
  });

  it('finishes running migrations when stopped, and starts nothing more', async () => {
    const name = `stopped_${randomUUID().replaceAll('-', '')}`;
    await onServer((server) => server.query(`CREATE DATABASE ${name}`));
    const held = new Client({ connectionString: serverUrl(name) });
    held.on('error', () => undefined);
    await held.connect();
    const count = async (sql: string) => (await held.query<{ count: number }>(sql)).rows[0]?.count;
    // As TypeORM makes it; nothing gets past it while it is locked.
    await held.query(
      'CREATE TABLE schema_migration (id serial PRIMARY KEY, "timestamp" bigint NOT NULL, name varchar NOT NULL)',
    );
    try {
      await held.query('BEGIN');
      await held.query('LOCK TABLE schema_migration');
      const start = machine.start([], { DATABASE_URL: serverUrl(name) });
      // In this database: other tests wait for locks on the same server.
      const waiting = `SELECT count(*)::int FROM pg_locks l JOIN pg_database d ON d.oid = l.database
        WHERE NOT l.granted AND d.datname = current_database()`;
      await waitUntil(async () => count(waiting).then(Boolean));
      start.process.kill('SIGINT');
      await waitUntil(() => start.output.includes('Stopping'));
      await held.query('COMMIT');
      expect(await start.end()).toBe(0);
      expect(start.output).toBe('Stopping …\n');
      expect(await count('SELECT count(*)::int FROM schema_migration')).toBe(allMigrations.length);
    } finally {
      // Open, it would keep every reader of a log on this server waiting.
      await held.end();
    }
    await onServer((server) => server.query(`DROP DATABASE ${name} WITH (FORCE)`));
  });

  it('refuses an external database of a version before the first release in one sentence', async () => {
    const name = `unreleased_${randomUUID().replaceAll('-', '')}`;
    await onServer((server) => server.query(`CREATE DATABASE ${name}`));
    await unreleased(name);
    const start = machine.start([], { DATABASE_URL: serverUrl(name) });
    expect(await start.end()).toBe(1);
    expect(start.output).toMatch(
      /^The database was created by a version before 1\.0\.0[^\n]*create a new database[^\n]*\n$/,
    );
    await onServer((server) => server.query(`DROP DATABASE ${name} WITH (FORCE)`));
  });

  it('reports the invalid settings of all parts together, each once, and starts nothing', async () => {
    const wrong = {
      ...{ API_PORT: 'abc', IDENTITY_PORT: '70000', LOG_LEVEL: 'loud', PUBLISH_CONCURRENCY: '5000' },
      ...{ ACCESS_TOKEN_MINUTES: '0', SANDBOX_PORT: 'many', DATABASE_POOL_SIZE: '0' },
      ...{ PUBLIC_URL: 'nowhere' },
    };
    const start = machine.start([], { ...wrong, DATA_DIR: join(machine.folder, 'untouched') });
    expect(await start.end()).toBe(1);
    const [first, ...problems] = start.output.trimEnd().split('\n');
    expect(first).toBe('The environment is not valid:');
    const named = problems.map((problem) => /^ {2}- (\w+): /.exec(problem)?.[1]);
    expect(named.sort()).toEqual(Object.keys(wrong).sort());
    expect(existsSync(join(machine.folder, 'untouched'))).toBe(false);
  });

  it('reports an unknown option in one sentence', async () => {
    const start = machine.start(['--emtpy']);
    expect(await start.end()).toBe(1);
    expect(start.output).toMatch(/^Unknown option '--emtpy'.*--empty.*\n$/);
  });

  it('generates nothing in production', async () => {
    const start = machine.start([], { NODE_ENV: 'production' });
    expect(await start.end()).toBe(1);
    const named = /^NODE_ENV is production, .* Set (.*), or unset .*\n$/.exec(start.output)?.[1];
    expect(named?.split(', ')).toEqual(
      expect.arrayContaining(['DATABASE_URL', 'TRUST_PROXY_HOPS', 'ENCRYPTION_KEYS', 'S3_BUCKET']),
    );
  });

  it('keeps the demo organization across starts, also after kill -9', async () => {
    const before = await ids(machine);
    await started();
    const postgres = await postgresPid(machine);
    await ended('SIGKILL');
    await waitUntil(() => !isProcessRunning(postgres));
    await started();
    expect(await ids(machine)).toBe(before);
  });

  it('stops with one sentence when PostgreSQL is killed, and starts again with all data', async () => {
    const start = await started();
    const before = await ids(machine);
    process.kill(await postgresPid(machine), 'SIGKILL');
    expect(await ended()).toBe(1);
    expect(start.output).toMatch(/^PostgreSQL ended by itself \(SIGKILL\), .*start again\.$/m);
    expect(start.output).not.toMatch(/^ {4}at /m);
    await started();
    expect(await ids(machine)).toBe(before);
  });

  it('uses a configured identity and configured networks, and starts only the other parts', async () => {
    await started();
    const second = await Machine.make();
    try {
      const { IDENTITY_PORT, IDENTITY_MANAGEMENT_PORT, SANDBOX_PORT } = machine.ports;
      const start = await second
        .start([], {
          IDENTITY_URL: `http://127.0.0.1:${IDENTITY_PORT}`,
          ...realNetworks(),
          ...SERVICE,
          // Where these listen is nothing to the second start.
          IDENTITY_PORT: String(IDENTITY_PORT),
          IDENTITY_MANAGEMENT_PORT: String(IDENTITY_MANAGEMENT_PORT),
          SANDBOX_PORT: String(SANDBOX_PORT),
        })
        .ready();
      expect(start.output).toContain(`http://127.0.0.1:${IDENTITY_PORT}/docs`);
      expect(start.output).toContain('No demo organization: it needs an identity');
      expect((await fetch(`http://127.0.0.1:${second.ports.API_PORT}/readyz`)).status).toBe(200);
      expect(await start.end('SIGTERM')).toBe(0);
    } finally {
      await second.tearDown();
    }
  });

  describe('in an external database', () => {
    const name = `own_${randomUUID().replaceAll('-', '')}`;
    const own = { DATABASE_URL: serverUrl(name) };
    const make = () => onServer((server) => server.query(`CREATE DATABASE ${name}`));
    const drop = () => onServer((server) => server.query(`DROP DATABASE ${name} WITH (FORCE)`));
    beforeAll(make);
    afterAll(drop);

    it('prints a valid sign-in, key and brand for each database', async () => {
      // Afterwards the demo of the embedded database is known.
      expect(await ended('SIGINT')).toBe(0);
      for (const environment of [own, {}, own]) {
        // What is known of one of this name is of the one before.
        if (environment === own) await drop().then(make);
        const start = await machine.start([], environment).ready();
        expect(await whatWorksOf(start, machine)).toEqual({ login: 200, brand: 200, queue: 200 });
        expect(await start.end('SIGTERM')).toBe(0);
      }
    });

    it('starts without the demo of another folder, and reports it', async () => {
      const other = await Machine.make();
      try {
        const start = await other.start([], own).ready();
        expect(start.output).toMatch(/^No demo organization: demo@example\.com [^\n]* another folder,/m);
        expect((await fetch(`http://127.0.0.1:${other.ports.API_PORT}/readyz`)).status).toBe(200);
        expect(await start.end('SIGTERM')).toBe(0);
      } finally {
        await other.tearDown();
      }
    });

    it('is never reset, and keeps its secrets', async () => {
      const secrets = () => readFile(join(machine.folder, '.data/secrets.json'), 'utf8');
      const [before, demo] = [await secrets(), await ids(machine)];
      const refused = machine.start(['--reset', '--yes'], own);
      expect(await refused.end()).toBe(1);
      expect(refused.output).toMatch(/^DATABASE_URL [^\n]*--reset[^\n]*\n$/);
      expect(await ids(machine)).toBe(demo);
      running = await machine.start(['--reset', '--yes'], SERVICE).ready();
      expect(await secrets()).toBe(before);
      expect(await ids(machine)).not.toBe(demo);
    });
  });

  it('reconnects the account of the demo after a reset of the sandbox', async () => {
    const sandbox = `http://127.0.0.1:${machine.ports.SANDBOX_PORT}`;
    await started();
    const [before, ...more] = await connectionsOf(machine);
    expect(more).toEqual([]);
    expect((await fetch(`${sandbox}/_sandbox/reset`, { method: 'POST' })).status).toBe(200);
    expect(await ended('SIGTERM')).toBe(0);
    await started();
    const [after, ...others] = await connectionsOf(machine);
    expect(others).toEqual([]);
    expect(after).toMatchObject({ state: 'active', account: { username: before?.account.username } });
    expect(after?.id).not.toBe(before?.id);
    const accounts = (await (await fetch(`${sandbox}/_sandbox/x/accounts`)).json()) as {
      data: { id: string }[];
    };
    expect(accounts.data.map(({ id }) => id)).toContain(after?.account.id);
  });

  it('starts also when it cannot sign in to its demo, and prints the reason', async () => {
    await started();
    const { email, password } = JSON.parse(await ids(machine)) as Record<string, string>;
    const auth = `http://127.0.0.1:${machine.ports.IDENTITY_PORT}/api/auth`;
    const headers = { 'content-type': 'application/json' };
    const body = JSON.stringify({ email, password });
    const login = await fetch(`${auth}/login`, { method: 'POST', headers, body });
    const { accessToken } = (await login.json()) as { accessToken: string };
    const changed = await fetch(`${auth}/me/password`, {
      method: 'PUT',
      headers: { ...headers, authorization: `Bearer ${accessToken}` },
      body: JSON.stringify({ currentPassword: password, newPassword: randomUUID() }),
    });
    expect(changed.status).toBe(204);
    await ended('SIGTERM');
    const next = await started();
    expect(next.output).toMatch(/^No demo organization: [^\n]* its password was changed\.$/m);
    expect(await ended('SIGTERM')).toBe(0);
  });

  it('resets data only after a confirmation', async () => {
    const before = await ids(machine);
    const unasked = machine.start(['--reset']);
    expect(await unasked.end()).toBe(1);
    expect(unasked.output).toMatch(/^Nothing was removed.*--yes\n$/);
    expect(await ids(machine)).toBe(before);

    const reset = await machine.start(['--reset', '--yes', '--empty']).ready();
    expect(reset.output).toContain('No demo organization');
    await expect(ids(machine)).rejects.toThrow('ENOENT');
    await reset.end('SIGTERM');
  });

  it('starts after a first start that was interrupted at any step', async () => {
    await rm(join(machine.folder, '.data'), { recursive: true, force: true });
    for (const milliseconds of [400, 900, 1_600]) {
      const cut = machine.start();
      await new Promise((resolve) => setTimeout(resolve, milliseconds));
      await cut.end('SIGKILL');
    }
    const start = await machine.start().ready();
    expect(start.output).toMatch(/API key +\S{20,}/);
    await start.end('SIGTERM');
  });
});
