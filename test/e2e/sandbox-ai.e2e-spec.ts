import sharp from 'sharp';
import {
  type AiProviderName,
  SANDBOX_AI_GATEWAY_TOKEN,
  SANDBOX_AI_KEYS,
  SandboxAiForTests,
} from '../support/sandbox-ai.js';
import type { SandboxResponse } from '../support/sandbox.js';
import { waitUntil } from '../support/wait-until.js';

type Json = ReturnType<typeof JSON.parse>;

/** How each wire asks for one completion. */
const WIRES = {
  openai: {
    path: '/openai/v1/chat/completions',
    headers: (key: string) => ({ authorization: `Bearer ${key}` }),
    model: 'gpt-5.4-mini',
    body: (text: string, more: object) => ({
      model: 'gpt-5.4-mini',
      messages: [{ role: 'user', content: text }],
      ...more,
    }),
    text: (body: Json) => body.choices[0].message.content as string,
  },
  openrouter: {
    path: '/openrouter/v1/chat/completions',
    headers: (key: string) => ({ authorization: `Bearer ${key}` }),
    model: 'openai/gpt-5.4-mini',
    body: (text: string, more: object) => ({
      model: 'openai/gpt-5.4-mini',
      messages: [{ role: 'user', content: text }],
      ...more,
    }),
    text: (body: Json) => body.choices[0].message.content as string,
  },
  anthropic: {
    path: '/anthropic/v1/messages',
    headers: (key: string) => ({ 'x-api-key': key, 'anthropic-version': '2023-06-01' }),
    model: 'claude-haiku-4-5',
    body: (text: string, more: object) => ({
      model: 'claude-haiku-4-5',
      max_tokens: 500,
      messages: [{ role: 'user', content: text }],
      ...more,
    }),
    text: (body: Json) => body.content[0].text as string,
  },
  google: {
    path: '/google-ai/v1beta/models/gemini-3.5-flash:generateContent',
    headers: (key: string) => ({ 'x-goog-api-key': key }),
    model: 'gemini-3.5-flash',
    body: (text: string, more: object) => ({ contents: [{ role: 'user', parts: [{ text }] }], ...more }),
    text: (body: Json) => body.candidates[0].content.parts[0].text as string,
  },
} as const;
const NAMES = Object.keys(WIRES) as AiProviderName[];

const PROMPT = 'Announce the bakery in Zürich';

