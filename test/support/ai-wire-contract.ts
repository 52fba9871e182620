import { loadConfig } from '#libs/config';
import { AiAddressesConfig } from '../../src/platform/gateway/ai/providers/ai.config.js';
import { AiTransportConfig } from '../../src/platform/gateway/ai/providers/wires/ai-transport.config.js';
import { capabilitiesByName } from '../../src/platform/gateway/ai/models/sources/catalog-entry.js';
import { acceptsOf } from '../../src/platform/gateway/ai/providers/ai-providers.js';
import type { FailureKind } from '../../src/platform/gateway/ai/providers/wires/failure.js';
import type { AiProviderName } from '../../src/platform/gateway/credentials/providers.js';
import { type AiProvider, AiProviders } from '../../src/platform/gateway/ai/providers/providers.js';
import type { CompletionRequest } from '../../src/platform/gateway/ai/providers/wires/requests.js';
import type { Usage } from '../../src/platform/gateway/ai/usage/spend/quantities.js';
import { AiHttp } from '../../src/platform/gateway/ai/providers/wires/exchange.js';
import type { CompletionPart, WireCall } from '../../src/platform/gateway/ai/providers/wires/wire.js';
import { aCompletion, anImage, aRecording } from './ai-requests.js';
import { SandboxForTests } from './sandbox.js';
import { waitUntil } from './wait-until.js';

export interface AiWireSubject {
  readonly provider: AiProviderName;
  /** That the sandbox accepts. */
  readonly key: string;
  readonly model: string;
  readonly imageModel: string | null;
  /** One that counts tokens, one that counts seconds. */
  readonly transcriptionModels: readonly string[];
  /** Whether the list of models names the end of one. */
  readonly listsRetirement: boolean;
  /** Where this provider differs from `REFUSALS`. */
  readonly refusals?: Readonly<Record<string, FailureKind>>;
  /** Whether a response without content is one: Anthropic's models end a turn so. */
  readonly canBeEmpty?: boolean;
}

const GATEWAY_TOKEN = 'sandbox-ai-gateway-token';
const said = (text: string): Partial<CompletionRequest> => ({
  messages: [{ role: 'user', content: [{ type: 'text', text }] }],
});
const SCHEMA = {
  type: 'object',
  properties: { title: { type: 'string' }, tags: { type: 'array', items: { type: 'string' } } },
  required: ['title', 'tags'],
  additionalProperties: false,
};
/** As callers write them: without `additionalProperties`, with bounds. */
const OPEN_SCHEMA = {
  type: 'object',
  properties: {
    title: { type: 'string', minLength: 1 },
    tags: { type: 'array', items: { type: 'object', properties: { name: { type: 'string' } } } },
  },
  required: ['title'],
};
const TOOL = { name: 'find_post', description: 'Finds a post', parameters: SCHEMA };

/** What a refusal of the sandbox is, in the words of the product. */
const REFUSALS: readonly [string, FailureKind][] = [
  ['rate-limited', 'rate'],
  ['quota-exhausted', 'money'],
  ['out-of-money', 'money'],
  ['spend-limit', 'money'],
  ['overloaded', 'overload'],
  ['server-error', 'overload'],
  ['model-retired', 'model'],
  ['policy', 'policy'],
  ['unknown-key', 'credential'],
  ['forbidden-key', 'credential'],
];

