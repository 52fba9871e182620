import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import type { RunningService } from '#libs/http';
import { setting } from '#libs/config/testing';
import { AiCallsConfig } from '../../src/platform/gateway/ai/ai-calls.config.js';
import { type AiWorld, draws, openAiWorld } from '../support/ai-world.js';
import { waitUntil } from '../support/wait-until.js';

const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGP4z8AAAAMBAQDJ/pLvAAAAAElFTkSuQmCC',
  'base64',
);

describe('the bytes of images that a process expects', () => {
  let world: AiWorld;
  /** Three images of the default size fit. */
  let small: RunningService;
  let organizations: Record<string, string>[];

  beforeAll(async () => {
    world = await openAiWorld();
    small = await world.gateway.replica({}, [setting(AiCallsConfig, { maxImageBytes: 40 * 1_048_576 })]);
    await world.model('openai/painter');
    await world.credential({ provider: 'openai' });
  });
  afterAll(() => world.close());
  beforeEach(async () => {
    organizations = [];
    for (const organizationId of [randomUUID(), randomUUID()]) {
      await world.prefer(organizationId, { capability: 'images', default: 'openai/painter' });
      organizations.push(await world.gateway.headers({ organizationId }));
    }
    world.openai.respond(draws(PNG));
  });

  interface Request {
    readonly of?: number;
    readonly body?: object;
    readonly key?: string;
    readonly signal?: AbortSignal;
  }
  const draw = async ({ of = 0, body = {}, key, signal }: Request = {}) => {
    const response = await fetch(`${small.url}/api/ai/images`, {
      method: 'POST',
      headers: {
        ...organizations[of],
        'content-type': 'application/json',
        ...(key !== undefined && { 'idempotency-key': key }),
      },
      body: JSON.stringify({ prompt: 'A lighthouse', ...body }),
      signal: signal ?? null,
    });
    const { code } = (await response.json()) as { code?: string };
    return [response.status, code, response.headers.get('retry-after')];
  };
  const DRAWN = [200, undefined, null];
  const REFUSED = [429, 'too_many_bytes', '1'];
  /** The response of the call before can be closed a moment later. */
  const allFit = () => waitUntil(async () => (await draw({ body: { count: 3 } }))[0] === 200);

  /** Responses of the provider that wait for the test. */
  const held = () => {
    const waiting: ServerResponse[] = [];
    world.openai.respond((response) => void waiting.push(response));
    return waiting;
  };
  const answer = (waiting: ServerResponse[]) => {
    for (const response of waiting) draws(PNG)(response, world.openai.calls[0] as never);
    world.openai.respond(draws(PNG));
  };

  it('are limited before a provider is asked, and free again after the responses', async () => {
    const waiting = held();
    const running = [draw({ body: { count: 2 } }), draw()];
    await waitUntil(() => waiting.length === 2);
    expect([await draw(), waiting.length]).toEqual([REFUSED, 2]);
    answer(waiting);
    expect(await Promise.all(running)).toEqual([DRAWN, DRAWN]);
    await allFit();
  });

  it('depend on the size of the images', async () => {
    expect([
      await draw({ body: { count: 2, width: 1_537 } }),
      await draw({ body: { count: 4 } }),
      await draw({ body: { height: 3_073 } }),
    ]).toEqual([REFUSED, REFUSED, DRAWN]);
  });

  it('are shared: no organization keeps the others out', async () => {
    const waiting = held();
    const running = [draw({ of: 0 }), draw({ of: 1 })];
    await waitUntil(() => waiting.length === 2);
    expect([await draw({ of: 0 }), await draw({ of: 1 })]).toEqual([REFUSED, REFUSED]);
    answer(waiting);
    expect(await Promise.all(running)).toEqual([DRAWN, DRAWN]);
  });

  it('are free again after a failure of the provider and after a request that is not valid', async () => {
    world.openai.respond((response) => void response.writeHead(500).end('{}'));
    expect((await draw({ body: { count: 3 } }))[0]).not.toBe(200);
    expect((await draw({ body: { count: 3, quality: 'none' } }))[0]).toBe(400);
    expect((await draw({ body: { count: 'many' } }))[0]).toBe(400);
    world.openai.respond(draws(PNG));
    await allFit();
  });

  it('are free again when the caller leaves', async () => {
    const waiting = held();
    const caller = new AbortController();
    const left = draw({ body: { count: 3 }, signal: caller.signal }).catch(() => 'left');
    await waitUntil(() => waiting.length === 1);
    expect(await draw({ of: 1 })).toEqual(REFUSED);
    caller.abort();
    expect(await left).toBe('left');
    world.openai.respond(draws(PNG));
    await waitUntil(async () => (await draw({ of: 1, body: { count: 3 } }))[0] === 200);
  });

  it('of a call with a key stay reserved without its caller until the response is stored', async () => {
    const waiting = held();
    const caller = new AbortController();
    const call = { body: { count: 3 }, key: randomUUID() };
    const left = draw({ ...call, signal: caller.signal }).catch(() => 'left');
    await waitUntil(() => waiting.length === 1);
    caller.abort();
    expect(await left).toBe('left');
    expect(await draw({ of: 1 })).toEqual(REFUSED);
    answer(waiting);
    const asked = world.openai.calls.length;
    await waitUntil(async () => (await draw(call))[0] === 200);
    expect(world.openai.calls).toHaveLength(asked);
  });
});
