import sharp from 'sharp';
import request from 'supertest';
import { type AiWorld, openAiWorld } from '../support/ai-world.js';
import { Documented } from '../support/documented.js';
import { SANDBOX_AI_GATEWAY_TOKEN, SANDBOX_AI_KEYS, SandboxAiForTests } from '../support/sandbox-ai.js';

const PROVIDERS = [
  { provider: 'openai', model: 'gpt-4o-mini' },
  { provider: 'openrouter', model: 'openai/gpt-5.4-mini' },
  { provider: 'anthropic', model: 'claude-opus-5-5' },
  { provider: 'google', model: 'gemini-3.5-flash' },
];
const HELLO = { messages: [{ role: 'user', content: 'Say hello.' }] };

/** The same suite for both transports: callers see no difference. */
describe.each(['directly', 'through an AI gateway'])('GW-12: providers that are called %s', (transport) => {
  let ai: SandboxAiForTests;
  let world: AiWorld;
  let documented: Documented;
  let headers: Record<string, string>;

  beforeAll(async () => {
    ai = await SandboxAiForTests.start();
    world = await openAiWorld({
      ...ai.addresses,
      ...(transport !== 'directly' && {
        AI_GATEWAY_URL: `${ai.sandbox.url}/ai-gateway`,
        AI_GATEWAY_TOKEN: SANDBOX_AI_GATEWAY_TOKEN,
      }),
    });
    for (const [provider, secret] of Object.entries(SANDBOX_AI_KEYS))
      await world.credential({ provider, secret });
    documented = await Documented.by(world.gateway.service.url);
    headers = await world.gateway.headers();
  });
  afterAll(async () => {
    await world.close();
    await ai.sandbox.stop();
  });

  beforeEach(() => ai.sandbox.control('DELETE', '/ai/faults'));

  const post = async (path: string, status: number, body: object) => {
    const response = await request(world.gateway.service.url).post(path).set(headers).send(body);
    documented.check(`post ${path}`, response);
    expect([response.status, response.body.code]).toEqual([
      status,
      status === 200 ? undefined : response.body.code,
    ]);
    return response;
  };

  it.each(PROVIDERS)('complete a conversation at $provider', async ({ provider, model }) => {
    const { body } = await post('/api/ai/completions', 200, { ...HELLO, model: `${provider}/${model}` });
    expect(body).toMatchObject({ provider, finishReason: 'stop', attempts: [{ outcome: 'answered' }] });
    expect(body.text).not.toBe('');
    expect(body.cost).toMatch(/^0\.\d+$/);
  });

  it.each(PROVIDERS)('stream a conversation at $provider', async ({ provider, model }) => {
    const asked = { ...HELLO, model: `${provider}/${model}`, stream: true };
    const { text } = await post('/api/ai/completions', 200, asked);
    expect(text).toMatch(/^event: delta\ndata: \{"text":/);
    expect(text).toMatch(/event: end\ndata: .*"cost":"0\.\d+"/);
  });

  it('draw images', async () => {
    for (const model of ['openai/gpt-image-2', 'google/gemini-3.1-flash-lite-image']) {
      const { body } = await post('/api/ai/images', 200, { prompt: 'A lighthouse', model });
      const [image] = body.images as { mediaType: string; data: string }[];
      expect(image?.mediaType).toBe('image/png');
      const decoded = await sharp(Buffer.from(image?.data ?? '', 'base64'))
        .raw()
        .toBuffer({ resolveWithObject: true });
      const { width, height, channels } = decoded.info;
      expect(decoded.data.length).toBe(width * height * channels);
      expect(new Set(decoded.data).size).toBeGreaterThan(1);
    }
  });

  it('write down what a recording says', async () => {
    const response = await request(world.gateway.service.url)
      .post('/api/ai/transcriptions')
      .set(headers)
      .field('model', 'openai/whisper-1')
      .attach('file', await ai.spoken('good morning'), 'tone.wav');
    documented.check('post /api/ai/transcriptions', response);
    expect([response.status, response.body.code]).toEqual([200, undefined]);
    expect(response.body.text.toLowerCase()).toContain('good morning');
  });

  it('GW-24: continue in the chain after a 429', async () => {
    await ai.fault({ provider: 'openai', kind: 'rate-limited' });
    await world.prefer(headers['x-organization-id'] ?? '', {
      capability: 'images',
      default: 'openai/gpt-image-2',
      chain: ['google/gemini-3.1-flash-lite-image'],
    });
    const { body } = await post('/api/ai/images', 200, { prompt: 'A lighthouse' });
    expect(body).toMatchObject({ provider: 'google', attempts: [{ outcome: 'rate', status: 429 }, {}] });
  });

  it('refuse what the provider refuses', async () => {
    await ai.fault({ provider: 'openai', kind: 'policy' });
    const { body } = await post('/api/ai/completions', 422, { ...HELLO, model: 'openai/gpt-4o-mini' });
    expect(body).toMatchObject({ code: 'content_policy', attempts: [{ outcome: 'policy' }] });
  });
});
