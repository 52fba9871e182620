import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { type AiWorld, completes, openAiWorld } from '../support/ai-world.js';
import { spendWorld } from '../support/spend-world.js';
import { type SpawnedEntry, spawnEntry } from '../support/spawn-entry.js';
import { waitUntil } from '../support/wait-until.js';

const ENTRY = 'dist/src/platform/gateway/main.js';

describe('a gateway that is killed during a call to a provider', () => {
  let world: AiWorld;
  let victim: SpawnedEntry;
  let headers: Record<string, string>;
  const organizationId = randomUUID();

  beforeAll(async () => {
    world = await openAiWorld();
    await world.model('openai/first');
    await world.credential({ provider: 'openai', organizationId });
    await world.prefer(organizationId, { default: 'openai/first' });
    headers = await world.gateway.headers({ organizationId });
    victim = await spawnEntry(ENTRY, world.gateway.environment);
  });
  afterAll(async () => {
    victim.process.kill('SIGKILL');
    await world.close();
  });

  const complete = (url: string, more: Record<string, string> = {}) =>
    fetch(`${url}/api/ai/completions`, {
      method: 'POST',
      headers: { ...headers, ...more, 'content-type': 'application/json' },
      body: JSON.stringify({ messages: [{ role: 'user', content: 'Hello' }], maxTokens: 800 }),
    });
  const reserved = async () => {
    const rows = await world.gateway.test.database.query<{ state: string; cost: string | null }>(
      `SELECT state, cost::text FROM gateway.usage WHERE organization_id = $1 ORDER BY id`,
      [organizationId],
    );
    return rows.map(({ state, cost }) => [state, cost]);
  };

  it('keeps its reservation, which a sweep settles once as unknown; the same key works on another replica', async () => {
    const { database } = world.gateway.test;
    const waiting: ServerResponse[] = [];
    world.openai.respond((response) => void waiting.push(response));
    const key = { 'idempotency-key': randomUUID() };
    const lost = complete(victim.url, key).catch(() => 'lost');
    await waitUntil(() => waiting.length > 0);
    victim.process.kill('SIGKILL');
    expect(await lost).toBe('lost');
    expect(await reserved()).toEqual([['reserved', null]]);

    await database.query(`UPDATE gateway.usage SET reserved_at = now() - interval '1 hour'`);
    const sweeps = [spendWorld(world.gateway.test), spendWorld(world.gateway.test)];
    const settled = await Promise.all(sweeps.map((sweep) => sweep.sweep()));
    expect(settled.reduce((sum, each) => sum + each)).toBe(1);
    expect(await reserved()).toEqual([['unknown', null]]);

    world.openai.respond(completes('Hello.'));
    await database.query(`UPDATE http.idempotent_request SET lease_until = now() - interval '1 s'`);
    const again = await complete(world.gateway.service.url, key);
    expect([again.status, ((await again.json()) as { text: string }).text]).toEqual([200, 'Hello.']);
    await world.usage(organizationId);
    expect(await reserved()).toEqual([
      ['unknown', null],
      ['done', '1000000'],
    ]);
  });
});
