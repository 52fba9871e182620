import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import type { AiWorld } from '../support/ai-world.js';
import { delta, openAiWorld, terminal } from '../support/ai-world.js';
import { OpenedStreams } from '../support/opened-streams.js';
import type { SpawnedEntry } from '../support/spawn-entry.js';
import { spawnEntry } from '../support/spawn-entry.js';
import { waitUntil } from '../support/wait-until.js';

const ENTRY = 'dist/src/platform/gateway/main.js';
/** As many as a small machine opens in a second or two. docs/performance.md has the measurement with 10 000. */
const MAX_STREAMS = 200;
const EXCESS = 100;

describe('more streams at once than a process serves', () => {
  let world: AiWorld;
  let entry: SpawnedEntry;
  let streams: OpenedStreams;
  const organizationId = randomUUID();
  /** Responses of the provider. */
  let upstream: ServerResponse[] = [];

  beforeAll(async () => {
    world = await openAiWorld();
    await world.model('openai/first');
    await world.credential({ provider: 'openai', organizationId });
    await world.prefer(organizationId, { default: 'openai/first' });
    entry = await spawnEntry(ENTRY, { ...world.gateway.environment, AI_MAX_STREAMS: String(MAX_STREAMS) });
    streams = new OpenedStreams(
      `${entry.url}/api/ai/completions`,
      await world.gateway.headers({ organizationId }),
    );
  });
  afterAll(async () => {
    entry.process.kill('SIGKILL');
    streams.close();
    await world.close();
  });
  beforeEach(() => {
    upstream = [];
    world.openai.respond((response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' }).write(delta('Hello'));
      upstream.push(response);
    });
  });

  const settled = async () => {
    const rows = await world.usage(organizationId);
    return Object.groupBy(rows, ({ state }) => state);
  };

  it('are refused with 429 without a call or a reservation, and the others end whole', async () => {
    const opened = await streams.open(MAX_STREAMS + EXCESS);
    const [served, refused] = [200, 429].map((status) =>
      opened.filter(({ statusCode }) => statusCode === status),
    );
    expect([served?.length, refused?.length]).toEqual([MAX_STREAMS, EXCESS]);
    expect(new Set(refused?.map(({ headers }) => headers['retry-after']))).toEqual(new Set(['1']));
    for (const each of refused ?? [])
      expect(JSON.parse(await streams.textOf(each))).toMatchObject({ code: 'too_many_streams' });
    expect(upstream).toHaveLength(MAX_STREAMS);
    const texts = served?.map((each) => streams.textOf(each)) ?? [];
    for (const response of upstream) response.end(delta(' and more') + terminal);
    for (const text of await Promise.all(texts)) expect(text).toMatch(/and more[^]*event: end/);
    const { done, ...others } = await settled();
    expect([done?.length, Object.keys(others)]).toEqual([MAX_STREAMS, []]);
  });

  it('free their slots, calls and reservations when their callers leave, before the first content or after it', async () => {
    const silent: ServerResponse[] = [];
    let calls = 0;
    world.openai.respond((response) => {
      calls += 1;
      if (calls % 2) silent.push(response);
      else response.writeHead(200, { 'content-type': 'text/event-stream' }).write(delta('Hello'));
      upstream.push(response);
    });
    const waiting = Array.from({ length: MAX_STREAMS }, () => streams.begin());
    await waitUntil(() => upstream.length === MAX_STREAMS, 20_000);
    for (const each of waiting) each.destroy();
    await waitUntil(() => upstream.every(({ destroyed }) => destroyed), 20_000);
    expect(silent).toHaveLength(MAX_STREAMS / 2);
    const { estimated, unknown } = await settled();
    expect((estimated?.length ?? 0) + (unknown?.length ?? 0)).toBe(MAX_STREAMS);
    expect(unknown?.length).toBeGreaterThanOrEqual(MAX_STREAMS / 2);

    upstream = [];
    world.openai.respond((response) =>
      response.writeHead(200, { 'content-type': 'text/event-stream' }).end(delta('x') + terminal),
    );
    const again = await streams.open(MAX_STREAMS);
    expect(again.filter(({ statusCode }) => statusCode !== 200)).toEqual([]);
    for (const each of again) expect(await streams.textOf(each)).toContain('event: end');
  });
});
