import { randomUUID } from 'node:crypto';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { type AiWorld, draws, openAiWorld } from '../support/ai-world.js';
import { BusinessApi } from '../support/business-api.js';
import type { Call } from '../support/call.js';
import { aPicture } from '../support/pictures.js';
import { waitUntil } from '../support/wait-until.js';

const REQUESTS = 2_000;
const AT_ONCE = 8;
/** Fewer than the backlog of a listening socket, 511 in Node: connections beyond it are dropped, and tried again after seconds. */
const WAVE = 400;
const STARTED = 'http.server.request.start';

interface Owner {
  readonly call: Call;
  readonly brandId: string;
}

describe('requests for pictures at the same time', () => {
  let ai: AiWorld;
  let api: BusinessApi;
  /** Calls that the provider has not answered. */
  const waiting: ServerResponse[] = [];
  let png: Buffer;
  let started = 0;
  const count = (message: unknown): void => {
    const { request } = message as { request: IncomingMessage };
    if (request.url === '/api/ai/generate-image') started += 1;
  };

  beforeAll(async () => {
    png = await aPicture(64, 64);
    ai = await openAiWorld();
    await ai.model('openai/painter');
    api = await BusinessApi.start({
      ...ai.gateway.client,
      IMAGES_AT_ONCE: String(AT_ONCE),
      // All of this runs in one process.
      IDENTITY_TIMEOUT_MS: '10000',
    });
  });
  beforeAll(() => subscribe(STARTED, count));
  afterAll(() => unsubscribe(STARTED, count));
  beforeEach(() => ai.openai.respond((response) => void waiting.push(response)));
  afterAll(async () => {
    await api.stop();
    await ai.close();
  });

  const owner = async (): Promise<Owner> => {
    const [id, organizationId] = [randomUUID(), randomUUID()];
    const token = ai.gateway.identity.user({ id, organizations: [{ id: organizationId, role: 'owner' }] });
    await ai.credential({ provider: 'openai', organizationId });
    await ai.prefer(organizationId, { capability: 'images', default: 'openai/painter' });
    const { body } = await api.as(token)('POST', '/api/brands', { name: 'Acme', organizationId });
    return { call: api.as(token), brandId: body.id as string };
  };
  const generate = ({ call, brandId }: Owner, headers: Record<string, string> = {}) =>
    call('POST', '/api/ai/generate-image', { brandId, prompt: 'A lighthouse' }, headers);

  const drawOne = () => draws(png)(waiting.shift() as ServerResponse, ai.openai.calls[0] as never);

  it('of 2 000 wait for as many as the process has places, refuse the others, and leave places to other organizations', async () => {
    const [greedy, other] = [await owner(), await owner()];
    let answered = 0;
    const send = async (): Promise<string> => {
      const { status, body } = await generate(greedy);
      answered += 1;
      return status === 200 ? 'drawn' : (body.code as string);
    };
    const sent: Promise<string>[] = [];
    while (sent.length < REQUESTS) {
      for (let number = 0; number < WAVE; number += 1) sent.push(send());
      await waitUntil(() => started === sent.length);
    }
    await waitUntil(() => answered === REQUESTS - AT_ONCE && waiting.length === AT_ONCE);
    expect((await generate(other)).body.code).toBe('too_many_images_at_once');
    drawOne();
    await Promise.race(
      sent.map(async (one) => ((await one) === 'drawn' ? true : new Promise(() => undefined))),
    );
    expect((await generate(greedy)).body.code).toBe('too_many_images_at_once');
    const ofOther = generate(other);
    await waitUntil(() => waiting.length === AT_ONCE);
    while (waiting.length > 0) drawOne();
    expect((await ofOther).status).toBe(200);
    const codes = await Promise.all(sent);
    expect(codes.filter((code) => code === 'drawn')).toHaveLength(AT_ONCE);
    expect(codes.filter((code) => code === 'too_many_images_at_once')).toHaveLength(REQUESTS - AT_ONCE);
    expect(ai.openai.calls).toHaveLength(AT_ONCE + 1);
  });

  it('with the same key are drawn once: the second one is told that the first one runs', async () => {
    const [one, key] = [await owner(), { 'idempotency-key': randomUUID() }];
    const first = generate(one, key);
    await waitUntil(() => waiting.length > 0);
    const second = await generate(one, key);
    expect([second.status, second.body.code]).toEqual([409, 'idempotent_request_running']);
    drawOne();
    expect([(await first).status, ai.openai.calls.length]).toEqual([200, 1]);
  });
});
