import { setTimeout as delay } from 'node:timers/promises';
import { jest } from '@jest/globals';
import { Database, DatabaseModule } from '#libs/database';
import { httpMigrations, type RunningService } from '#libs/http';
import { createTestDatabase, type TestDatabase } from '../support/test-database.js';
import { ExpiredRequestsSweep } from '../../libs/http/src/service/expired-requests.sweep.js';
import { FAKE_INTERVALS } from '../support/fake-intervals.js';
import { waitUntil } from '../support/wait-until.js';
import {
  call,
  type SampleResponse,
  script,
  startSample,
  ThingIsFrozen,
  ThingIsNotConfigured,
  withEffects,
} from './http-sample.js';

describe('Idempotency-Key', () => {
  let test: TestDatabase;
  let service: RunningService;

  beforeAll(async () => {
    test = await createTestDatabase();
    await test.database.query('CREATE TABLE effect (name text)');
    const database = DatabaseModule.forRoot({ ...test.settings, poolSize: 10 }, httpMigrations);
    service = await startSample({ RATE_LIMIT_PER_MINUTE: '0' }, withEffects(database));
  });
  beforeEach(async () => {
    await test.database.query('TRUNCATE effect, http.idempotent_request');
    script.calls = 0;
    script.before = async () => {};
  });
  afterAll(async () => {
    await service.close();
    await test.drop();
  });

  const post = (
    key: string | undefined,
    name = 'a',
    options: { caller?: string; path?: string; json?: unknown } = {},
  ) =>
    call(service.url + (options.path ?? '/effects'), {
      method: 'POST',
      json: options.json ?? { name },
      headers: {
        ...(key ? { 'Idempotency-Key': key } : {}),
        Authorization: `Bearer ${options.caller ?? 'ann'}`,
      },
    });
  const effects = async () =>
    (await test.database.query<{ name: string }>('SELECT name FROM effect ORDER BY name')).map(
      (row) => row.name,
    );
  const replayed = ({ headers }: SampleResponse) => headers.get('idempotent-replayed');

  it('changes nothing for requests without a key', async () => {
    expect((await Promise.all([post(undefined), post(undefined)])).map(({ status }) => status)).toEqual([
      201, 201,
    ]);
    expect(await effects()).toEqual(['a', 'a']);
  });

  it('replays the same bytes and headers, marked, without another effect', async () => {
    const first = await post('key-1');
    const again = await post('key-1', 'a', { json: '{ "name" : "a" }' });
    expect([first.status, replayed(first)]).toEqual([201, null]);
    expect([again.status, again.text, replayed(again)]).toEqual([201, first.text, 'true']);
    for (const name of ['location', 'etag', 'content-type']) {
      expect([name, again.headers.get(name)]).toEqual([name, first.headers.get(name)]);
    }
    expect(again.headers.get('etag')).toBe('"v1"');
    expect(again.headers.get('x-request-id')).not.toBe(first.headers.get('x-request-id'));
    expect([await effects(), script.calls]).toEqual([['a'], 1]);
  });

  it('separates the keys of services on one database', async () => {
    const database = DatabaseModule.forRoot({ ...test.settings, poolSize: 3 }, httpMigrations);
    const other = await startSample({ RATE_LIMIT_PER_MINUTE: '0' }, withEffects(database), 'another');
    const headers = { 'Idempotency-Key': 'key-1', Authorization: 'Bearer ann' };
    await post('key-1');
    const answer = await call(`${other.url}/effects`, { method: 'POST', json: { name: 'b' }, headers });
    await other.close();
    expect([answer.status, replayed(answer)]).toEqual([201, null]);
    expect(await effects()).toEqual(['a', 'b']);
  });

  it('takes the quoted form of a key for the same key', async () => {
    await post('key-1');
    expect(replayed(await post('"key-1"'))).toBe('true');
  });

  it('belongs to one caller, one path and one body', async () => {
    await post('key-1');
    expect(replayed(await post('key-1', 'a', { caller: 'bob' }))).toBeNull();
    expect((await post('key-1', 'b')).body).toMatchObject({ status: 422, code: 'idempotency_key_reused' });
    expect((await post('key-1', 'a', { path: '/effects?x=1' })).status).toBe(422);
    expect((await post('key-1', 'a', { path: '/effects/moving' })).body.code).not.toBe(
      'idempotency_key_reused',
    );
  });

  it.each(['', 'x'.repeat(256), 'with space', 'k\u00e4y'])('refuses the key "%s"', async (key) => {
    const answer = await call(`${service.url}/effects`, {
      method: 'POST',
      json: { name: 'a' },
      headers: { 'Idempotency-Key': key },
    });
    expect(answer.body).toMatchObject({
      code: 'idempotency_key_not_valid',
      errors: [{ header: 'Idempotency-Key' }],
    });
    expect(await effects()).toEqual([]);
  });

  it('takes keys of 255 characters', async () => {
    expect((await post('~'.repeat(255))).status).toBe(201);
  });

  it('runs one of many concurrent requests; the others get 409, then a replay', async () => {
    script.before = () => delay(1_500);
    const answers = await Promise.all(Array.from({ length: 8 }, () => post('key-1')));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array<number>(7).fill(409)]);
    const told = answers.find(({ status }) => status === 409);
    expect([told?.body.code, told?.headers.get('retry-after')]).toEqual(['idempotent_request_running', '1']);
    expect(await effects()).toEqual(['a']);
    expect(replayed(await post('key-1'))).toBe('true');
  });

  it('stores a final refusal byte for byte, and rolls back earlier writes', async () => {
    script.before = () => Promise.reject(new ThingIsFrozen('Frozen.', { members: { since: 3 } }));
    const first = await post('key-1');
    script.before = async () => {};
    const again = await post('key-1');
    expect([first.status, again.status, replayed(again)]).toEqual([409, 409, 'true']);
    expect(again.text).toBe(first.text);
    expect(again.headers.get('content-type')).toBe('application/problem+json; charset=utf-8');
    expect([await effects(), script.calls]).toEqual([[], 1]);
  });

  it('keeps a validation error too', async () => {
    const first = await post('key-1', 'a', { json: { nome: 'a' } });
    const again = await post('key-1', 'a', { json: { nome: 'a' } });
    expect([first.status, again.text, replayed(again)]).toEqual([400, first.text, 'true']);
  });

  it('frees the key after a refusal that is not final', async () => {
    script.before = () => Promise.reject(new ThingIsNotConfigured('Configure it.'));
    expect((await post('key-1')).status).toBe(422);
    script.before = async () => {};
    const again = await post('key-1');
    expect([again.status, replayed(again), await effects()]).toEqual([201, null, ['a']]);
  });

  it('frees the key after a fault of ours, and leaves no half effect', async () => {
    script.before = () => Promise.reject(new Error('broken'));
    expect((await post('key-1')).status).toBe(500);
    expect(await effects()).toEqual([]);
    script.before = async () => {};
    expect([(await post('key-1')).status, await effects()]).toEqual([201, ['a']]);
  });

  it('repeats the whole handler in a new transaction when it lost a race', async () => {
    const answer = await post('key-1', 'a', { path: '/effects/moving' });
    expect([answer.status, answer.body, await effects()]).toEqual([202, { calls: 3 }, ['call 3']]);
    const again = await post('key-1', 'a', { path: '/effects/moving' });
    expect([again.status, again.text, replayed(again)]).toEqual([202, answer.text, 'true']);
  });

  it('gives up after losing a few races, and frees the key', async () => {
    script.calls = -100;
    const answer = await post('key-1', 'a', { path: '/effects/moving' });
    expect([answer.status, answer.body.code, script.calls]).toEqual([409, 'stream_has_moved', -95]);
    expect(await test.database.query('SELECT FROM http.idempotent_request')).toEqual([]);
  });

  /** The process died after claiming the key: the row says running, and its lease has run out. */
  const abandon = async () => {
    script.before = () => Promise.reject(new Error('dies'));
    await post('key-1');
    script.before = async () => {};
    await test.database.query(
      `INSERT INTO http.idempotent_request
       SELECT $1, $2, gen_random_uuid(), now() - interval '1 s', NULL, now() + interval '1 h'`,
      await claimed(),
    );
  };
  /** Key and fingerprint of ann's `{"name":"a"}` under key-1, as the service computes them. */
  const claimed = async () => {
    await post('key-1');
    const [row] = await test.database.query<{ key: Buffer; fingerprint: Buffer }>(
      'DELETE FROM http.idempotent_request RETURNING key, fingerprint',
    );
    await test.database.query('TRUNCATE effect');
    return [row?.key, row?.fingerprint];
  };

  it('takes over from an interrupted request when its lease has expired', async () => {
    await abandon();
    expect([(await post('key-1')).status, await effects()]).toEqual([201, ['a']]);
  });

  it('does not take over for another body', async () => {
    await abandon();
    expect((await post('key-1', 'b')).status).toBe(422);
  });

  it('does not commit the effect of a request whose lease was taken over', async () => {
    let first = true;
    let overtaking: Promise<SampleResponse> | undefined;
    script.before = async () => {
      if (!first) return;
      first = false;
      await test.database.query(`UPDATE http.idempotent_request SET lease_until = now() - interval '1 s'`);
      overtaking = post('key-1');
      await overtaking;
    };
    const frozen = await post('key-1');
    expect([frozen.status, (await overtaking)?.status]).toEqual([409, 201]);
    expect([await effects(), script.calls]).toEqual([['a'], 2]);
  });

  describe('held by a slow request', () => {
    const LEASE = 15;
    const RENEWED_AFTER_MS = 5_000;
    let holding: Promise<SampleResponse>;
    let release: () => void;

    beforeEach(async () => {
      jest.useFakeTimers(FAKE_INTERVALS);
      const gate = Promise.withResolvers<void>();
      release = gate.resolve;
      script.before = () => (script.calls === 1 ? gate.promise : Promise.resolve());
      holding = post('key-1');
      await waitUntil(() => script.calls === 1);
    });
    afterEach(async () => {
      release();
      await holding;
      jest.useRealTimers();
    });

    /** As if this time had passed for the database. */
    const pass = (seconds: number) =>
      test.database.query(
        `UPDATE http.idempotent_request SET lease_until = lease_until - $1 * interval '1 s'`,
        [seconds],
      );
    const secondsLeft = async () => {
      const [row] = await test.database.query<{ left: number }>(
        'SELECT extract(epoch FROM lease_until - now())::float8 AS left FROM http.idempotent_request',
      );
      return row?.left ?? 0;
    };

    it('can be repeated 15 seconds after its process died', async () => {
      expect((await post('key-1')).status).toBe(409);
      await pass(LEASE);
      expect((await post('key-1')).status).toBe(201);
      release();
      expect((await holding).body.code).toBe('idempotent_request_running');
      expect(await effects()).toEqual(['a']);
    });

    it('stays taken while its process renews the lease', async () => {
      for (let renewals = 1; renewals <= 4; renewals += 1) {
        await pass(RENEWED_AFTER_MS / 1_000);
        jest.advanceTimersByTime(RENEWED_AFTER_MS);
        await waitUntil(async () => (await secondsLeft()) > LEASE - RENEWED_AFTER_MS / 1_000, 10_000);
        expect((await post('key-1')).body.code).toBe('idempotent_request_running');
      }
      release();
      expect([(await holding).status, script.calls, await effects()]).toEqual([201, 1, ['a']]);
    });
  });

  it('forgets after a day, and a sweep removes what is forgotten', async () => {
    await post('key-1');
    await post('key-2');
    const age = `UPDATE http.idempotent_request SET expires_at = expires_at - interval '24 h 1 s'`;
    await test.database.query(age);
    expect(replayed(await post('key-1', 'b'))).toBeNull();
    await service.app.get(ExpiredRequestsSweep).tick();
    expect(await test.database.query('SELECT FROM http.idempotent_request')).toHaveLength(1);
  });
  describe('with a backlog of expired keys', () => {
    const backlog = (rows: number) =>
      test.database.query(
        `INSERT INTO http.idempotent_request (key, fingerprint, owner, lease_until, expires_at)
         SELECT sha256(n::text::bytea), '', gen_random_uuid(), now(), now() - interval '1 h'
         FROM generate_series(1, $1::int) AS n`,
        [rows],
      );
    const left = () => test.database.query('SELECT FROM http.idempotent_request');

    it('forgets all of it, and looks no more after a pass that was not full', async () => {
      await backlog(12_000);
      const asked = jest.spyOn(service.app.get(Database), 'query');
      await service.app.get(ExpiredRequestsSweep).tick();
      expect(await left()).toEqual([]);
      // Three passes over keys and counters.
      expect(asked).toHaveBeenCalledTimes(6);
      asked.mockRestore();
    });

    it('ends its sweep after the pass that runs when the service ends', async () => {
      await backlog(30_000);
      const database = service.app.get(Database);
      const sweep = new ExpiredRequestsSweep(database);
      const sweeping = sweep.tick();
      await sweep.beforeApplicationShutdown();
      await sweeping;
      expect(await left()).toHaveLength(25_000);
    });
  });
});
