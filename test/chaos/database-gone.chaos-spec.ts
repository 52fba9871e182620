import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { asService, SERVICE_TOKEN } from '../support/boot-identity.js';
import { callOf } from '../support/call.js';
import { OwnPostgres } from '../support/own-postgres.js';
import { PublishingForTests } from '../support/publishing.js';
import { type SpawnedEntry, spawnEntry } from '../support/spawn-entry.js';
import { sharedStorage } from '../support/object-storage.js';
import { createTestDatabase, type TestDatabase } from '../support/test-database.js';
import { waitUntil } from '../support/wait-until.js';
import { LoadClients, type LoadRequest, type Outcome } from '../support/load-clients.js';

const GONE_MS = 10_000;
/** Milliseconds after the outage began: earlier requests must have their response during the outage. */
const BEGINNING_MS = 2_000;
/** Health checks once a second, for up to a second; until then, or longer on a busy machine, it reports the former state. */
const HEALTH_IS_KEPT_MS = 5_000;
/** How long what happens by itself may take on a busy machine. */
const BY_ITSELF_MS = 90_000;
const EVERYTHING_STARTS_MS = 300_000;
const POSTS = 120;
const ACCOUNTS = 6;
/** Each draft is sent so often in a row, with one key: what was refused is repeated, as a client would. */
const REPETITIONS = 8;
/** Posts fall due over this long. The outage begins when some of them are published and some are being sent. */
const [FIRST_MS, LAST_MS] = [2_000, 18_000];
const MS_AHEAD = 500;
const PUBLISHED_BEFORE = 10;
/** Long for a network on loopback, so that no answer is missed for want of a processor. */
const NETWORK_TIMEOUT_MS = 4_000;

interface BadDay {
  readonly day: string;
  readonly happens: (server: OwnPostgres) => Promise<void>;
  /** Whether identity loses its database too; otherwise only the API reports the outage. */
  readonly identityToo: boolean;
  readonly leaseMs: number;
}

const BAD_DAYS: BadDay[] = [
  {
    day: 'is stopped, and identity’s with it',
    happens: (server) => server.stop(),
    identityToo: true,
    leaseMs: 30_000,
  },
  {
    day: 'is killed, and away for longer than accounts are leased',
    happens: (server) => server.kill(),
    identityToo: false,
    leaseMs: 9_000,
  },
];

