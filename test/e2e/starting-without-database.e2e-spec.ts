import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { freePort } from '../../local/ports.js';
import { childEnvironment } from '../support/child-environment.js';
import { eventually } from '../support/eventually.js';
import { sharedStorage } from '../support/object-storage.js';
import { createTestDatabase, serverUrl, type TestDatabase } from '../support/test-database.js';

/** An ErrorResponse of PostgreSQL, as a server sends it that starts or stops. */
const refusal = (code: string, message: string): Buffer => {
  const fields = Buffer.from(`SFATAL\0VFATAL\0C${code}\0M${message}\0\0`);
  const head = Buffer.alloc(5);
  head.write('E');
  head.writeInt32BE(fields.length + 4, 1);
  return Buffer.concat([head, fields]);
};

const SECRETS = {
  IDENTITY_PEPPERS: `1:${Buffer.alloc(32, 7).toString('base64')}`,
  IDENTITY_SERVICE_TOKENS: `api:${'s'.repeat(32)}`,
  IDENTITY_SERVICE_TOKEN: 's'.repeat(32),
  ENCRYPTION_KEYS: `1:${Buffer.alloc(32, 7).toString('base64')}`,
  MEDIA_ADDRESS_KEYS: `1:${Buffer.alloc(32, 7).toString('base64')}`,
  INTERNAL_SERVICE_TOKEN: 'i'.repeat(32),
};

describe('a process that starts while PostgreSQL is unavailable', () => {
  let test: TestDatabase;
  let child: ChildProcess;
  let gate: Server | undefined;
  let sockets: Socket[];
  let said: string;
  let complaints: string;
  let ports: { database: number; public: number; management: number };

  beforeAll(async () => {
    test = await createTestDatabase();
  });
  beforeEach(async () => {
    [said, complaints, sockets, gate] = ['', '', [], undefined];
    ports = { database: await freePort(), public: await freePort(), management: await freePort() };
  });
  afterEach(async () => {
    child.kill('SIGKILL');
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => (gate ? gate.close(resolve) : resolve(undefined)));
  });
  afterAll(() => test.drop());

  /** The database, by an address on which nothing listens yet. */
  const databaseUrl = (more: Partial<URL> = {}) =>
    Object.assign(new URL(test.url), { hostname: '127.0.0.1', port: String(ports.database) }, more).href;

  const start = (entry: string, url = databaseUrl()) => {
    const management = String(ports.management);
    child = spawn(process.execPath, [`dist/src/${entry}.js`], {
      env: {
        ...{ ...childEnvironment(), ...SECRETS, ...sharedStorage(), ...test.environment, DATABASE_URL: url },
        ...{ IDENTITY_PORT: String(ports.public), IDENTITY_MANAGEMENT_PORT: management },
        ...{ API_PORT: String(ports.public), API_MANAGEMENT_PORT: management },
        ...{ WORKER_MANAGEMENT_PORT: management, SHUTDOWN_DELAY_MS: '0' },
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    child.stdout?.on('data', (chunk: Buffer) => (said += chunk.toString()));
    child.stderr?.on('data', (chunk: Buffer) => (complaints += chunk.toString()));
    return once(child, 'close');
  };

  const listen = async (onConnection: (socket: Socket) => void) => {
    gate = createServer((socket) => {
      sockets.push(socket.on('error', () => undefined));
      onConnection(socket);
    });
    gate.listen(ports.database, '127.0.0.1');
    await once(gate, 'listening');
  };
  const forward = (socket: Socket, url = test.url) => {
    const { hostname, port } = new URL(url);
    const onward = connect(Number(port), hostname).on('error', () => undefined);
    sockets.push(onward);
    socket.pipe(onward).pipe(socket);
  };

  const ask = (path: string, port = ports.management) => fetch(`http://127.0.0.1:${port}${path}`);
  const status = async (path: string) => (await ask(path)).status;
  const lines = () =>
    said
      .slice(0, said.lastIndexOf('\n') + 1)
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line) as Record<string, unknown>);
  const waits = (code: string) =>
    eventually(() =>
      expect(lines()).toContainEqual(
        expect.objectContaining({
          ...{ level: 40, err: expect.objectContaining({ code }) },
          msg: expect.stringMatching(/^The database is not reachable; next try in \d+ ms$/),
        }),
      ),
    );

  it.each(['main', 'worker', 'platform/identity/main'])(
    '%s is live and not ready, logs JSON from its first line, and is ready once PostgreSQL answers',
    async (entry) => {
      const ended = start(entry);
      await waits('ECONNREFUSED');
      await eventually(async () => expect(await status('/healthz')).toBe(200));
      for (const port of entry === 'worker' ? [ports.management] : Object.values(ports).slice(1)) {
        const answer = await ask('/readyz', port);
        expect([
          answer.status,
          answer.headers.get('content-type'),
          answer.headers.get('retry-after'),
        ]).toEqual([503, 'application/problem+json; charset=utf-8', '2']);
        expect(await answer.json()).toMatchObject({ code: 'database_unavailable' });
      }
      await listen(forward);
      await eventually(async () => expect(await status('/readyz')).toBe(200));
      await eventually(() => expect(said).toContain('listens on'));
      child.kill('SIGTERM');
      expect([await ended, complaints]).toEqual([[143, null], '']);
      expect(lines().length).toBeGreaterThan(2);
    },
  );

  it('waits while the server refuses temporarily, does not respond or drops connections, until a signal ends it', async () => {
    const server = [
      (socket: Socket) => socket.end(refusal('57P03', 'the database system is starting up')),
      (socket: Socket) => socket.end(refusal('53300', 'sorry, too many clients already')),
      (socket: Socket) => socket.destroy(),
      () => undefined,
    ];
    let tries = 0;
    await listen((socket) => socket.once('data', () => server[tries++ % server.length]?.(socket)));
    const ended = start('platform/identity/main');
    await waits('57P03');
    await eventually(async () => expect(await status('/healthz')).toBe(200));
    await waits('53300');
    await eventually(() => expect(lines().length).toBeGreaterThan(server.length));
    expect([await status('/healthz'), await status('/readyz')]).toEqual([200, 503]);
    child.kill('SIGTERM');
    expect([await ended, complaints]).toEqual([[143, null], '']);
  });

  it('ends at once with the reason when the password is wrong', async () => {
    // A pooler of the tests takes every password.
    await listen((socket) => forward(socket, serverUrl('postgres')));
    expect(await start('platform/identity/main', databaseUrl({ password: 'wrong' }))).toEqual([1, null]);
    expect(complaints).toMatch(
      /^The identity service does not run\. PostgreSQL refuses the connection: password authentication failed .*\n$/,
    );
  });

  it('ends when a migration is missing', async () => {
    const empty = databaseUrl({ pathname: '/postgres' });
    await listen(forward);
    expect(await start('platform/identity/main', empty)).toEqual([1, null]);
    expect(complaints).toMatch(
      /^The identity service does not run\. The database has migrations that are not applied\./,
    );
    lines();
  });
});
