import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { BusinessApi } from '../support/business-api.js';
import { callOf } from '../support/call.js';
import type { SpawnedEntry } from '../support/spawn-entry.js';
import { aTrend, completes, CompletionsStandIn, TrendsWorld } from '../support/trends-world.js';
import { waitUntil } from '../support/wait-until.js';

const TOKEN = 'a-token-of-a-service-of-the-tests-1';

describe('an API that ends while a model is asked for trends', () => {
  let gateway: CompletionsStandIn;
  let api: BusinessApi;
  let world: TrendsWorld;
  let victim: SpawnedEntry;
  let held: ServerResponse[];

  beforeAll(async () => {
    gateway = await CompletionsStandIn.start();
    api = await BusinessApi.start({
      GATEWAY_URL: gateway.url,
      GATEWAY_SERVICE_TOKEN: TOKEN,
      IDENTITY_SERVICE_TOKEN: TOKEN,
      TRENDS_WAIT_MS: '60000',
    });
  });
  beforeEach(async () => {
    world = await TrendsWorld.of(api);
    held = [];
    gateway.respond = (response) => void held.push(response);
    gateway.repeated.length = 0;
    victim = await api.spawn({ TRENDS_WAIT_MS: '100', SHUTDOWN_GRACE_MS: '60000' });
    // Its client leaves with 503, and the call goes on.
    const call = callOf(victim.url, { authorization: `Bearer ${world.token}` });
    expect((await world.trends('topics=coffee', call)).status).toBe(503);
    await waitUntil(() => held.length === 1);
  });
  afterEach(() => void victim.process.kill('SIGKILL'));
  afterAll(async () => {
    await api.stop();
    await gateway.stop();
  });

  const calls = () =>
    gateway.calls.filter(({ headers }) => headers['x-organization-id'] === world.organizationId);
  const respond = (title: string) => {
    const [response] = held as [ServerResponse];
    completes([aTrend(title)])(response, response.req);
  };

  it('by SIGKILL: another process gets the same result for another person, and pays once', async () => {
    const died = once(victim.process, 'exit');
    victim.process.kill('SIGKILL');
    await died;
    await api.test.database.query(`UPDATE due_work.lease SET until = now() - interval '1 s' WHERE key = $1`, [
      `trends:${world.brandId}:model:coffee`,
    ]);
    await world.call('PUT', `/api/brands/${world.brandId}`, { name: 'Renamed' });
    const again = world.trends('topics=coffee', api.as(api.person(world.organizationId).token));
    // The first call still runs at the gateway.
    await waitUntil(() => gateway.repeated.includes(409));
    respond('Paid once');
    expect((await again).body).toMatchObject({
      data: [{ title: 'Paid once' }],
      sources: [{ state: 'fresh', failure: null }],
    });
    expect(calls()).toHaveLength(1);
    expect(new Set(gateway.repeated)).toEqual(new Set([409, 200]));
  });

  it('by SIGTERM: it stores the result first', async () => {
    const ended = once(victim.process, 'exit');
    victim.process.kill('SIGTERM');
    await waitUntil(() =>
      fetch(victim.url).then(
        () => false,
        () => true,
      ),
    );
    expect(victim.process.exitCode).toBeNull();
    respond('Stored at the end');
    expect(await ended).toEqual([143, null]);
    expect((await world.trends()).body.data).toMatchObject([{ title: 'Stored at the end' }]);
    expect([calls().length, gateway.repeated]).toEqual([1, []]);
  });
});
