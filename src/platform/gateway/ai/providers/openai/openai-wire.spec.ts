import { aCompletion, anImage, aRecording } from '../../../../../../test/support/ai-requests.js';
import { aWireCall, type Canned, CannedHttp, SECRET } from '../../../../../../test/support/canned-http.js';
import { acceptsOf } from '../ai-providers.js';
import type { CompletionRequest } from '../wires/requests.js';
import type { CompletionPart } from '../wires/wire.js';
import { OpenAiWire } from './openai-wire.js';
import { OpenRouterWire } from '../openrouter/openrouter-wire.js';

const chat = (message: object, finish = 'stop', more: object = {}) => ({
  id: 'chatcmpl-1',
  model: 'gpt-x-2026',
  choices: [{ index: 0, message: { role: 'assistant', ...message }, finish_reason: finish }],
  usage: { prompt_tokens: 10, completion_tokens: 5 },
  ...more,
});
const complete = async (canned: Canned, request = aCompletion()) => {
  const http = new CannedHttp(canned);
  return { http, attempted: await new OpenAiWire(http.http).complete(aWireCall(), request) };
};
/** Of a restricted key (developers.openai.com, error codes; the words are those of the API). */
const mayNot = (scope: string) => ({
  error: {
    message: `You have insufficient permissions for this operation. Missing scopes: ${scope}. Check that you have the correct role in your organization.`,
    type: 'invalid_request_error',
    param: null,
    code: null,
  },
});
const sentFor = async (request: Partial<CompletionRequest>) =>
  (await complete({ body: chat({ content: 'x' }) }, aCompletion(request))).http.sent() as Record<
    string,
    unknown
  >;

