import { randomUUID } from 'node:crypto';
import request from 'supertest';
import { ensurePlatformCredentials } from '../../src/platform/gateway/operator.js';
import { type BootedGateway, bootGateway } from '../support/boot-gateway.js';
import { SANDBOX_AI_KEYS, SandboxAiForTests } from '../support/sandbox-ai.js';
import { waitUntil } from '../support/wait-until.js';

type Quantities = Record<string, number>;
interface Row {
  readonly model: string;
  readonly cost: string;
  readonly state: string;
}
interface Bill {
  readonly data: readonly { readonly usage: Quantities }[];
}

const HELLO = { messages: [{ role: 'user', content: 'Describe a lighthouse in a few sentences.' }] };

/** Billionths of a dollar for one of each, as vendors print them in dollars per million tokens and per hour. */
const PRICES: Readonly<Record<string, Quantities>> = {
  'openai/gpt-5.4-mini': { inputTokens: 750, cachedInputTokens: 75, outputTokens: 4_500 },
  'openai/gpt-image-2': { inputTokens: 5_000, outputImageTokens: 30_000 },
  'openai/gpt-transcribe': { audioSeconds: 75_000 },
  'openai/gpt-4o-transcribe': { inputTokens: 2_500, inputAudioTokens: 6_000, outputTokens: 10_000 },
  'anthropic/claude-opus-5-5': {
    inputTokens: 4_000,
    cachedInputTokens: 200,
    cacheWriteTokens: 5_000,
    outputTokens: 20_000,
  },
  'google/gemini-3.8-flash': { inputTokens: 750, cachedInputTokens: 75, outputTokens: 3_750 },
  'google/gemini-3.1-flash-lite-image': { inputTokens: 250, outputTokens: 1_500, outputImageTokens: 30_000 },
  'openrouter/openai/gpt-5.4-mini': { inputTokens: 750, outputTokens: 4_500 },
};

/** By hand: what the provider says that it bills, times its price. Images have tokens here. */
const byHand = (model: string, usage: Quantities): number =>
  Object.entries(usage)
    .filter(([name, quantity]) => quantity > 0 && name !== 'images')
    .reduce((sum, [name, quantity]) => sum + quantity * (PRICES[model]?.[name] ?? NaN), 0);

/** Usage rows against the bills of the sandbox's providers, with the prices of the seed. */
describe('what a call costs', () => {
  let sandbox: SandboxAiForTests;
  let gateway: BootedGateway;
  let organizationId: string;
  let headers: Record<string, string>;

  beforeAll(async () => {
    sandbox = await SandboxAiForTests.start();
    gateway = await bootGateway('http://127.0.0.1:9', sandbox.addresses);
    await ensurePlatformCredentials(
      gateway.environment,
      Object.entries(SANDBOX_AI_KEYS).map(([provider, secret]) => ({
        provider: provider as keyof typeof SANDBOX_AI_KEYS,
        secret,
        label: 'Sandbox',
      })),
    );
  });
  afterAll(async () => {
    await gateway.close();
    await sandbox.sandbox.stop();
  });
  beforeEach(async () => {
    await sandbox.reset();
    organizationId = randomUUID();
    headers = await gateway.headers({ organizationId });
  });

  const send = (path: string, body: object) =>
    request(gateway.service.url).post(`/api/ai/${path}`).set(headers).send(body);
  const complete = (model: string, more: object = {}) =>
    send('completions', { ...HELLO, maxTokens: 500, model, ...more }).expect(200);
  const draw = (model: string) =>
    send('images', { prompt: 'A lighthouse', quality: 'low', model }).expect(200);
  const transcribe = async (model: string) =>
    request(gateway.service.url)
      .post('/api/ai/transcriptions')
      .set(headers)
      .field({ model })
      .attach('file', await sandbox.spoken('good morning'), 'tone.wav')
      .expect(200);

  async function settled(): Promise<Row[]> {
    let rows: Row[] = [];
    await waitUntil(async () => {
      rows = await gateway.test.database.query(
        `SELECT provider || '/' || model AS model, cost::text, state FROM gateway.usage WHERE organization_id = $1`,
        [organizationId],
      );
      return rows.length > 0 && rows.every(({ state }) => state !== 'reserved');
    });
    return rows;
  }

  it.each<[string, string, (model: string) => PromiseLike<unknown>]>([
    ['a completion', 'openai/gpt-5.4-mini', (model) => complete(model)],
    ['a completion', 'openrouter/openai/gpt-5.4-mini', (model) => complete(model)],
    ['a completion', 'anthropic/claude-opus-5-5', (model) => complete(model)],
    ['a completion', 'google/gemini-3.8-flash', (model) => complete(model)],
    ['a streamed completion', 'openai/gpt-5.4-mini', (model) => complete(model, { stream: true })],
    ['a streamed completion', 'anthropic/claude-opus-5-5', (model) => complete(model, { stream: true })],
    ['a streamed completion', 'google/gemini-3.8-flash', (model) => complete(model, { stream: true })],
    ['an image', 'openai/gpt-image-2', draw],
    ['an image', 'google/gemini-3.1-flash-lite-image', draw],
    ['a transcript by the hour', 'openai/gpt-transcribe', transcribe],
    ['a transcript by tokens', 'openai/gpt-4o-transcribe', transcribe],
  ])('for %s of %s is what the provider bills', async (_, model, call) => {
    await call(model);
    const { data: lines } = (await sandbox.bill()) as Bill;
    const expected = lines.map(({ usage }) => byHand(model, usage));
    expect(expected).toEqual([expect.any(Number)]);
    expect(expected[0]).toBeGreaterThan(0);
    expect(await settled()).toEqual([{ model, cost: String(expected[0]), state: 'done' }]);
  });

  it.each(['openai/gpt-5.4-mini', 'anthropic/claude-opus-5-5', 'google/gemini-3.8-flash'])(
    'for a repeated long prompt of %s is what the provider bills, cached tokens at their price',
    async (model) => {
      const system = 'You know everything about lighthouses, their keepers and their lamps. '.repeat(400);
      await complete(model, { system });
      await complete(model, { system });
      const { data: lines } = (await sandbox.bill()) as Bill;
      expect(lines.map(({ usage }) => usage.cachedInputTokens)).toEqual([0, expect.any(Number)]);
      expect(lines.map(({ usage }) => byHand(model, usage)).sort()).toEqual(
        (await settled()).map(({ cost }) => Number(cost)).sort(),
      );
    },
  );
});