/** A provider of the sandbox, called directly or through the AI gateway in front of it: the product sees no difference. */
export function aiWireContract(
  {
    provider: name,
    key,
    model,
    imageModel,
    transcriptionModels,
    listsRetirement,
    ...differences
  }: AiWireSubject,
  transport: 'directly' | 'through an AI gateway',
): void {
  describe(`GW-12: ${name}, called ${transport}`, () => {
    let sandbox: SandboxForTests;
    let http: AiHttp;
    let provider: AiProvider;

    const call = ({ model: named = model, ...changes }: Partial<WireCall> = {}): WireCall => ({
      baseUrl: provider.baseUrl,
      headers: provider.headers,
      secret: key,
      model: named,
      accepts: acceptsOf(name, named),
      signal: new AbortController().signal,
      timeoutMs: 10_000,
      ...changes,
    });
    const complete = (request: Partial<CompletionRequest>, changes: Partial<WireCall> = {}) =>
      provider.wire.complete(call(changes), aCompletion(request));
    const streamed = async (request: Partial<CompletionRequest>, changes: Partial<WireCall> = {}) => {
      const parts: CompletionPart[] = [];
      for await (const part of provider.wire.streamCompletion(call(changes), aCompletion(request)))
        parts.push(part);
      return parts;
    };
    const fault = async (members: object) => {
      const { status, body } = await sandbox.control('POST', '/ai/faults', { provider: name, ...members });
      if (status !== 201) throw new Error(`No fault: ${JSON.stringify(body)}`);
    };
    const billed = async (): Promise<{ usage: Usage; end: string; model: string }[]> =>
      (await sandbox.control('GET', '/ai/bill')).body.data as never;
    const lastBilled = async () => (await billed()).at(-1)?.usage;

    beforeAll(async () => {
      sandbox = await SandboxForTests.start();
      const environment = {
        OPENAI_URL: `${sandbox.url}/openai`,
        OPENROUTER_URL: `${sandbox.url}/openrouter`,
        ANTHROPIC_URL: `${sandbox.url}/anthropic`,
        GOOGLE_AI_URL: `${sandbox.url}/google-ai`,
        ...(transport === 'through an AI gateway' && {
          AI_GATEWAY_URL: `${sandbox.url}/ai-gateway`,
          AI_GATEWAY_TOKEN: GATEWAY_TOKEN,
        }),
      };
      const config = loadConfig(AiTransportConfig, environment);
      http = new AiHttp(config);
      const found = new AiProviders(http, loadConfig(AiAddressesConfig, environment), config).find(name);
      if (!found) throw new Error(`No provider ${name}.`);
      provider = found;
    });
    beforeEach(async () => {
      await sandbox.control('DELETE', '/ai/faults');
    });
    afterAll(async () => {
      await http.onApplicationShutdown();
      await sandbox.stop();
    });

    describe('completions', () => {
      it('gives text, the model, and what the provider bills', async () => {
        const attempted = await complete(said('[sandbox: say Größe: 😀 ✓]'));
        expect(attempted).toMatchObject({
          kind: 'answered',
          value: { text: 'Größe: 😀 ✓', toolCalls: [], finishReason: 'stop' },
          model: expect.stringContaining(model.split('/').at(-1) ?? model) as string,
        });
        expect(attempted.usage).toEqual(await lastBilled());
        expect(attempted.requestId).not.toBeNull();
      });

      it('counts what came from the cache apart', async () => {
        const request = { system: 'Be exact. '.repeat(2_000), ...said('[sandbox: words 5]') };
        const attempts = [await complete(request), await complete(request)];
        const lines = (await billed()).slice(-2);
        expect(attempts.map(({ usage }) => usage)).toEqual(lines.map(({ usage }) => usage));
      });

      it('ends at the limit of tokens and at a stop sequence', async () => {
        const long = await complete({ ...said('[sandbox: words 200]'), maxTokens: 10 });
        expect(long).toMatchObject({ value: { finishReason: 'length' } });
        const stopped = await complete({ ...said('[sandbox: say one STOP two]'), stop: ['STOP'] });
        expect(stopped).toMatchObject({ value: { text: 'one ', finishReason: 'stop' } });
      });

      it('sees images, and answers with JSON of a schema', async () => {
        const image = { type: 'image' as const, mediaType: 'image/png', data: PNG };
        const request: Partial<CompletionRequest> = {
          messages: [{ role: 'user', content: [{ type: 'text', text: 'Describe it' }, image] }],
          responseSchema: { name: 'answer', schema: SCHEMA },
          temperature: 0.2,
        };
        const attempted = await complete(request);
        if (attempted.kind !== 'answered') throw new Error(JSON.stringify(attempted));
        expect(JSON.parse(attempted.value.text)).toEqual({
          title: expect.any(String) as string,
          tags: expect.any(Array) as string[],
        });
        expect(withImagesAsText(attempted.usage)).toEqual(withImagesAsText(await lastBilled()));
      });

      it('calls a tool and continues with its result', async () => {
        const tools: Partial<CompletionRequest> = { tools: [TOOL], toolChoice: { name: TOOL.name } };
        const first = await complete({ ...said('Look it up'), ...tools });
        if (first.kind !== 'answered') throw new Error(JSON.stringify(first));
        const [called] = first.value.toolCalls;
        expect(first.value).toMatchObject({ finishReason: 'tool_calls', toolCalls: [{ name: TOOL.name }] });
        expect(JSON.parse(called?.arguments ?? '')).toMatchObject({ title: expect.any(String) as string });
        const second = await complete({
          tools: [TOOL],
          toolChoice: 'auto',
          messages: [
            { role: 'user', content: [{ type: 'text', text: 'Look it up' }] },
            { role: 'assistant', content: [], toolCalls: first.value.toolCalls },
            { role: 'tool', toolCallId: called?.id ?? '', content: '{"found":1}' },
          ],
        });
        expect(second).toMatchObject({ kind: 'answered', value: { finishReason: 'stop', toolCalls: [] } });
      });

      it.each(['auto', 'none', 'required'] as const)('sends the choice of tools %s', async (toolChoice) => {
        const attempted = await complete({ ...said('Hello'), tools: [TOOL], toolChoice });
        const finishReason = toolChoice === 'required' ? 'tool_calls' : 'stop';
        expect(attempted).toMatchObject({ kind: 'answered', value: { finishReason } });
      });
    });

    describe('what a model refuses', () => {
      it('is not sent: a temperature, tools with reasoning, an open schema', async () => {
        const listed = await provider.wire.listModels(call());
        if (listed.kind === 'failed') throw new Error(JSON.stringify(listed));
        const chats = listed.value
          .map(({ id }) => id)
          .filter((id) => capabilitiesByName(name, id)?.includes('completions'));
        expect(chats.length).toBeGreaterThan(0);
        for (const each of chats) {
          const schema = { name: 'answer', schema: OPEN_SCHEMA };
          const words = await complete(
            { ...said('Hi'), temperature: 0.3, responseSchema: schema },
            { model: each },
          );
          expect([each, words]).toMatchObject([each, { kind: 'answered' }]);
          const tools = { tools: [TOOL], toolChoice: 'required', temperature: 0.3 } as const;
          const called = await complete({ ...said('Hi'), ...tools }, { model: each });
          expect([each, called]).toMatchObject([each, { value: { finishReason: 'tool_calls' } }]);
        }
      });
    });

    describe('streams', () => {
      it.each(['lf', 'crlf', 'cr'])(
        'give what a whole response gives, with lines that end in %s',
        async (lineEnd) => {
          const settings = { lineEnd, splitsCharacters: true };
          await sandbox.control('PUT', `/ai/${name}/settings`, settings);
          const request = said('[sandbox: say Grüße 😀 aus Köln, schöne Straße]');
          const parts = await streamed(request);
          await sandbox.control('PUT', `/ai/${name}/settings`, { lineEnd: 'lf', splitsCharacters: false });
          const text = parts.map((part) => (part.kind === 'text' ? part.text : '')).join('');
          expect(text).toBe('Grüße 😀 aus Köln, schöne Straße');
          expect(parts.at(-1)).toMatchObject({
            kind: 'end',
            finishReason: 'stop',
            usage: await lastBilled(),
          });
          expect(parts.filter(({ kind }) => kind === 'end' || kind === 'failed')).toHaveLength(1);
        },
      );

      it('give calls of tools', async () => {
        const parts = await streamed({
          ...said('Look it up'),
          tools: [TOOL],
          toolChoice: { name: TOOL.name },
        });
        const calls = parts.filter((part) => part.kind === 'tool');
        expect(calls[0]).toMatchObject({ index: 0, id: expect.any(String) as string, name: TOOL.name });
        expect(JSON.parse(calls.map((part) => part.arguments).join(''))).toHaveProperty('title');
        expect(parts.at(-1)).toMatchObject({
          kind: 'end',
          finishReason: 'tool_calls',
          usage: await lastBilled(),
        });
      });

      it('end when the reader stops, and use a connection again after their end', async () => {
        await fault({ kind: 'slow-parts', delayMs: 50, times: 1 });
        for await (const part of provider.wire.streamCompletion(
          call(),
          aCompletion(said('[sandbox: words 100]')),
        ))
          if (part.kind === 'text') break;
        await waitUntil(async () => (await billed()).at(-1)?.end === 'client-left');
      });

      it.each(['stream-cut', 'stream-cut-in-character', 'stream-ends-early'])(
        'never end cleanly when they are cut: %s',
        async (kind) => {
          await fault({ kind, afterParts: 1 });
          const parts = await streamed(said('[sandbox: say Grüße aus Köln und schöne Straßen]'));
          expect(parts.at(-1)).toMatchObject({ kind: 'failed', failure: { kind: 'no-answer' }, usage: null });
          expect(parts.some(({ kind: one }) => one === 'text')).toBe(true);
        },
      );

      it('report an error within', async () => {
        await fault({ kind: 'stream-error', afterParts: 1 });
        const parts = await streamed(said('[sandbox: words 20]'));
        expect(parts.at(-1)).toMatchObject({ kind: 'failed', failure: { kind: 'overload' } });
        expect(parts.filter(({ kind }) => kind === 'end' || kind === 'failed')).toHaveLength(1);
      });

      it('have usage that is not known, not zero, when the provider sends none', async () => {
        await fault({ kind: 'no-usage' });
        expect((await streamed(said('Hi'))).at(-1)).toMatchObject({ kind: 'end', usage: null });
      });
    });

    describe('failures', () => {
      const refusals = REFUSALS.map(
        ([kind, usual]) => [kind, differences.refusals?.[kind] ?? usual] as const,
      );

      it.each(refusals)('%s is %s, also within a stream and within status 200', async (kind, expected) => {
        const refusal = expect.objectContaining({ kind: expected }) as object;
        await fault({ kind });
        expect(await complete(said('Hi'))).toMatchObject({ kind: 'failed', failure: refusal, usage: null });
        expect(await streamed(said('Hi'))).toMatchObject([{ kind: 'failed', failure: refusal }]);
        await sandbox.control('DELETE', '/ai/faults');
        await fault({ kind, inside200: true });
        expect(await complete(said('Hi'))).toMatchObject({ kind: 'failed', failure: refusal });
        expect(await streamed(said('Hi'))).toMatchObject([{ kind: 'failed', failure: refusal }]);
      });

      it('keep the wait that the provider asks for, and have none without money', async () => {
        await fault({ kind: 'rate-limited', retryAfterSeconds: 7 });
        expect(await complete(said('Hi'))).toMatchObject({ failure: { kind: 'rate', retryAfterMs: 7_000 } });
        await sandbox.control('DELETE', '/ai/faults');
        await fault({ kind: 'out-of-money' });
        expect(await complete(said('Hi'))).toMatchObject({ failure: { kind: 'money', retryAfterMs: null } });
      });

      it('name no key', async () => {
        const secret = 'sk-wrong-0123456789abcdefghij';
        const attempted = await complete(said('Hi'), { secret });
        expect(attempted).toMatchObject({ kind: 'failed', failure: { kind: 'credential' } });
        expect(JSON.stringify([attempted, await streamed(said('Hi'), { secret })])).not.toContain(secret);
      });

      it('are a model that does not exist, and a prompt that is too long', async () => {
        const unknown = await complete(said('Hi'), { model: 'no-such-model' });
        expect(unknown).toMatchObject({ kind: 'failed', failure: { kind: 'model' } });
        const id = 'a-small-model';
        const small = { id, abilities: ['completion'], contextWindow: 2_000, maxOutputTokens: 1_000 };
        expect((await sandbox.control('PUT', `/ai/${name}/models`, small)).status).toBe(200);
        const long = await complete(said('word '.repeat(5_000)), { model: id });
        expect(long).toMatchObject({ kind: 'failed', failure: { kind: 'too-long' } });
      });

      it('are refusals of the model and of filters, with what is billed', async () => {
        expect(await complete(said('[sandbox: block]'))).toMatchObject({ failure: { kind: 'policy' } });
        for (const words of ['[sandbox: refuse]', '[sandbox: filter]']) {
          const attempted = await complete(said(words));
          expect(attempted).toMatchObject({ kind: 'failed', failure: { kind: 'policy' } });
          expect(attempted.usage).toEqual(await lastBilled());
          const last = (await streamed(said(words))).at(-1);
          expect(last).toMatchObject({
            kind: 'failed',
            failure: { kind: 'policy' },
            usage: await lastBilled(),
          });
        }
      });

      it('are responses without what was asked for', async () => {
        await fault({ kind: 'empty-choices' });
        const empty = differences.canBeEmpty
          ? { kind: 'answered', value: { text: '' } }
          : { kind: 'failed', failure: { kind: 'unreadable' } };
        expect(await complete(said('Hi'))).toMatchObject(empty);
      });

      it('tell usage of zero from usage that is not known', async () => {
        await fault({ kind: 'no-usage', times: 1 });
        expect(await complete(said('Hi'))).toMatchObject({ kind: 'answered', usage: null });
        await fault({ kind: 'zero-usage', times: 1 });
        expect(await complete(said('Hi'))).toMatchObject({
          kind: 'answered',
          usage: { inputTokens: 0, outputTokens: 0 },
        });
      });

      it('end with the caller, and the provider sees it', async () => {
        await fault({ kind: 'slow-first-byte', delayMs: 60_000 });
        const leaving = new AbortController();
        const before = (await billed()).length;
        const waiting = complete(said('Hi'), { signal: leaving.signal });
        await waitUntil(async () => (await billed()).length > before);
        leaving.abort();
        expect(await waiting).toMatchObject({ kind: 'failed', failure: { kind: 'no-answer' }, usage: null });
        await waitUntil(async () => (await billed()).at(-1)?.end === 'client-left');
      });

      it('end with the time limit, and are certain when nothing was sent', async () => {
        await fault({ kind: 'slow-first-byte', delayMs: 60_000 });
        expect(await complete(said('Hi'), { timeoutMs: 150 })).toMatchObject({
          failure: { kind: 'no-answer' },
        });
        expect(await streamed(said('Hi'), { timeoutMs: 150 })).toMatchObject([
          { failure: { kind: 'no-answer' } },
        ]);
        const nowhere = { baseUrl: 'http://127.0.0.1:1' };
        expect(await complete(said('Hi'), nowhere)).toMatchObject({ failure: { kind: 'not-sent' } });
        expect(await streamed(said('Hi'), nowhere)).toMatchObject([{ failure: { kind: 'not-sent' } }]);
      });

      if (transport === 'through an AI gateway') {
        it('are no fault of the credential when the AI gateway refuses its token', async () => {
          const headers = { 'x-ai-gateway-token': 'another-token' };
          const refusal = { kind: 'failed', failure: { kind: 'not-sent', status: 401 } };
          expect(await complete(said('Hi'), { headers })).toMatchObject(refusal);
          expect(await streamed(said('Hi'), { headers })).toMatchObject([refusal]);
          expect(await provider.wire.listModels(call({ headers }))).toMatchObject(refusal);
        });
      }

      it('are not repeated', async () => {
        const before = (await billed()).length;
        await fault({ kind: 'empty-choices' });
        await complete(said('Hi'));
        expect((await billed()).length).toBe(before + 1);
      });
    });

    describe('models', () => {
      it('are listed, over all pages', async () => {
        await sandbox.control('PUT', `/ai/${name}/settings`, { modelsPerPage: 2 });
        const listed = await provider.wire.listModels(call());
        if (listed.kind !== 'answered') throw new Error(JSON.stringify(listed));
        expect(listed.value.map(({ id }) => id)).toEqual(
          expect.arrayContaining([expect.stringContaining(model)]),
        );
        expect(listed.value.length).toBeGreaterThan(2);
        expect(new Set(listed.value.map(({ id }) => id)).size).toBe(listed.value.length);
        expect(listed.value.some(({ retiresAt }) => retiresAt !== null)).toBe(listsRetirement);
      });

      it('or the key of the provider itself tell whether a credential works', async () => {
        const { wire } = provider;
        const check = (secret: string) =>
          wire.checkCredential ? wire.checkCredential(call({ secret })) : wire.listModels(call({ secret }));
        expect(await check(key)).toMatchObject({ kind: 'answered' });
        expect(await check('sk-wrong-0123456789abcdefghij')).toMatchObject({
          failure: { kind: 'credential' },
        });
      });
    });

    if (imageModel !== null) {
      describe('images', () => {
        const draw = (changes: object = {}) =>
          provider.wire.generateImages?.(call({ model: imageModel }), anImage(changes));

        it('are whole, and billed as the provider says', async () => {
          const before = (await billed()).length;
          const attempted = await draw({ count: 2, prompt: 'A red square', width: 1_536, height: 1_024 });
          expect(attempted).toMatchObject({ kind: 'answered', value: [{}, {}], usage: { images: 2 } });
          const lines = (await billed()).slice(before).map(({ usage }) => usage);
          expect(attempted?.usage).toEqual(
            lines.reduce(
              (sum, line) =>
                Object.fromEntries(
                  Object.entries(sum).map(([unit, value]) => [unit, value + line[unit as keyof Usage]]),
                ) as unknown as Usage,
            ),
          );
        });

        it.each([
          ['half-image', 'unreadable'],
          ['not-an-image', 'unreadable'],
          ['no-image', 'unreadable'],
          ['rate-limited', 'rate'],
          ['policy', 'policy'],
          ['out-of-money', 'money'],
        ])('fail on %s as %s', async (kind, expected) => {
          await fault({ kind });
          expect(await draw()).toMatchObject({ kind: 'failed', failure: { kind: expected } });
        });

        it('are called by what they are when the provider names another type', async () => {
          await fault({ kind: 'wrong-image-type' });
          const attempted = await draw();
          expect(['answered', 'failed']).toContain(attempted?.kind);
        });
      });
    }

    if (transcriptionModels.length > 0) {
      describe('transcriptions', () => {
        it.each(transcriptionModels)('by %s, billed as the provider says', async (transcriptionModel) => {
          const sound = await fetch(`${sandbox.url}/_sandbox/ai/audio?text=good+morning`);
          const bytes = Buffer.from(await sound.arrayBuffer());
          const file = { name: 'a.wav', mediaType: 'audio/wav', bytes };
          const attempted = await provider.wire.transcribe?.(
            call({ model: transcriptionModel }),
            aRecording({ file, language: 'en' }),
          );
          expect(attempted).toMatchObject({
            kind: 'answered',
            value: { text: expect.stringMatching(/good morning/i) as string },
          });
          expect(attempted?.usage).toEqual(await lastBilled());
        });

        it('fail on what is no recording', async () => {
          const file = {
            name: 'a.wav',
            mediaType: 'audio/wav',
            bytes: Buffer.from('not a sound'),
          };
          const [transcriptionModel = ''] = transcriptionModels;
          const attempted = await provider.wire.transcribe?.(
            call({ model: transcriptionModel }),
            aRecording({ file }),
          );
          expect(attempted).toMatchObject({ kind: 'failed', failure: { kind: 'invalid' } });
        });
      });
    }
  });
}

/** Only Google tells the tokens of images in a prompt apart. */
const withImagesAsText = (usage: Usage | null | undefined): Usage | null =>
  usage ? { ...usage, inputTokens: usage.inputTokens + usage.inputImageTokens, inputImageTokens: 0 } : null;

const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGP4z8AAAAMBAQDJ/pLvAAAAAElFTkSuQmCC';