describe('chat completions', () => {
  it('sends the key in a header, and the model and the limit of tokens', async () => {
    const { http } = await complete({ body: chat({ content: 'x' }) });
    const [request] = http.requests;
    expect(request).toMatchObject({
      method: 'POST',
      url: 'https://provider.test/v1/chat/completions',
      headers: { authorization: `Bearer ${SECRET}`, 'content-type': 'application/json' },
    });
    expect(http.sent()).toEqual({
      model: 'a-model',
      messages: [{ role: 'user', content: [{ type: 'text', text: 'Hello' }] }],
      max_completion_tokens: 256,
    });
  });

  it('sends system, images, tools, their results and their choice', async () => {
    const tool = { name: 'add', description: 'Adds', parameters: { type: 'object' } };
    const sent = await sentFor({
      system: 'Be brief',
      messages: [
        {
          role: 'user',
          content: [
            { type: 'text', text: 'What is it?' },
            { type: 'image', mediaType: 'image/png', data: 'AAAA' },
          ],
        },
        { role: 'assistant', content: [], toolCalls: [{ id: 'call_1', name: 'add', arguments: '' }] },
        { role: 'tool', toolCallId: 'call_1', content: '3' },
      ],
      temperature: 0,
      stop: ['END'],
      tools: [tool],
      toolChoice: { name: 'add' },
    });
    expect(sent).toMatchObject({
      messages: [
        { role: 'system', content: 'Be brief' },
        {
          role: 'user',
          content: [
            { type: 'text', text: 'What is it?' },
            { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } },
          ],
        },
        {
          role: 'assistant',
          content: null,
          tool_calls: [{ id: 'call_1', type: 'function', function: { name: 'add', arguments: '{}' } }],
        },
        { role: 'tool', tool_call_id: 'call_1', content: '3' },
      ],
      temperature: 0,
      stop: ['END'],
      tools: [{ type: 'function', function: tool }],
      tool_choice: { type: 'function', function: { name: 'add' } },
    });
  });

  it('shortens ids of other providers, the same for a call and its result', async () => {
    const id = `gc_${'x'.repeat(500)}`;
    const { messages } = await sentFor({
      messages: [
        { role: 'assistant', content: [], toolCalls: [{ id, name: 'add', arguments: '{}' }] },
        { role: 'tool', toolCallId: id, content: '3' },
      ],
    });
    const [call, result] = messages as [{ tool_calls: [{ id: string }] }, { tool_call_id: string }];
    expect(call.tool_calls[0].id).toMatch(/^[\w-]{1,40}$/);
    expect(result.tool_call_id).toBe(call.tool_calls[0].id);
  });

  it.each([
    [
      'strict',
      { type: 'object', properties: { a: { type: 'string' } }, required: ['a'], additionalProperties: false },
      true,
    ],
    ['open objects', { type: 'object', properties: { a: { type: 'string' } }, required: ['a'] }, false],
    [
      'an optional property',
      { type: 'object', properties: { a: {} }, required: [], additionalProperties: false },
      false,
    ],
    ['an open object within', { type: 'array', items: { type: 'object', properties: {} } }, false],
  ])('asks for a JSON schema, strictly where the provider accepts it so: %s', async (_, schema, strict) => {
    const sent = await sentFor({ responseSchema: { name: 'answer', schema } });
    expect(sent.response_format).toEqual({
      type: 'json_schema',
      json_schema: { name: 'answer', schema, strict },
    });
  });

  it('gives malformed arguments of a call back as the model wrote them', async () => {
    const sent = await sentFor({
      messages: [
        { role: 'assistant', content: [], toolCalls: [{ id: 'a', name: 'add', arguments: '[1' }] },
        { role: 'tool', toolCallId: 'a', content: 'The arguments are no JSON.' },
      ],
    });
    expect(sent.messages).toMatchObject([
      { tool_calls: [{ id: 'a', function: { name: 'add', arguments: '[1' } }] },
      { tool_call_id: 'a' },
    ]);
  });

  it('sends nothing with a result without its call', async () => {
    const { http, attempted } = await complete(
      {},
      aCompletion({
        messages: [
          { role: 'assistant', content: [], toolCalls: [] },
          { role: 'tool', toolCallId: 'b', content: '' },
        ],
      }),
    );
    expect(attempted).toMatchObject({ kind: 'failed', failure: { kind: 'invalid', status: null } });
    expect(http.requests).toEqual([]);
  });

  it('reads text, the model and the request id', async () => {
    const { attempted } = await complete({
      headers: { 'x-request-id': 'req-1' },
      body: chat({ content: 'Hi' }),
    });
    expect(attempted).toMatchObject({
      kind: 'answered',
      value: { text: 'Hi', toolCalls: [], finishReason: 'stop' },
      model: 'gpt-x-2026',
      usage: { inputTokens: 10, outputTokens: 5 },
      requestId: 'req-1',
    });
  });

  it('reads calls of tools, malformed arguments too', async () => {
    const tool_calls = [{ id: 'c1', type: 'function', function: { name: 'add', arguments: '{"a":' } }];
    const { attempted } = await complete({ body: chat({ content: null, tool_calls }, 'tool_calls') });
    expect(attempted).toMatchObject({
      value: {
        text: '',
        toolCalls: [{ id: 'c1', name: 'add', arguments: '{"a":' }],
        finishReason: 'tool_calls',
      },
    });
  });

  it.each([
    ['a refusal', chat({ content: null, refusal: 'I cannot' }), 'policy'],
    ['a filter without content', chat({ content: '' }, 'content_filter'), 'policy'],
    [
      'an error as the choice',
      chat({}, 'error', { choices: [{ finish_reason: 'error', error: { code: 429 } }] }),
      'rate',
    ],
    ['no choices', { ...chat({}), choices: [] }, 'unreadable'],
    ['a strange reason without content', chat({ content: '' }, 'constructor'), 'unreadable'],
    ['content of another type', chat({ content: [{ type: 'text' }] }), 'unreadable'],
    ['calls without ids', chat({ tool_calls: [{ function: { name: 'a', arguments: '' } }] }), 'unreadable'],
  ])('fails on %s, with what is billed', async (_, body, kind) => {
    const { attempted } = await complete({ body });
    expect(attempted).toMatchObject({ kind: 'failed', failure: { kind }, usage: { inputTokens: 10 } });
  });

  it.each(['a_reason_of_tomorrow', 'constructor', '', null])(
    'keeps the words and the usage of a response that ends with the reason %j',
    async (reason) => {
      const { attempted } = await complete({ body: chat({ content: 'Once' }, reason as string) });
      expect(attempted).toMatchObject({
        kind: 'answered',
        value: { text: 'Once', finishReason: 'other' },
        usage: { inputTokens: 10, outputTokens: 5 },
      });
    },
  );

  it('keeps calls of tools of a response that ends with a reason that is not known', async () => {
    const tool_calls = [{ id: 'c1', type: 'function', function: { name: 'add', arguments: '{}' } }];
    const { attempted } = await complete({
      body: chat({ content: null, tool_calls }, 'a_reason_of_tomorrow'),
    });
    expect(attempted).toMatchObject({ kind: 'answered', value: { finishReason: 'tool_calls' } });
  });

  it.each([
    ['of another type', { id: 'c2', type: 'custom', custom: { name: 'sql', input: 'SELECT' } }],
    ['without a name', { id: 'c2', type: 'function', function: { arguments: '{}' } }],
    ['that is none', null],
  ])('leaves out a call %s, and keeps text and other calls', async (_, other) => {
    const call = { id: 'c1', type: 'function', function: { name: 'add', arguments: '{}' } };
    const both = await complete({ body: chat({ content: 'Hm', tool_calls: [other, call] }, 'tool_calls') });
    expect(both.attempted).toMatchObject({
      kind: 'answered',
      value: { text: 'Hm', toolCalls: [{ id: 'c1', name: 'add' }], finishReason: 'tool_calls' },
    });
    const words = await complete({ body: chat({ content: 'Hm', tool_calls: [other] }, 'tool_calls') });
    expect(words.attempted).toMatchObject({
      kind: 'answered',
      value: { text: 'Hm', toolCalls: [], finishReason: 'other' },
    });
    const nothing = await complete({ body: chat({ content: null, tool_calls: [other] }, 'tool_calls') });
    expect(nothing.attempted).toMatchObject({ kind: 'failed', failure: { kind: 'unreadable' } });
  });

  it('reads content that is a list of parts, and leaves out parts of other types', async () => {
    const text = (words: unknown) => ({ type: 'text', text: words });
    const thought = { type: 'thinking', thinking: [text('Let me see')] };
    const { attempted } = await complete({
      body: chat({ content: [thought, text('On'), text(5), text('ce')] }),
    });
    expect(attempted).toMatchObject({ kind: 'answered', value: { text: 'Once', finishReason: 'stop' } });
    const cut = await complete({ body: chat({ content: [thought] }, 'length') });
    expect(cut.attempted).toMatchObject({ value: { text: '', finishReason: 'length' } });
    const refused = await complete({ body: chat({ content: [{ type: 'refusal', refusal: 'I cannot' }] }) });
    expect(refused.attempted).toMatchObject({ failure: { kind: 'policy', code: 'refusal' } });
  });

  it('sends what the model accepts: no temperature, and tools without reasoning', async () => {
    const tools = [{ name: 'add', description: 'Adds', parameters: { type: 'object' } }];
    const sentTo = async (model: string, asked: Partial<CompletionRequest>) => {
      const http = new CannedHttp({ body: chat({ content: 'Hi' }) });
      const call = aWireCall({ model, accepts: acceptsOf('openai', model) });
      await new OpenAiWire(http.http).complete(call, aCompletion({ temperature: 0.2, ...asked }));
      return http.sent();
    };
    expect(await sentTo('gpt-6-luna', { tools })).toMatchObject({ reasoning_effort: 'none' });
    expect(await sentTo('gpt-6-luna', { tools })).not.toHaveProperty('temperature');
    expect(await sentTo('gpt-6-luna', {})).not.toHaveProperty('reasoning_effort');
    expect(await sentTo('gpt-4o-mini', { tools })).toMatchObject({ temperature: 0.2 });
    expect(await sentTo('gpt-4o-mini', { tools })).not.toHaveProperty('reasoning_effort');
    expect(await sentTo('o4-mini', { stop: ['END'] })).toBeUndefined();
  });

  it('keeps text that a filter ended', async () => {
    const { attempted } = await complete({ body: chat({ content: 'Once' }, 'content_filter') });
    expect(attempted).toMatchObject({ value: { text: 'Once', finishReason: 'content_filter' } });
  });

  it('reads an error in a response of status 200 by its code', async () => {
    const body = { error: { code: 402, message: 'Insufficient credits' } };
    expect((await complete({ body })).attempted).toMatchObject({ failure: { kind: 'money', status: 200 } });
  });
});

