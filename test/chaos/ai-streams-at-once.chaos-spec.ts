import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { type AiWorld, delta, event, openAiWorld, terminal } from '../support/ai-world.js';
import { OpenedStreams } from '../support/opened-streams.js';
import { type SpawnedEntry, spawnEntry } from '../support/spawn-entry.js';
import { waitUntil } from '../support/wait-until.js';

const ENTRY = 'dist/src/platform/gateway/main.js';
/** As many as a small machine opens in a second or two. docs/performance.md has the measurement with 10 000. */
const MAX_STREAMS = 200;
const EXCESS = 100;
const SLOW = 8;
/** Far more than the buffers of all connections between a provider and a caller: those of the system hold a few MB each. */
const ENDLESS_BYTES = 64 * 1_048_576;

const error = event({ error: { message: 'No.', code: 'server_error' } });
const ENDS = [
  { last: 'end', by: (response: ServerResponse) => response.end(terminal) },
  { last: 'error', by: (response: ServerResponse) => response.destroy() },
  { last: 'error', by: (response: ServerResponse) => response.end(error) },
];

describe('more streams at once than a process serves', () => {
  let world: AiWorld;
  let entry: SpawnedEntry;
  let streams: OpenedStreams;
  let organizationId: string;
  const opened: OpenedStreams[] = [];
  /** Responses of the provider. */
  let upstream: ServerResponse[] = [];

  beforeAll(async () => {
    world = await openAiWorld();
    await world.model('openai/first');
    entry = await spawnEntry(ENTRY, { ...world.gateway.environment, AI_MAX_STREAMS: String(MAX_STREAMS) });
  });
  afterAll(async () => {
    entry.process.kill('SIGKILL');
    for (const each of opened) each.close();
    await world.close();
  });
  /** Of a new organization with a credential of its own: breakers that open concern no other one. */
  const ofNewOrganization = async (id: string = randomUUID()): Promise<OpenedStreams> => {
    await world.credential({ provider: 'openai', organizationId: id });
    await world.prefer(id, { default: 'openai/first' });
    const headers = await world.gateway.headers({ organizationId: id });
    const its = new OpenedStreams(`${entry.url}/api/ai/completions`, headers);
    opened.push(its);
    return its;
  };
  beforeEach(async () => {
    organizationId = randomUUID();
    streams = await ofNewOrganization(organizationId);
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
    const all = await streams.open(MAX_STREAMS + EXCESS);
    const [served, refused] = [200, 429].map((status) =>
      all.filter(({ statusCode }) => statusCode === status),
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

  it('leave room for another organization: the first gets no more than its share while the other has some', async () => {
    const ofOther = await ofNewOrganization();
    const [one] = await ofOther.open(1);
    const first = await streams.open(MAX_STREAMS);
    const served = first.filter(({ statusCode }) => statusCode === 200);
    expect(served).toHaveLength(MAX_STREAMS / 2);
    const more = await ofOther.open(MAX_STREAMS);
    expect(more.filter(({ statusCode }) => statusCode === 200)).toHaveLength(MAX_STREAMS / 2 - 1);
    for (const response of upstream) response.end(terminal);
    for (const each of [one, ...first, ...more]) if (each) await streams.textOf(each);
  });

  it('free their slots after the end, after a cut and after an error of the provider', async () => {
    for (const end of ENDS) {
      upstream = [];
      const its = await ofNewOrganization();
      const all = await its.open(MAX_STREAMS);
      expect(all.filter(({ statusCode }) => statusCode === 200)).toHaveLength(MAX_STREAMS);
      const [excess] = await its.open(1);
      expect(excess?.statusCode).toBe(429);
      const texts = all.map((each) => its.textOf(each));
      for (const response of upstream) end.by(response);
      for (const text of await Promise.all(texts)) expect(text).toContain(`event: ${end.last}`);
    }
    upstream = [];
    const again = await streams.open(MAX_STREAMS);
    expect(again.filter(({ statusCode }) => statusCode !== 200)).toEqual([]);
    for (const response of upstream) response.end(terminal);
    for (const each of again) await streams.textOf(each);
  });

  it('are not buffered for callers that do not read: the provider must wait', async () => {
    /** Bytes that each response of the provider could write. */
    const written = new Map<ServerResponse, number>();
    let stopped = 0;
    const part = delta('x'.repeat(16_000));
    world.openai.respond((response) => {
      upstream.push(response);
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      const write = (): void => {
        do written.set(response, (written.get(response) ?? 0) + part.length);
        while (response.write(part));
        stopped += 1;
        response.once('drain', () => {
          stopped -= 1;
          // A gateway that buffers would take all that it is sent.
          if ((written.get(response) ?? 0) < ENDLESS_BYTES) write();
        });
      };
      write();
    });
    const slow = await streams.open(SLOW);
    // Every stream is at rest when several rounds of answers of the gateway itself bring none of them further.
    let before = -1;
    let restingRounds = 0;
    const total = () => [...written.values()].reduce((sum, bytes) => sum + bytes, 0);
    await waitUntil(async () => {
      const now = total();
      restingRounds = stopped === SLOW && now === before ? restingRounds + 1 : 0;
      before = now;
      await (await fetch(`${entry.url}/api/ai/completions`)).text();
      return restingRounds === 20;
    }, 200_000);
    expect(Math.max(...written.values())).toBeLessThan(ENDLESS_BYTES);
    for (const each of slow) each.destroy();
    await waitUntil(() => upstream.every(({ destroyed }) => destroyed), 200_000);
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
