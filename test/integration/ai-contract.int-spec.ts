import { randomUUID } from 'node:crypto';
import { Test } from '@nestjs/testing';
import sharp from 'sharp';
import { EnvironmentModule } from '#libs/config';
import { AiClient, type AiClientCall, type AiResult, GatewayClientModule } from '#libs/platform-client';
import { FakeAi } from '#libs/platform-client/testing';
import { completes, draws, hangsUp, openAiWorld, refuses, transcribes } from '../support/ai-world.js';
import { aPicture } from '../support/pictures.js';

/** What the suite requires of AI routes, fake or real. */
interface World {
  readonly client: AiClient;
  /** How often a provider was asked. */
  asked(): number;
  answer(text: string): void;
  /** Every provider limits the rate of calls. */
  limit(): void;
  /** Every provider ends the connection without a response. */
  hangUp(): void;
  close(): Promise<void>;
}

const HELLO = { messages: [{ role: 'user', content: 'Say hello.' }] } as const;
const WAV = Buffer.concat([Buffer.from('RIFF\0\0\0\0WAVEfmt '), Buffer.alloc(64)]);

/** The contract of the AI routes for services. */
function describeAiContract(name: string, open: (organizationId: string) => Promise<World>): void {
  describe(`${name}, as AI routes`, () => {
    let world: World;
    const call: AiClientCall = { organizationId: randomUUID() };
    const valueOf = <T>(result: AiResult<T>): T => {
      if (result.kind !== 'answered') throw new Error(JSON.stringify(result));
      return result.value;
    };

    beforeAll(async () => {
      world = await open(call.organizationId);
    });
    afterAll(() => world.close());
    beforeEach(() => world.answer('Hello.'));

    it('is configured', () => expect(world.client.isConfigured).toBe(true));

    it('completes with the default model, and says what it cost', async () => {
      expect(valueOf(await world.client.complete(call, HELLO))).toEqual({
        id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        model: 'openai/first',
        requestedModel: 'openai/first',
        cost: '0.001',
        attempts: [
          {
            provider: 'openai',
            model: 'first',
            credential: 'own',
            outcome: 'answered',
            milliseconds: expect.any(Number),
          },
        ],
        text: 'Hello.',
        toolCalls: [],
        finishReason: 'stop',
      });
    });

    it('uses the model of the call, and refuses one that the catalog does not have', async () => {
      const named = await world.client.complete({ ...call, model: 'openrouter/second' }, HELLO);
      expect(valueOf(named).model).toBe('openrouter/second');
      expect(await world.client.complete({ ...call, model: 'openai/none' }, HELLO)).toEqual({
        ...{ kind: 'refused', code: 'model_not_found', detail: expect.any(String) },
      });
    });

    it('draws whole images', async () => {
      const { images } = valueOf(await world.client.drawImages(call, { prompt: 'A lighthouse', width: 64 }));
      const [image] = images;
      expect(image?.mediaType).toBe('image/png');
      await expect(sharp(image?.bytes).stats()).resolves.toMatchObject({ isOpaque: true });
    });

    it('writes down what a recording says, and refuses what is none', async () => {
      expect(valueOf(await world.client.transcribe(call, { bytes: WAV })).text).toBe('Hello.');
      expect(await world.client.transcribe(call, { bytes: Buffer.from('%PDF-1.7') })).toMatchObject({
        ...{ kind: 'refused', code: 'audio_not_supported' },
      });
    });

    it('refuses an empty request without asking a provider', async () => {
      const before = world.asked();
      for (const result of [
        await world.client.complete(call, { messages: [{ role: 'user', content: ' ' }] }),
        await world.client.drawImages(call, { prompt: ' ' }),
      ])
        expect(result).toMatchObject({ kind: 'refused', code: 'validation_failed' });
      expect(world.asked()).toBe(before);
    });

    it('does the work once per key', async () => {
      const keyed = { ...call, idempotencyKey: randomUUID() };
      const before = world.asked();
      const first = valueOf(await world.client.complete(keyed, HELLO));
      expect(valueOf(await world.client.complete(keyed, HELLO))).toEqual(first);
      expect(world.asked()).toBe(before + 1);
    });

    it('is in doubt about a call without a response', async () => {
      world.hangUp();
      expect(await world.client.complete(call, HELLO)).toEqual({
        kind: 'no-answer',
        reason: 'provider_no_answer',
      });
    });

    // The last one: the gateway holds the models back from then on.
    it('passes a limit of the providers on', async () => {
      world.limit();
      expect(await world.client.complete({ ...call, timeoutMs: 2_000 }, HELLO)).toEqual({
        kind: 'limited',
        code: 'provider_rate_limited',
        detail: expect.any(String),
        retryAfterMs: 40_000,
      });
    });
  });
}

describeAiContract('the fake', () => {
  const client = new FakeAi();
  return Promise.resolve({
    client,
    asked: () => client.done.length,
    answer(text) {
      client.text = text;
      client.failWith(null);
    },
    limit: () =>
      client.failWith({
        ...{ kind: 'limited', code: 'provider_rate_limited', detail: 'Limited.', retryAfterMs: 40_000 },
      }),
    hangUp: () => client.failWith({ kind: 'no-answer', reason: 'provider_no_answer' }),
    close: () => Promise.resolve(),
  });
});

describeAiContract('the gateway behind its client', async (organizationId) => {
  const world = await openAiWorld();
  const { openai, openrouter } = world;
  for (const ref of ['openai/first', 'openrouter/second']) await world.model(ref);
  for (const provider of ['openai', 'openrouter']) await world.credential({ provider, organizationId });
  for (const capability of ['completions', 'images', 'transcriptions'])
    await world.prefer(organizationId, { capability, default: 'openai/first', chain: ['openrouter/second'] });
  world.gateway.identity.organization(organizationId);
  const module = await Test.createTestingModule({
    imports: [EnvironmentModule.forRoot(world.gateway.client), GatewayClientModule],
  }).compile();
  const png = await aPicture(64, 64);
  return {
    client: module.get(AiClient, { strict: false }),
    asked: () => openai.calls.length + openrouter.calls.length,
    answer(text) {
      for (const provider of [openai, openrouter])
        provider.respond((response, sent) => {
          if (sent.url.endsWith('/images/generations')) draws(png)(response, sent);
          else if (sent.url.endsWith('/transcriptions')) transcribes(text)(response, sent);
          else completes(text)(response, sent);
        });
    },
    limit() {
      for (const provider of [openai, openrouter])
        provider.respond(refuses(429, 'rate_limit_exceeded', { 'retry-after': '40' }));
    },
    hangUp() {
      for (const provider of [openai, openrouter]) provider.respond(hangsUp);
    },
    async close() {
      await module.close();
      await world.close();
    },
  };
});