describe('streamed chat completions', () => {
  const chunk = (choice: object | null, more: object = {}) =>
    `data: ${JSON.stringify({ id: 'c1', model: 'gpt-x-2026', choices: choice ? [{ index: 0, ...choice }] : [], ...more })}\n\n`;
  const DONE = 'data: [DONE]\n\n';
  const USAGE = chunk(null, { usage: { prompt_tokens: 10, completion_tokens: 5 } });
  const stop = (reason = 'stop') => chunk({ delta: {}, finish_reason: reason });
  const text = (content: string) => chunk({ delta: { content }, finish_reason: null });

  const streamed = async (...body: (string | Error)[]) => {
    const http = new CannedHttp({ body });
    const parts: CompletionPart[] = [];
    for await (const part of new OpenAiWire(http.http).streamCompletion(aWireCall(), aCompletion()))
      parts.push(part);
    return { http, parts };
  };

  it.each(['stop', null])(
    'keep the final usage when they are cut after it, with the reason %j',
    async (reason) => {
      const { parts } = await streamed(text('x'), chunk({ delta: {}, finish_reason: reason }), USAGE);
      expect(parts.at(-1)).toMatchObject({ kind: 'failed', usage: { inputTokens: 10, outputTokens: 5 } });
    },
  );

  it('tell the final usage to a caller that leaves', async () => {
    const http = new CannedHttp({
      body: [text('x'), chunk({ delta: {}, finish_reason: 'stop' }), USAGE, text('y')],
    });
    const counted = jest.fn();
    const call = { ...aWireCall(), counted };
    let texts = 0;
    for await (const part of new OpenAiWire(http.http).streamCompletion(call, aCompletion()))
      if (part.kind === 'text' && (texts += 1) === 2) break;
    expect(counted.mock.calls).toMatchObject([[{ usage: { inputTokens: 10, outputTokens: 5 } }]]);
  });

  it.each(['a_reason_of_tomorrow', '', null])(
    'keep the words and the usage when they end with the reason %j',
    async (reason) => {
      const { parts } = await streamed(text('x'), chunk({ delta: {}, finish_reason: reason }), USAGE, DONE);
      expect(parts).toMatchObject([
        { kind: 'text', text: 'x' },
        { kind: 'end', finishReason: 'other', usage: { inputTokens: 10, outputTokens: 5 } },
      ]);
    },
  );

  it('asks for usage, and ends with it', async () => {
    const { http, parts } = await streamed(
      chunk({ delta: { role: 'assistant', content: '' } }),
      ': ping\n\n',
      text('He'),
      text('llo'),
      stop(),
      USAGE,
      DONE,
    );
    expect(http.sent()).toMatchObject({ stream: true, stream_options: { include_usage: true } });
    expect(parts).toEqual([
      { kind: 'text', text: 'He' },
      { kind: 'text', text: 'llo' },
      expect.objectContaining({
        kind: 'end',
        finishReason: 'stop',
        model: 'gpt-x-2026',
        usage: expect.objectContaining({ inputTokens: 10, outputTokens: 5 }) as object,
        requestId: 'c1',
      }),
    ]);
  });

  it('takes the last usage and never adds', async () => {
    const counted = (tokens: number) =>
      chunk({ delta: { content: 'x' } }, { usage: { prompt_tokens: 10, completion_tokens: tokens } });
    const { parts } = await streamed(counted(1), counted(2), counted(3), stop(), DONE);
    expect(parts.at(-1)).toMatchObject({ kind: 'end', usage: { inputTokens: 10, outputTokens: 3 } });
  });

  it('has no usage, not zero, when the provider sends none', async () => {
    const { parts } = await streamed(text('x'), stop(), DONE);
    expect(parts.at(-1)).toMatchObject({ kind: 'end', usage: null });
  });

  it('streams calls of tools, with id and name once', async () => {
    const call = (index: number, id: string | undefined, name: string | undefined, source: string) =>
      chunk({ delta: { tool_calls: [{ index, id, function: { name, arguments: source } }] } });
    const { parts } = await streamed(
      call(0, 'c1', 'add', ''),
      call(0, undefined, undefined, '{"a":'),
      call(0, 'c1', 'add', '1}'),
      call(1, 'c2', 'sub', '{}'),
      stop('tool_calls'),
      DONE,
    );
    expect(parts.slice(0, 4)).toEqual([
      { kind: 'tool', index: 0, id: 'c1', name: 'add', arguments: '' },
      { kind: 'tool', index: 0, id: null, name: null, arguments: '{"a":' },
      { kind: 'tool', index: 0, id: null, name: null, arguments: '1}' },
      { kind: 'tool', index: 1, id: 'c2', name: 'sub', arguments: '{}' },
    ]);
    expect(parts.at(-1)).toMatchObject({ kind: 'end', finishReason: 'tool_calls' });
  });

  it.each([
    ['without [DONE]', [text('x'), stop(), USAGE], 'no-answer'],
    ['without anything', [], 'no-answer'],
    ['a connection that ends', [text('x'), new Error('reset')], 'no-answer'],
    [
      'in the middle of a code point',
      [text('x'), 'data: {"choices":[{"delta":{"content":"\u00c3'],
      'no-answer',
    ],
    [
      'an error as an event',
      [text('x'), 'data: {"error":{"code":"server_error","message":"x"}}\n\n'],
      'overload',
    ],
    ['an event of type error', ['event: error\ndata: {"code":"rate_limit_exceeded"}\n\n'], 'rate'],
    [
      'an error of the choice',
      [chunk({ finish_reason: 'error', delta: {}, error: { code: 502 } })],
      'overload',
    ],
    [
      'OpenRouter’s error',
      [chunk({ finish_reason: 'error', delta: {} }, { error: { code: 402, message: 'x' } })],
      'money',
    ],
    ['bare JSON', [text('x'), '{"error":{"code":"insufficient_quota"}}'], 'money'],
    ['no JSON', ['data: hello\n\n'], 'unreadable'],
    ['[DONE] without a reason and without content', [DONE], 'unreadable'],
    ['a refusal', [chunk({ delta: { refusal: 'No' } }), stop(), USAGE, DONE], 'policy'],
    ['a filter before content', [stop('content_filter'), USAGE, DONE], 'policy'],
    [
      'a call without an id',
      [chunk({ delta: { tool_calls: [{ index: 0, function: {} }] } }), stop('tool_calls'), DONE],
      'unreadable',
    ],
    [
      'too many calls',
      [chunk({ delta: { tool_calls: [{ index: 128, id: 'a', function: { name: 'b' } }] } })],
      'unreadable',
    ],
  ] as [string, (string | Error)[], string][])('fails once and last: %s', async (_, body, kind) => {
    const { http, parts } = await streamed(...body);
    expect(parts.at(-1)).toMatchObject({ kind: 'failed', failure: { kind } });
    expect(parts.filter((part) => part.kind === 'failed' || part.kind === 'end')).toHaveLength(1);
    expect(http.sources.every(({ destroyed }) => destroyed)).toBe(true);
  });

  it('leave out a call of another type, and keep text and other calls', async () => {
    const tools = (...tool_calls: object[]) => chunk({ delta: { tool_calls } });
    const custom = [
      tools({ index: 0, id: 'c0', type: 'custom', custom: { name: 'sql', input: '' } }),
      tools({ index: 0, custom: { input: 'SELECT' } }),
      tools({ index: 0, id: 'c0', function: { name: 'late', arguments: 'half' } }),
    ];
    const call = tools({ index: 1, id: 'c1', function: { name: 'add', arguments: '{}' } });
    const both = await streamed(text('Hm'), ...custom, call, stop('tool_calls'), USAGE, DONE);
    expect(both.parts).toMatchObject([
      { kind: 'text', text: 'Hm' },
      { kind: 'tool', index: 1, id: 'c1', name: 'add', arguments: '{}' },
      { kind: 'end', finishReason: 'tool_calls' },
    ]);
    const words = await streamed(text('Hm'), ...custom, stop('tool_calls'), USAGE, DONE);
    expect(words.parts).toMatchObject([{ kind: 'text' }, { kind: 'end', finishReason: 'other' }]);
    const nothing = await streamed(...custom, stop('tool_calls'), USAGE, DONE);
    const usage = { inputTokens: 10, outputTokens: 5 };
    expect(nothing.parts).toMatchObject([{ kind: 'failed', failure: { kind: 'unreadable' }, usage }]);
  });

  it('read content that is a list of parts, and leave out parts of other types', async () => {
    const content = (...parts: object[]) => chunk({ delta: { content: parts } });
    const thought = content({ type: 'thinking', thinking: [{ type: 'text', text: 'Hm' }] });
    const words = content({ type: 'text', text: 'On' }, { type: 'text', text: 'ce' });
    const { parts } = await streamed(thought, words, stop(), DONE);
    expect(parts).toMatchObject([
      { kind: 'text', text: 'Once' },
      { kind: 'end', finishReason: 'stop' },
    ]);
    expect((await streamed(thought, stop(), DONE)).parts).toMatchObject([
      { failure: { kind: 'unreadable' } },
    ]);
    const refused = await streamed(content({ type: 'refusal', refusal: 'No' }), stop(), DONE);
    expect(refused.parts).toMatchObject([{ failure: { kind: 'policy' } }]);
  });

  it('counts a refusal, which is billed', async () => {
    const { parts } = await streamed(chunk({ delta: { refusal: 'No' } }), stop(), USAGE, DONE);
    expect(parts.at(-1)).toMatchObject({ usage: { inputTokens: 10, outputTokens: 5 } });
  });

  it('reads a refused request', async () => {
    const http = new CannedHttp({
      status: 429,
      headers: { 'retry-after': '7' },
      body: { error: { code: 'slow_down' } },
    });
    const parts: CompletionPart[] = [];
    for await (const part of new OpenAiWire(http.http).streamCompletion(aWireCall(), aCompletion()))
      parts.push(part);
    expect(parts).toMatchObject([{ kind: 'failed', failure: { kind: 'rate', retryAfterMs: 7_000 } }]);
  });

  it('reads an error that comes as JSON of status 200', async () => {
    const http = new CannedHttp({ body: { error: { code: 429, message: 'x' } } });
    const parts: CompletionPart[] = [];
    for await (const part of new OpenAiWire(http.http).streamCompletion(aWireCall(), aCompletion()))
      parts.push(part);
    expect(parts).toMatchObject([{ kind: 'failed', failure: { kind: 'rate', status: 200 } }]);
  });

  it('asks for nothing before it is read, and ends the request when its reader stops', async () => {
    const http = new CannedHttp({ body: [text('a'), text('b'), stop(), DONE] });
    const stream = new OpenAiWire(http.http).streamCompletion(aWireCall(), aCompletion());
    expect(http.requests).toEqual([]);
    for await (const part of stream) if (part.kind === 'text') break;
    expect(http.sources.map(({ destroyed }) => destroyed)).toEqual([true]);
  });
});