describe('AI providers of the sandbox', () => {
  let ai: SandboxAiForTests;

  beforeAll(async () => {
    ai = await SandboxAiForTests.start();
  });
  beforeEach(() => ai.reset());
  afterAll(() => ai.sandbox.stop());

  const request = (name: AiProviderName, text: string, more: object, key = SANDBOX_AI_KEYS[name]) => ({
    headers: { 'content-type': 'application/json', ...WIRES[name].headers(key) },
    body: JSON.stringify(WIRES[name].body(text, more)),
  });
  const ask = (
    name: AiProviderName,
    text = PROMPT,
    more: object = {},
    key?: string,
  ): Promise<SandboxResponse> => ai.sandbox.call('POST', WIRES[name].path, request(name, text, more, key));
  const streamPath = (name: AiProviderName): string =>
    name === 'google'
      ? WIRES.google.path.replace(':generate', ':streamGenerate') + '?alt=sse'
      : WIRES[name].path;
  const streamOf = (name: AiProviderName, text = PROMPT, signal?: AbortSignal): Promise<Response> =>
    fetch(ai.sandbox.url + streamPath(name), {
      method: 'POST',
      ...request(name, text, name === 'google' ? {} : { stream: true }),
      signal,
    });
  /** Data of events; undefined for a line that is no JSON, such as `[DONE]`. */
  const dataOf = (text: string): Json[] =>
    [...text.matchAll(/^data: (.*)$/gm)].map(([, data = '']) =>
      data === '[DONE]' ? data : JSON.parse(data),
    );

  describe.each(NAMES)('%s', (name) => {
    it('answers the same prompt alike, another one differently, and bills what it says', async () => {
      const [first, second, other] = [await ask(name), await ask(name), await ask(name, 'Something else')];
      expect(WIRES[name].text(first.body)).toContain('Announce the bakery in Zürich');
      expect(WIRES[name].text(second.body)).toBe(WIRES[name].text(first.body));
      expect(WIRES[name].text(other.body)).not.toBe(WIRES[name].text(first.body));
      const { data, total } = await ai.bill(`?provider=${name}`);
      expect(data).toHaveLength(3);
      const { usage, usageMetadata } = first.body;
      const output = usage?.completion_tokens ?? usage?.output_tokens ?? usageMetadata?.candidatesTokenCount;
      expect(data[0]).toMatchObject({
        model: WIRES[name].model,
        end: 'sent',
        usage: { outputTokens: output },
      });
      expect(total.outputTokens).toBeGreaterThan(2 * output);
      const effects = await ai.sandbox.ledger(`?network=${name}&kind=ai.completion`);
      expect(effects.map(({ text, answered }) => [text, answered])).toEqual([
        [PROMPT, 'yes'],
        [PROMPT, 'yes'],
        ['Something else', 'yes'],
      ]);
    });

    it('streams what it answers at once, with characters of several bytes split over chunks', async () => {
      const whole = WIRES[name].text((await ask(name)).body);
      const response = await streamOf(name);
      expect(response.headers.get('content-type')).toMatch(/^text\/event-stream/);
      const decoded: string[] = [];
      let splits = 0;
      for await (const chunk of response.body as ReadableStream<Uint8Array>) {
        if (chunk.at(-1) !== 0x0a) splits += 1;
        decoded.push(Buffer.from(chunk).toString('latin1'));
      }
      const events = dataOf(Buffer.from(decoded.join(''), 'latin1').toString('utf8'));
      const text = events
        .map((event) =>
          typeof event === 'string'
            ? ''
            : (event.choices?.[0]?.delta.content ??
              event.delta?.text ??
              event.candidates?.[0]?.content.parts[0].text ??
              ''),
        )
        .join('');
      expect(text).toBe(whole);
      expect(splits).toBeGreaterThan(0);
    });

    it('refuses an unknown key without a bill', async () => {
      const { status, body } = await ask(name, PROMPT, {}, 'sk-unknown-key-of-nobody');
      expect([status, body.error.message]).toEqual(
        {
          openai: [401, 'Incorrect API key provided: sk-unkno********body.'],
          openrouter: [401, 'User not found.'],
          anthropic: [401, 'invalid x-api-key'],
          google: [400, 'API key not valid. Please pass a valid API key.'],
        }[name],
      );
      expect(await ai.bill()).toMatchObject({ calls: 0 });
    });

    it('refuses a model that is retired, and lists it no more', async () => {
      await ai.model(name, { id: WIRES[name].model, retiresAt: '2020-01-01' });
      expect((await ask(name)).status).toBe(name === 'openrouter' ? 400 : 404);
      const version = name === 'google' ? 'v1beta' : 'v1';
      const { body } = await ai.sandbox.call(
        'GET',
        `/${name === 'google' ? 'google-ai' : name}/${version}/models`,
        {
          headers: WIRES[name].headers(SANDBOX_AI_KEYS[name]),
        },
      );
      expect(JSON.stringify(body)).not.toContain(`${WIRES[name].model}"`);
    });

    it('refuses a prompt beyond the context window', async () => {
      await ai.model(name, { id: WIRES[name].model, contextWindow: 1_000, maxOutputTokens: 600 });
      const { status, body } = await ask(name, 'word '.repeat(1_000));
      expect(status).toBe(400);
      expect(body.error.message).toMatch(/context length|too long|exceeds the maximum/);
    });

    it('stops at the largest number of tokens', async () => {
      const limits = {
        openai: { max_completion_tokens: 7 },
        openrouter: { max_tokens: 7 },
        anthropic: { max_tokens: 7 },
        google: { generationConfig: { maxOutputTokens: 7 } },
      };
      const { body } = await ask(name, PROMPT, limits[name]);
      const reason = body.choices?.[0].finish_reason ?? body.stop_reason ?? body.candidates?.[0].finishReason;
      expect(reason).toMatch(/^(length|max_tokens|MAX_TOKENS)$/);
      expect((await ai.bill()).total.outputTokens).toBe(7);
    });

    it('notes that the client left a stream, and bills what it was sent', async () => {
      await ai.settings(name, { partDelayMs: 20 });
      const abort = new AbortController();
      const response = await streamOf(name, '[sandbox: words 2000] A long one', abort.signal);
      const reader = (response.body as ReadableStream<Uint8Array>).getReader();
      await reader.read();
      abort.abort();
      await expect(reader.read()).rejects.toThrow();
      await waitUntil(async () => (await ai.bill()).data[0].end === 'client-left');
      const [line] = (await ai.bill()).data;
      expect(line.usage.outputTokens).toBeLessThan(2_000);
      expect((await ai.sandbox.ledger())[0].answered).toBe('client-left');
      expect((await ai.sandbox.control('GET', '/calls')).body.clientsLeft).toEqual([
        expect.objectContaining({ network: name, count: 1 }),
      ]);
    });

    it('ends a stream without its terminal sign, or with an error, when a fault says so', async () => {
      await ai.fault({ kind: 'stream-ends-early', provider: name, times: 1 });
      await ai.fault({ kind: 'stream-error', provider: name, times: 1 });
      const early = await (await streamOf(name)).text();
      expect(early).not.toMatch(/\[DONE\]|message_stop|"finishReason"/);
      expect((await (await streamOf(name)).text()).toLowerCase()).toContain('overloaded');
      expect((await ai.bill()).data.map(({ fault }: Json) => fault)).toEqual([
        'stream-ends-early',
        'stream-error',
      ]);
    });

    it('cuts a stream within a character', async () => {
      await ai.fault({ kind: 'stream-cut-in-character', provider: name, afterParts: 0, times: 1 });
      const response = await streamOf(name);
      const bytes: number[] = [];
      const reading = async (): Promise<void> => {
        for await (const chunk of response.body as ReadableStream<Uint8Array>) bytes.push(...chunk);
      };
      await expect(reading()).rejects.toThrow();
      expect(bytes.at(-1)).toBeGreaterThanOrEqual(0xc0);
      expect((await ai.bill()).data[0]).toMatchObject({ end: 'cut', fault: 'stream-cut-in-character' });
    });

    it('answers the same behind the AI gateway, which wants its own token', async () => {
      const path = `/ai-gateway/${WIRES[name].path.slice(1).replace('google-ai', 'google')}`;
      const { headers, body } = request(name, PROMPT, {});
      const direct = await ask(name);
      const behind = await ai.sandbox.call('POST', path, {
        headers: { ...headers, 'x-ai-gateway-token': SANDBOX_AI_GATEWAY_TOKEN },
        body,
      });
      expect(WIRES[name].text(behind.body)).toBe(WIRES[name].text(direct.body));
      expect(behind.headers.get('x-ai-gateway-log-id')).toBeTruthy();
      expect((await ai.bill()).data.map(({ host }: Json) => host)).toEqual(['api', 'ai-gateway']);
      expect((await ai.sandbox.call('POST', path, { headers, body })).status).toBe(401);
    });
  });

  it.each([
    ['openai', 'rate-limited', 429, 'rate_limit_exceeded'],
    ['openai', 'quota-exhausted', 429, 'insufficient_quota'],
    ['openai', 'out-of-money', 429, 'credit_balance_exhausted'],
    ['openai', 'spend-limit', 429, 'project_spend_limit_exceeded'],
    ['openai', 'overloaded', 503, 'server_is_overloaded'],
    ['openrouter', 'out-of-money', 402, 'Insufficient credits'],
    ['openrouter', 'overloaded', 200, 'Provider returned error'],
    ['anthropic', 'rate-limited', 429, 'rate_limit_error'],
    ['anthropic', 'overloaded', 529, 'overloaded_error'],
    ['anthropic', 'quota-exhausted', 429, 'enforced_spend_limit_reached'],
    ['anthropic', 'spend-limit', 400, 'specified API usage limits'],
    ['anthropic', 'out-of-money', 402, 'billing_error'],
    ['google', 'rate-limited', 429, 'retryDelay'],
    ['google', 'quota-exhausted', 429, 'limit: 0'],
    ['google', 'out-of-money', 402, 'RESOURCE_EXHAUSTED'],
    ['google', 'overloaded', 503, 'UNAVAILABLE'],
  ] as const)('%s: %s is %i with %s', async (provider, kind, status, words) => {
    await ai.fault({ kind, provider, times: 1 });
    const response = await ask(provider);
    expect(response.status).toBe(status);
    expect(JSON.stringify(response.body)).toContain(words);
    expect((await ask(provider)).status).toBe(200);
    expect((await ai.bill()).calls).toBe(1);
  });

  it('sends Retry-After with a limit of the rate, none where the fault has none, and none for money', async () => {
    await ai.fault({ kind: 'rate-limited', provider: 'openai', retryAfterSeconds: 7, times: 1 });
    await ai.fault({ kind: 'rate-limited', provider: 'openai', retryAfterSeconds: null, times: 1 });
    await ai.fault({ kind: 'quota-exhausted', provider: 'openai', times: 1 });
    const waits = [await ask('openai'), await ask('openai'), await ask('openai')];
    expect(waits.map(({ headers }) => headers.get('retry-after'))).toEqual(['7', null, null]);
  });

  it('draws pictures that can be decoded, in the size and format that are asked for', async () => {
    const draw = async (prompt: string, more: object): Promise<Buffer> => {
      const { body } = await ai.sandbox.call('POST', '/openai/v1/images/generations', {
        headers: request('openai', '', {}).headers,
        body: JSON.stringify({ model: 'gpt-image-2', prompt, quality: 'low', ...more }),
      });
      return Buffer.from(body.data[0].b64_json, 'base64');
    };
    const wide = await draw('A red bicycle', { size: '1536x768', output_format: 'webp' });
    expect(await sharp(wide).metadata()).toMatchObject({ format: 'webp', width: 1536, height: 768 });
    const other = await draw('A blue boat', { size: '1536x768', output_format: 'webp' });
    const { entropy } = await sharp(other).stats();
    expect(entropy).toBeGreaterThan(1);
    expect(other.equals(wide)).toBe(false);
    expect(
      await sharp(await draw('x', { size: '1024x1024', output_format: 'jpeg' })).metadata(),
    ).toMatchObject({
      format: 'jpeg',
    });
    const { data, total } = await ai.bill('?ability=image');
    expect([data.length, total.images, total.outputImageTokens]).toEqual([3, 3, 306 + 306 + 272]);
    expect((await ai.sandbox.call('GET', '/')).body).toContain('/_sandbox/ai/pictures/');
  });

  it.each([
    ['gpt-image-2', '1080x1080', /divisible by 16/],
    ['gpt-image-2', '3072x1008', /divisible by 16/],
    ['gpt-image-2', '512x512', /fewer than 655360 pixels/],
    ['gpt-image-1-mini', '1024x1280', /Supported values are: '1024x1024'/],
  ])('%s refuses %s', async (model, size, message) => {
    const { status, body } = await ai.sandbox.call('POST', '/openai/v1/images/generations', {
      headers: request('openai', '', {}).headers,
      body: JSON.stringify({ model, prompt: 'A boat', size }),
    });
    expect([status, body.error]).toMatchObject([
      400,
      { param: 'size', message: expect.stringMatching(message) },
    ]);
  });

  it.each([
    ['half-image', 1, true],
    ['not-an-image', 1, true],
    ['bill-without-image', 0, true],
    ['no-image', 0, false],
  ])('%s: %i pictures, billed: %s', async (kind, pictures, isBilled) => {
    await ai.fault({ kind, provider: 'openai' });
    const { body } = await ai.sandbox.call('POST', '/openai/v1/images/generations', {
      headers: request('openai', '', {}).headers,
      body: JSON.stringify({ model: 'gpt-image-2', prompt: 'A boat', size: '1024x1024' }),
    });
    expect(body.data).toHaveLength(pictures);
    for (const { b64_json: data } of body.data)
      await expect(sharp(Buffer.from(data, 'base64')).raw().toBuffer()).rejects.toThrow();
    expect((await ai.bill()).total.outputImageTokens > 0).toBe(isBilled);
  });

  it('transcribes tones, in tokens or in seconds, and refuses what is no audio', async () => {
    const words = 'good morning please approve the second posts before noon';
    const transcribe = async (model: string, file: Buffer, name = 'a.wav'): Promise<SandboxResponse> => {
      const form = new FormData();
      form.set('model', model);
      form.set('file', new File([new Uint8Array(file)], name, { type: 'audio/wav' }));
      const headers = WIRES.openai.headers(SANDBOX_AI_KEYS.openai);
      return ai.sandbox.call('POST', '/openai/v1/audio/transcriptions', { headers, body: form });
    };
    const spoken = await ai.spoken(words);
    expect((await transcribe('gpt-4o-transcribe', spoken)).body).toMatchObject({
      text: words,
      usage: { type: 'tokens', input_token_details: { audio_tokens: 27 } },
    });
    expect((await transcribe('whisper-1', spoken)).body).toEqual({
      text: words,
      usage: { type: 'duration', seconds: 3 },
    });
    const broken = await transcribe('whisper-1', spoken.subarray(0, 1_000));
    expect([broken.status, broken.body.error.message]).toEqual([
      400,
      'Audio file might be corrupted or unsupported',
    ]);
    expect((await transcribe('whisper-1', spoken, 'a.txt')).body.error.message).toMatch(
      /^Invalid file format/,
    );
    expect((await ai.bill()).total).toMatchObject({ inputAudioTokens: 27, audioSeconds: 3 });
  });

  it('counts cached tokens of a long prompt that it has seen', async () => {
    const long = 'A sentence of the style guide. '.repeat(200);
    const [first, second] = [await ask('openai', long), await ask('openai', long)];
    expect(first.body.usage.prompt_tokens_details.cached_tokens).toBe(0);
    const { prompt_tokens: prompt, prompt_tokens_details: details } = second.body.usage;
    expect(details.cached_tokens).toBeGreaterThanOrEqual(1_024);
    expect((await ai.bill()).data[1].usage).toMatchObject({
      inputTokens: prompt - details.cached_tokens,
      cachedInputTokens: details.cached_tokens,
    });
  });

  it('has an open catalog that can fail, be malformed and be stale', async () => {
    const read = () => ai.sandbox.call('GET', '/model-catalog');
    expect((await read()).body.openai.models['gpt-5.4']).toMatchObject({ cost: { input: 2.5, output: 15 } });
    await ai.catalog({ state: 'failing' });
    expect((await read()).status).toBe(503);
    await ai.catalog({ state: 'not-json' });
    expect(typeof (await read()).body).toBe('string');
    await ai.catalog({ state: 'stale' });
    await ai.model('openai', { id: 'gpt-7' });
    expect((await read()).body.openai.models).not.toHaveProperty('gpt-7');
    await ai.catalog({ state: 'ok', models: { 'openai/gpt-7': { cost: { input: 1, output: 2 } } } });
    expect((await read()).body.openai.models['gpt-7']).toMatchObject({ cost: { input: 1, output: 2 } });
  });

  it('refuses a fault that can never apply', async () => {
    const refused = await ai.sandbox.control('POST', '/ai/faults', { kind: 'overloaded', provider: 'acme' });
    expect(refused.status).toBe(400);
    expect((await ai.sandbox.control('POST', '/ai/faults', { kind: 'burning' })).status).toBe(400);
  });
});