describe.each(BAD_DAYS)('the database $day', ({ happens, identityToo, leaseMs }) => {
  let server: OwnPostgres;
  let elsewhere: TestDatabase;
  let world: PublishingForTests;
  const entries: SpawnedEntry[] = [];
  const visitors = new LoadClients();
  let ids: string[];
  let draftId: string;
  let away: Outcome[];
  /** When it was gone, and until when, by `performance.now()`. */
  let gone: { from: number; to: number };
  let openAtTheEnd = 0;
  let waitingAtTheEnd = 0;

  const start = async (entry: string, environment: Record<string, string>) => {
    const started = await spawnEntry(`dist/src/${entry}.js`, {
      ...{ ...world.environment, ...sharedStorage() },
      ...environment,
    });
    entries.push(started);
    return started;
  };

  const startEverything = async () => {
    const identity = await start('platform/identity/main', {
      ...{ IDENTITY_PORT: '0', IDENTITY_MANAGEMENT_PORT: '0' },
      IDENTITY_DATABASE_URL: identityToo ? server.url : elsewhere.url,
      IDENTITY_PEPPERS: `1:${Buffer.alloc(32, 7).toString('base64')}`,
      IDENTITY_SERVICE_TOKENS: `api:${SERVICE_TOKEN}`,
    });
    const ports = { API_PORT: '0', API_MANAGEMENT_PORT: '0', IDENTITY_SERVICE_TOKEN: SERVICE_TOKEN };
    const api = await start('main', { IDENTITY_URL: identity.url, IDENTITY_TIMEOUT_MS: '10000', ...ports });
    const worker = await start('worker', {
      API_INTERNAL_URL: api.managementUrl,
      WORKER_MANAGEMENT_PORT: '0',
    });
    return { identity, api, worker };
  };

  /** As many at once as there are accounts, because the clients are at it already. */
  const schedule = async (): Promise<string[]> => {
    const begun = performance.now();
    const perAccount = Array.from({ length: ACCOUNTS }, async (_, account) => {
      const { brandId } = await world.connectedBrand();
      const mine: string[] = [];
      for (let index = account; index < POSTS; index += ACCOUNTS) {
        const dueMs = FIRST_MS + (index / POSTS) * (LAST_MS - FIRST_MS);
        const inMs = Math.max(MS_AHEAD, dueMs - (performance.now() - begun));
        mine.push(await world.schedule({ brandId, inMs }));
      }
      return mine;
    });
    return (await Promise.all(perAccount)).flat();
  };

  const letThemIn = async ({ identity, api, worker }: Awaited<ReturnType<typeof startEverything>>) => {
    const account = { email: 'ada@example.com', password: 'correct horse battery staple', name: 'Ada' };
    const nobody = (url: string) => callOf(url, {});
    const registered = await nobody(identity.url)('POST', '/register', {
      ...account,
      createOrganization: true,
    });
    const authorization = `Bearer ${registered.body.accessToken as string}`;
    const person = callOf(api.url, { authorization });
    const brandId = (await person('POST', '/api/brands', { name: 'Acme' })).body.id as string;
    const post = (text: string) => ({ brandId, platform: 'x', text });
    draftId = (await person('POST', '/api/posts', post('Edited again and again'))).body.id as string;
    const [own, item] = [`/api/posts/${draftId}`, `/api/content-ops/items/${draftId}`];
    visitors.send('reader', person, [
      ...['/api/posts', '/api/brands', '/api/integrations', '/api/widget', own, item].map(get),
      ...['queue', 'daily', 'events'].map((list) => get(`/api/content-ops/${list}`)),
    ]);
    visitors.send(
      'writer',
      person,
      Array.from({ length: 100 * REPETITIONS }, (_, index) => {
        const draft = `Draft ${Math.floor(index / REPETITIONS)}`;
        const headers = () => ({ 'idempotency-key': draft.replace(' ', '-') });
        return { method: 'POST', path: '/api/posts', body: () => post(draft), headers };
      }),
    );
    visitors.send('editor', person, [
      { method: 'PUT', path: own, body: () => ({ title: randomUUID() }) },
      { method: 'PATCH', path: item, body: () => ({ text: `Text ${randomUUID()}` }) },
    ]);
    visitors.send(
      identityToo ? 'identity' : 'identity, elsewhere',
      callOf(identity.url, { authorization, ...asService }),
      ['/api/auth/me', '/api/organizations', '/validate?service=social-publishing'].map(get),
    );
    const probed = { api, worker, ...(identityToo && { identity }) };
    for (const [name, { url, managementUrl }] of Object.entries(probed)) {
      visitors.send(`${name} probe`, nobody(url), PROBES);
      visitors.send(`${name} management probe`, nobody(managementUrl), PROBES);
    }
  };

  const count = async (sql: string): Promise<number> => {
    const [row] = await world.test.database.query<{ count: number }>(`SELECT count(*)::int AS count ${sql}`);
    return row?.count ?? 0;
  };
  const isServed = ({ answer }: Outcome) => answer !== undefined && answer.status < 300;
  const isProbe = ({ what }: Outcome) => what.includes(' probe');
  /** The key of a request that was cut: held until its lease has run out. */
  const isStillHeld = ({ answer }: Outcome) => answer?.body?.code === 'idempotent_request_running';
  const clientOf = ({ what }: Outcome) => what.split(':', 1)[0];
  const isFresh = ({ at }: Outcome) => at > gone.from + HEALTH_IS_KEPT_MS;
  const needsNoDatabase = ({ what }: Outcome) => /\/healthz$|elsewhere/.test(what);

  beforeAll(async () => {
    server = await OwnPostgres.start();
    elsewhere = await createTestDatabase();
    world = await PublishingForTests.start(
      {
        PUBLISH_LEASE_MS: String(leaseMs),
        NETWORK_TIMEOUT_MS: String(NETWORK_TIMEOUT_MS),
        LOG_LEVEL: 'fatal',
      },
      await server.test(),
    );
    await world.sandbox.fault({ kind: 'delay-after-effect', delayMs: 200 });
    await letThemIn(await startEverything());
    ids = await schedule();

    const published = `FROM events.event WHERE type = 'PostPublished'`;
    await waitUntil(async () => (await count(published)) >= PUBLISHED_BEFORE, BY_ITSELF_MS);
    waitingAtTheEnd = await count('FROM posts.publication WHERE attempt_id IS NULL');
    const isOpen = 'FROM posts.publication WHERE attempt_id IS NOT NULL';
    await waitUntil(async () => (openAtTheEnd = await count(isOpen)) > 0, BY_ITSELF_MS);
    await happens(server);
    const from = performance.now();
    await pause(GONE_MS);
    gone = { from, to: performance.now() };
    away = visitors.between(gone.from, gone.to).filter(({ at, ms }) => at + ms < gone.to);
    await server.startAgain();
  }, EVERYTHING_STARTS_MS);

  afterAll(async () => {
    await visitors.leave();
    for (const { process } of entries) process.kill('SIGKILL');
    await world.stop();
    await elsewhere.drop();
    await server.tearDown();
  });

  it('serves every client again after it returns, without a restart of any process', async () => {
    const back = performance.now();
    const names = [...new Set(visitors.met.map(({ what }) => what))];
    const unserved = () => {
      const served = visitors.between(back, Infinity).filter(isServed);
      return names.filter((name) => !served.some(({ what }) => what === name));
    };
    await waitUntil(() => unserved().length === 0, BY_ITSELF_MS).catch(() => undefined);
    expect(unserved()).toEqual([]);
    for (const { process, complaints } of entries) {
      expect([process.exitCode, process.signalCode, complaints()]).toEqual([null, null, '']);
    }
  });

  it('publishes every post once, also posts that became due or were being sent during the outage', async () => {
    expect(openAtTheEnd).toBeGreaterThan(0);
    expect(waitingAtTheEnd).toBeGreaterThan(0);
    await waitUntil(async () => (await count('FROM posts.publication')) === 0, BY_ITSELF_MS);
    const failures = await Promise.all(ids.map((id) => world.failureOf(id)));
    expect(failures.filter((failure) => failure !== undefined)).toEqual([]);
    expect(await world.published()).toEqual(Object.fromEntries(ids.map((id) => [`Post ${id}`, 1])));
  });

  it('leaves no request waiting: each succeeds or gets a 503 problem with Retry-After', async () => {
    await visitors.leave();
    expect(visitors.met.filter(({ answer }) => answer === undefined)).toEqual([]);
    const beginning = visitors.between(gone.from, gone.from + BEGINNING_MS);
    expect(new Set(beginning.map(clientOf)).size).toBeGreaterThan(0);
    expect(beginning.filter(({ at, ms }) => at + ms > gone.to)).toEqual([]);
    const odd = visitors.met.filter(
      (met) => !isServed(met) && !isStillHeld(met) && met.answer?.status !== 503,
    );
    expect(odd).toEqual([]);
    const refused = visitors.met.filter((met) => met.answer?.status === 503 && !isProbe(met));
    expect(new Set(refused.map(clientOf))).toEqual(
      new Set(['reader', 'writer', 'editor', ...(identityToo ? ['identity'] : [])]),
    );
    const code = identityToo ? expect.stringMatching(/^(database|identity)_/) : 'database_unavailable';
    for (const { answer } of refused) {
      expect(answer?.headers.get('content-type')).toMatch(/^application\/problem\+json/);
      expect(Number(answer?.headers.get('retry-after'))).toBeGreaterThan(0);
      expect(answer?.body).toMatchObject({ status: 503, code, requestId: expect.any(String) });
    }
  });

  it('affects every request that needs it, and no other request', () => {
    const [fine, troubled] = [away.filter(needsNoDatabase), away.filter((met) => !needsNoDatabase(met))];
    expect(fine.filter((met) => !isServed(met))).toEqual([]);
    const asked = troubled.filter((met) => !isProbe(met) || isFresh(met));
    expect(asked.filter(isServed)).toEqual([]);
    // Each client got a response, and each that needs no database was served.
    const clients = new Set(visitors.met.map(clientOf));
    expect(new Set([...asked, ...fine].map(clientOf))).toEqual(clients);
  });

  it('is named by health without its address', () => {
    const reports = away.filter((met) => / probe: GET \/health$/.test(met.what) && isFresh(met));
    expect(new Set(reports.map(({ what }) => what.split(' ')[0])).size).toBe(identityToo ? 3 : 2);
    for (const { answer } of reports) {
      expect(answer?.status).toBe(503);
      expect(answer?.body).toMatchObject({ status: 'error', error: { database: { status: 'down' } } });
      expect(answer?.text).not.toContain(new URL(server.url).port);
    }
  });

  it('stores each acknowledged write once, and each refused write at most once', async () => {
    const created = visitors.met.filter((met) => met.what.startsWith('writer') && isServed(met));
    const told = new Map(
      created.map(({ answer }) => [answer?.body.text as string, answer?.body.id as string]),
    );
    const rows = await world.test.database.query<{ id: string; text: string }>(
      `SELECT id, details->>'text' AS text FROM posts.post_view WHERE details->>'text' LIKE 'Draft %'`,
    );
    const stored = new Map(rows.map(({ id, text }) => [text, id]));
    expect(told.size).toBeGreaterThan(1);
    expect(rows).toHaveLength(stored.size);
    expect(Object.fromEntries(stored)).toMatchObject(Object.fromEntries(told));
    // Refused, and yet stored: what was being committed just then.
    expect(stored.size - told.size).toBeLessThanOrEqual(1);

    const edits = visitors.met.filter((met) => met.what.startsWith('editor') && isServed(met)).length;
    const edited = await count(`FROM events.event WHERE stream = '${draftId}' AND type = 'PostEdited'`);
    expect([edits, edits + 1]).toContain(edited);
  });

  it('has every event in the audit once, in complete chains', async () => {
    const missing = `FROM events.event e WHERE NOT EXISTS (SELECT FROM content_ops.audit_event a WHERE a.event_id = e.id)`;
    await waitUntil(async () => (await count(missing)) === 0, BY_ITSELF_MS);
    expect(await count('FROM content_ops.audit_event')).toBe(await count('FROM events.event'));
    expect(await world.test.database.query('SELECT * FROM content_ops.audit_faults()')).toEqual([]);
  });
});

const get = (path: string): LoadRequest => ({ method: 'GET', path });
const PROBES = ['/health', '/readyz', '/healthz'].map(get);