describe('images', () => {
  const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGP4z8AAAAMBAQDJ/pLvAAAAAElFTkSuQmCC';
  const usage = { input_tokens: 5, output_tokens: 100 };
  const draw = async (body: object, changes = {}) => {
    const http = new CannedHttp({ body });
    return { http, attempted: await new OpenAiWire(http.http).generateImages(aWireCall(), anImage(changes)) };
  };

  it('sends no response_format, and quality only when one is asked for', async () => {
    const { http } = await draw({ data: [{ b64_json: PNG }], usage }, { count: 2, quality: 'high' });
    expect(http.sent()).toEqual({
      model: 'a-model',
      prompt: 'A red square',
      n: 2,
      size: '1024x1024',
      quality: 'high',
      output_format: 'png',
    });
    expect((await draw({ data: [{ b64_json: PNG }] })).http.sent()).not.toHaveProperty('quality');
  });

  it('asks for a size that the model draws', async () => {
    const { http } = await draw({ data: [{ b64_json: PNG }] }, { width: 1_080, height: 1_350 });
    expect(http.sent()).toMatchObject({ size: '1088x1344' });
  });

  it('gives whole images and counts them', async () => {
    const data = [{ b64_json: PNG, revised_prompt: 'A very red square' }, { b64_json: PNG }];
    expect((await draw({ data, usage })).attempted).toMatchObject({
      kind: 'answered',
      value: [
        { mediaType: 'image/png', revisedPrompt: 'A very red square', base64: PNG },
        { mediaType: 'image/png', revisedPrompt: null },
      ],
      usage: { images: 2, outputImageTokens: 100, inputTokens: 5 },
    });
  });

  it.each([
    ['half', { b64_json: PNG.slice(0, 60) }],
    ['an address', { url: 'https://x.test/a.png' }],
  ])('gives the whole image of two when the other is %s, and counts both', async (_, other) => {
    expect((await draw({ data: [other, { b64_json: PNG }], usage })).attempted).toMatchObject({
      kind: 'answered',
      value: [{ base64: PNG }],
      usage: { images: 2, outputImageTokens: 100 },
    });
  });

  it.each([
    ['half an image', [{ b64_json: PNG.slice(0, 60) }]],
    ['an address', [{ url: 'https://x.test/a.png' }]],
    ['none', []],
  ])('is unreadable with %s, and billed', async (_, data) => {
    expect((await draw({ data, usage })).attempted).toMatchObject({
      kind: 'failed',
      failure: { kind: 'unreadable' },
      usage: { outputImageTokens: 100 },
    });
  });
});

