import { setTimeout as delay } from 'node:timers/promises';
import { DatabaseModule } from '#libs/database';
import { httpMigrations, type RunningService } from '#libs/http';
import { createTestDatabase, type TestDatabase } from '../support/test-database.js';
import { ExpiredRequestsSweep } from '../../libs/http/src/service/expired-requests.sweep.js';
import { call, startSample, withEffects } from './http-sample.js';

describe('rate limits', () => {
  let test: TestDatabase;
  const services: RunningService[] = [];

  beforeAll(async () => (test = await createTestDatabase()));
  afterEach(async () => {
    for (const service of services.splice(0)) await service.close();
    await test.database.query('TRUNCATE http.rate_limit');
  });
  afterAll(() => test.drop());

  const start = async (limit: number, name?: string, ofOrganization = 0) => {
    const database = DatabaseModule.forRoot({ ...test.settings, poolSize: 3 }, httpMigrations);
    const environment = {
      RATE_LIMIT_PER_MINUTE: String(limit),
      RATE_LIMIT_PER_ORGANIZATION: String(ofOrganization),
    };
    const service = await startSample(environment, withEffects(database), name);
    services.push(service);
    return service;
  };
  const get = (service: RunningService, caller = 'ann', path = '/things/context') =>
    call(service.url + path, { headers: caller ? { Authorization: `Bearer ${caller}` } : {} });
  const signIn = (service: RunningService) =>
    call(`${service.url}/things/sign-in`, { method: 'POST', json: {} });

  it('report policy and remaining requests, in both header forms', async () => {
    const { headers } = await get(await start(1000));
    expect(headers.get('ratelimit-policy')).toBe('"default";q=1000;w=60');
    expect(headers.get('ratelimit')).toMatch(/^"default";r=999;t=(60|59)$/);
    expect([headers.get('x-ratelimit-limit'), headers.get('x-ratelimit-remaining')]).toEqual(['1000', '999']);
    expect(Number(headers.get('x-ratelimit-reset'))).toBeGreaterThan(50);
  });

  it('refuse with 429, Retry-After and the violated policy', async () => {
    const service = await start(3);
    const statuses = [];
    for (let index = 0; index < 4; index += 1) statuses.push((await get(service)).status);
    expect(statuses).toEqual([200, 200, 200, 429]);
    const refused = await get(service);
    expect(refused.body).toMatchObject({
      type: 'https://iana.org/assignments/http-problem-types#quota-exceeded',
      code: 'rate_limited',
      'violated-policies': ['default'],
    });
    expect(refused.headers.get('content-type')).toBe('application/problem+json; charset=utf-8');
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(50);
    expect(refused.headers.get('ratelimit')).toMatch(/^"default";r=0;t=\d+$/);
  });

  it('count callers separately: the guard runs after authentication', async () => {
    const service = await start(1);
    const statuses = [];
    for (const caller of ['ann', 'bob', 'ann', '']) statuses.push((await get(service, caller)).status);
    expect(statuses).toEqual([200, 200, 429, 200]);
  });

  it('count what automates an organization together, and people by themselves', async () => {
    const service = await start(2, undefined, 3);
    const statusOf = async (caller: string) => (await get(service, caller)).status;
    for (const caller of ['one@acme', 'one@acme', 'two@acme']) expect(await statusOf(caller)).toBe(200);
    const refused = await get(service, 'three@acme');
    expect([refused.status, refused.body['violated-policies']]).toEqual([429, ['organization']]);
    expect(refused.headers.get('ratelimit')).toMatch(/^"organization";r=0;t=\d+$/);
    expect([await statusOf('four@other'), await statusOf('ann')]).toEqual([200, 200]);
  });

  it('leave the quota of an organization to others when one of its callers sends too much', async () => {
    const service = await start(1, undefined, 2);
    const statuses = [];
    for (const caller of ['one@acme', 'one@acme', 'one@acme', 'two@acme'])
      statuses.push((await get(service, caller)).status);
    expect(statuses).toEqual([200, 429, 429, 200]);
  });

  it('report the limit with the least remaining requests', async () => {
    const policyOf = async (service: RunningService) =>
      (await get(service, 'one@acme')).headers.get('ratelimit-policy');
    expect(await policyOf(await start(1000, 'wide', 100))).toBe('"organization";q=100;w=60');
    expect(await policyOf(await start(100, 'narrow', 1000))).toBe('"default";q=100;w=60');
  });

  it('hold over all replicas together, also under concurrency', async () => {
    const replicas = [await start(250), await start(250)];
    const requests = Array.from({ length: 400 }, (_, index) => get(replicas[index % 2] as RunningService));
    const allowed = (await Promise.all(requests)).filter(({ status }) => status === 200).length;
    expect(allowed).toBeLessThanOrEqual(250);
    expect(allowed).toBeGreaterThanOrEqual(240);
  });

  it('are each service’s own, also on one database', async () => {
    const [small, large] = [await start(1), await start(1000, 'another')];
    expect((await get(small)).status).toBe(200);
    expect((await get(large)).headers.get('x-ratelimit-remaining')).toBe('999');
    expect((await get(small)).status).toBe(429);
  });

  it('query the database once per hundredth of the limit', async () => {
    const service = await start(1000);
    for (let index = 0; index < 25; index += 1) await get(service);
    expect(await test.database.query('SELECT points FROM http.rate_limit')).toEqual([{ points: 3 }]);
  });

  it('do not count what is refused for its credentials to the caller, and limit no metrics', async () => {
    const service = await start(20);
    await get(service, 'nobody');
    expect((await get(service)).headers.get('x-ratelimit-remaining')).toBe('19');
    const statuses = [];
    for (let index = 0; index < 3; index += 1)
      statuses.push((await call(`${service.managementUrl}/metrics`)).status);
    expect(statuses).toEqual([200, 200, 200]);
  });

  it('slow down wrong credentials of an address, and accept valid ones of it', async () => {
    const service = await start(20);
    expect([(await get(service, 'nobody')).status, (await get(service, 'nobody')).status]).toEqual([
      401, 401,
    ]);
    // Counted after the answer is sent.
    while ((await get(service, 'nobody')).status === 401) await delay(20);
    const refused = await get(service, 'nobody');
    expect(refused.body).toMatchObject({ status: 429, 'violated-policies': ['refused-credentials'] });
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(50);
    expect(refused.headers.has('www-authenticate')).toBe(false);
    expect((await get(service)).status).toBe(200);
  });

  it('neither count nor stop routes that are never limited, and internal ones', async () => {
    const service = await start(20);
    const refusals = [];
    for (let index = 0; index < 5; index += 1)
      refusals.push((await get(service, '', '/things/validate')).status);
    expect(refusals).toEqual([401, 401, 401, 401, 401]);
    await delay(100);
    expect((await get(service)).status).toBe(200);
    while ((await get(service, 'nobody')).status === 401) await delay(20);
    expect((await get(service, '', '/things/validate')).status).toBe(401);
    expect((await call(`${service.managementUrl}/internal/secret`)).status).toBe(200);
  });

  it('let a route define its own limit per address', async () => {
    const service = await start(100);
    const statuses = [];
    for (let index = 0; index < 3; index += 1) statuses.push((await signIn(service)).status);
    expect(statuses).toEqual([200, 200, 429]);
    expect((await get(service, 'bob')).status).toBe(200);
  });

  it('hold per process while the counters cannot be reached', async () => {
    const service = await start(2);
    await test.database.query('ALTER TABLE http.rate_limit RENAME TO away');
    try {
      const statuses = [];
      for (let index = 0; index < 3; index += 1) statuses.push((await get(service)).status);
      expect(statuses).toEqual([200, 200, 429]);
    } finally {
      await test.database.query('ALTER TABLE http.away RENAME TO rate_limit');
    }
  });

  it('can be switched off', async () => {
    const { headers } = await get(await start(0));
    expect(headers.has('ratelimit')).toBe(false);
  });

  it('leave nothing of past windows behind after a sweep', async () => {
    const service = await start(10);
    await get(service);
    await get(service, 'bob');
    await test.database.query(
      `UPDATE http.rate_limit SET expire = expire - 1e7::bigint WHERE key LIKE '%bob'`,
    );
    await service.app.get(ExpiredRequestsSweep).tick();
    expect(await test.database.query('SELECT key FROM http.rate_limit')).toEqual([
      { key: 'sample:default:user:ann' },
    ]);
  });
});