describe('transcriptions', () => {
  const listen = async (body: object | string, changes = {}) => {
    const http = new CannedHttp({ body });
    const attempted = await new OpenAiWire(http.http).transcribe(aWireCall(), aRecording(changes));
    return { http, attempted, form: (http.requests[0]?.body as Buffer).toString('latin1') };
  };

  it('sends the file with extension and type, and no name of the caller', async () => {
    const file = {
      name: 'my secret "call"\r\n.WAV',
      mediaType: 'audio/wav; codecs=1',
      bytes: Buffer.from('12345'),
    };
    const { form, http } = await listen({ text: 'x' }, { file, language: 'de', prompt: 'Names' });
    expect(form).toContain('name="file"; filename="audio.wav"\r\ncontent-type: audio/wav\r\n\r\n12345\r\n');
    expect(form).toMatch(/name="model"\r\n\r\na-model\r\n/);
    expect(form).toMatch(/name="response_format"\r\n\r\njson\r\n/);
    expect(form).toMatch(/name="language"\r\n\r\nde\r\n/);
    expect(form).toMatch(/name="prompt"\r\n\r\nNames\r\n/);
    expect(form).not.toContain('secret');
    expect(http.requests[0]?.headers).toMatchObject({
      'content-type': expect.stringContaining('boundary=') as string,
    });
  });

  it.each([
    ['blob', 'audio/mpeg', 'audio.mp3'],
    ['a.m4a', 'audio/mp4', 'audio.m4a'],
    ['voice.exe', 'constructor', 'audio'],
  ])('names %s of type %s as %s', async (name, mediaType, expected) => {
    const { form } = await listen({ text: 'x' }, { file: { name, mediaType, bytes: Buffer.from('1') } });
    expect(form).toContain(`filename="${expected}"`);
  });

  it('reads text and either kind of usage', async () => {
    const duration = { text: 'Hi', usage: { type: 'duration', seconds: 3 } };
    expect((await listen(duration)).attempted).toMatchObject({
      value: { text: 'Hi' },
      usage: { audioSeconds: 3 },
    });
    expect((await listen({ text: '' })).attempted).toMatchObject({ value: { text: '' }, usage: null });
  });

  it('is unreadable without text', async () => {
    expect((await listen({ words: [] })).attempted).toMatchObject({ failure: { kind: 'unreadable' } });
    expect((await listen('<html>')).attempted).toMatchObject({ failure: { kind: 'unreadable' } });
  });
});

describe('a refusal without `error`', () => {
  const refusal = { status: 401, body: { message: 'Invalid token.' } };
  const behind = (http: CannedHttp) => Object.assign(http, { isBehindGateway: true }).http;

  it('is about the key when the provider itself is called', async () => {
    const http = new CannedHttp(refusal);
    const wire = new OpenAiWire(http.http);
    expect(await wire.complete(aWireCall(), aCompletion())).toMatchObject({
      failure: { kind: 'credential' },
    });
    const parts = [];
    for await (const part of wire.streamCompletion(aWireCall(), aCompletion())) parts.push(part);
    expect(parts).toMatchObject([{ kind: 'failed', failure: { kind: 'credential' } }]);
  });

  it("is the AI gateway's where there is one", async () => {
    const wire = new OpenAiWire(behind(new CannedHttp(refusal)));
    const expected = { failure: { kind: 'not-sent', code: 'AI_GATEWAY_REFUSED' } };
    expect(await wire.complete(aWireCall(), aCompletion())).toMatchObject(expected);
    const parts = [];
    for await (const part of wire.streamCompletion(aWireCall(), aCompletion())) parts.push(part);
    expect(parts).toMatchObject([{ kind: 'failed', ...expected }]);
  });
});

describe('models', () => {
  it('lists them with the date of their end', async () => {
    const data = [
      { id: 'a', created: 1, shutdown_date: '2026-12-01' },
      { id: 'b', shutdown_date: 1_796_083_200 },
      {
        id: 'c',
        name: 'C',
        context_length: 1_000,
        top_provider: { max_completion_tokens: 9 },
        shutdown_date: 'x',
      },
      { id: 'd', shutdown_date: 0, expiration_date: '2026-12-02' },
      { id: 'e', shutdown_date: -1 },
      { id: 'f', shutdown_date: '1970-01-01' },
      { id: 'g', shutdown_date: '0001-01-01T00:00:00Z' },
    ];
    const http = new CannedHttp({ body: { data } });
    expect(await new OpenAiWire(http.http).listModels(aWireCall())).toEqual({
      kind: 'answered',
      value: [
        { id: 'a', name: null, contextWindow: null, maxOutputTokens: null, retiresAt: '2026-12-01' },
        { id: 'b', name: null, contextWindow: null, maxOutputTokens: null, retiresAt: '2026-12-01' },
        { id: 'c', name: 'C', contextWindow: 1_000, maxOutputTokens: 9, retiresAt: null },
        { id: 'd', name: null, contextWindow: null, maxOutputTokens: null, retiresAt: '2026-12-02' },
        ...['e', 'f', 'g'].map((id) => ({
          ...{ id, name: null, contextWindow: null, maxOutputTokens: null, retiresAt: null },
        })),
      ],
    });
  });

  it('keeps the place of a model that it cannot name', async () => {
    const http = new CannedHttp({ body: { data: [{ id: 'a' }, {}, null, { id: 7 }, 'b'] } });
    const listed = await new OpenAiWire(http.http).listModels(aWireCall());
    expect(listed.kind === 'answered' && listed.value.map(({ id }) => id)).toEqual(['a', '', '', '', '']);
  });

  it.each<[string, Canned, object]>([
    ['a key that lists models', { body: { data: [{ id: 'a' }] } }, { kind: 'answered' }],
    [
      'a key that may use models and not list them',
      { status: 401, body: mayNot('api.model.read') },
      { kind: 'answered' },
    ],
    [
      'a key that may not use models',
      { status: 401, body: mayNot('model.request') },
      { kind: 'failed', failure: { kind: 'credential' } },
    ],
    [
      'a key that it does not know',
      { status: 401, body: { error: { message: 'Incorrect API key provided', code: 'invalid_api_key' } } },
      { kind: 'failed', failure: { kind: 'credential' } },
    ],
    ['no list', { body: {} }, { kind: 'failed', failure: { kind: 'unreadable' } }],
  ])('checks %s', async (_, canned, outcome) => {
    const http = new CannedHttp(canned);
    expect(await new OpenAiWire(http.http).checkCredential(aWireCall())).toMatchObject(outcome);
    expect(http.requests.map(({ url }) => url)).toEqual(['https://provider.test/v1/models']);
  });

  it.each([
    ['its cost', { cost: 0.000123 }, 123_000n],
    ['no cost, where it is free', { cost: 0 }, 0n],
    [
      'its fee and the cost of the provider behind it',
      { cost: 0.001, is_byok: true, cost_details: { upstream_inference_cost: 0.02 } },
      21_000_000n,
    ],
    ['nothing', { cost: -1 }, undefined],
  ])('reads what OpenRouter charges: %s', async (_, more, billed) => {
    const usage = { prompt_tokens: 10, completion_tokens: 5, ...more };
    const whole = new CannedHttp({ body: chat({ content: 'x' }, 'stop', { usage }) });
    const attempted = await new OpenRouterWire(whole.http).complete(aWireCall(), aCompletion());
    const body = [
      `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content: 'x' }, finish_reason: 'stop' }], usage })}\n\n`,
      'data: [DONE]\n\n',
    ];
    const parts: CompletionPart[] = [];
    for await (const part of new OpenRouterWire(new CannedHttp({ body }).http).streamCompletion(
      aWireCall(),
      aCompletion(),
    ))
      parts.push(part);
    expect([attempted, parts.at(-1)]).toMatchObject([{ kind: 'answered' }, { kind: 'end' }]);
    expect([attempted, parts.at(-1)].map((one) => (one as { billed?: bigint }).billed)).toEqual([
      billed,
      billed,
    ]);
  });

  it('reads the prices of OpenRouter, and none of a router or of a free model', async () => {
    const pricing = {
      prompt: '0.00000125',
      completion: '0.00001',
      input_cache_read: '0.000000125',
      request: '0',
      image: '0',
    };
    const data = [
      { id: 'a/b', pricing },
      { id: 'a/free', pricing: { prompt: '0', completion: '0' } },
      { id: 'openrouter/auto', pricing: { prompt: '-1', completion: '-1' } },
      { id: 'a/per-request', pricing: { ...pricing, request: '0.01' } },
    ];
    const listed = await new OpenRouterWire(new CannedHttp({ body: { data } }).http).listModels(aWireCall());
    const prices = { inputTokens: 1.25, outputTokens: 10, cachedInputTokens: 0.125 };
    expect(listed.kind === 'answered' && listed.value.map((one) => one.perMillion)).toEqual([
      prices,
      undefined,
      undefined,
      undefined,
    ]);
  });

  it('checks a key of OpenRouter where a key is needed', async () => {
    const http = new CannedHttp({ status: 401, body: { error: { code: 401, message: 'No auth' } } });
    const checked = await new OpenRouterWire(http.http).checkCredential(aWireCall());
    expect(checked).toMatchObject({ kind: 'failed', failure: { kind: 'credential' } });
    expect(http.requests[0]?.url).toBe('https://provider.test/v1/key');
  });
});
