import { aCompletion } from '../../../../../../test/support/ai-requests.js';
import {
  ANYTHING,
  aWireCall,
  type Canned,
  CannedHttp,
  SECRET,
} from '../../../../../../test/support/canned-http.js';
import type { CompletionRequest } from '../wires/requests.js';
import type { CompletionPart } from '../wires/wire.js';
import { AnthropicWire } from './anthropic.provider.js';

const message = (content: unknown, reason: string | null = 'end_turn', more: object = {}) => ({
  id: 'msg_1',
  type: 'message',
  model: 'claude-x-2026',
  content,
  stop_reason: reason,
  usage: { input_tokens: 10, output_tokens: 5 },
  ...more,
});
const complete = async (canned: Canned, request = aCompletion()) => {
  const http = new CannedHttp(canned);
  const call = aWireCall({ accepts: { ...ANYTHING, maxTemperature: 1 } });
  return { http, attempted: await new AnthropicWire(http.http).complete(call, request) };
};
const sentFor = async (request: Partial<CompletionRequest>) =>
  (await complete({ body: message([]) }, aCompletion(request))).http.sent() as Record<string, unknown>;

const twice = (event: (type: string, members: object) => string) => {
  const start = { index: 0, content_block: { type: 'tool_use', id: 'a', name: 'b', input: {} } };
  return [event('content_block_start', start), event('content_block_start', start)];
};

describe('messages', () => {
  it('keep whole numbers that are larger than those of JavaScript, in calls of tools and in what comes back', async () => {
    const source = '{"id":1234567890123456789,"ids":[-9007199254740993,0.5]}';
    const content = [{ type: 'tool_use', id: 'a', name: 'find', input: 'INPUT' }];
    const { attempted } = await complete({
      body: JSON.stringify(message(content, 'tool_use')).replace('"INPUT"', source),
    });
    expect(attempted).toMatchObject({ value: { toolCalls: [{ arguments: source }] } });
    const messages = [
      { role: 'assistant', content: [], toolCalls: [{ id: 'a', name: 'find', arguments: source }] },
    ] as const;
    const { http } = await complete({ body: message([]) }, aCompletion({ messages }));
    expect(http.requests[0]?.body).toContain(`"input":${source}`);
  });

  it('send the key and the version in headers, and always a limit of tokens', async () => {
    const { http } = await complete({ body: message([]) });
    expect(http.requests[0]).toMatchObject({
      url: 'https://provider.test/v1/messages',
      headers: { 'x-api-key': SECRET, 'anthropic-version': '2023-06-01' },
    });
    expect(http.sent()).toEqual({
      model: 'a-model',
      max_tokens: 256,
      messages: [{ role: 'user', content: [{ type: 'text', text: 'Hello' }] }],
    });
  });

  it('send system at the top, and results of tools in the turn after their calls', async () => {
    const sent = await sentFor({
      system: 'Be brief',
      temperature: 1.7,
      stop: ['END'],
      messages: [
        {
          role: 'user',
          content: [
            { type: 'text', text: '' },
            { type: 'image', mediaType: 'image/png', data: 'AAAA' },
          ],
        },
        {
          role: 'assistant',
          content: [{ type: 'text', text: 'Wait' }],
          toolCalls: [
            { id: 'a', name: 'add', arguments: '{"x":1}' },
            { id: 'b', name: 'add', arguments: '' },
          ],
        },
        { role: 'tool', toolCallId: 'a', content: '1' },
        { role: 'tool', toolCallId: 'b', content: '2' },
        { role: 'user', content: [{ type: 'text', text: 'Now?' }] },
      ],
      tools: [{ name: 'add', description: 'Adds', parameters: { type: 'object' } }],
      toolChoice: { name: 'add' },
    });
    expect(sent).toMatchObject({
      system: 'Be brief',
      temperature: 1,
      stop_sequences: ['END'],
      messages: [
        { role: 'user', content: [{ type: 'image', source: { media_type: 'image/png', data: 'AAAA' } }] },
        {
          role: 'assistant',
          content: [
            { type: 'text', text: 'Wait' },
            { type: 'tool_use', id: 'a', name: 'add', input: { x: 1 } },
            { type: 'tool_use', id: 'b', name: 'add', input: {} },
          ],
        },
        {
          role: 'user',
          content: [
            { type: 'tool_result', tool_use_id: 'a', content: '1' },
            { type: 'tool_result', tool_use_id: 'b', content: '2' },
            { type: 'text', text: 'Now?' },
          ],
        },
      ],
      tools: [{ name: 'add', description: 'Adds', input_schema: { type: 'object' } }],
      tool_choice: { type: 'tool', name: 'add' },
    });
  });

  it.each([
    ['auto', { type: 'auto' }],
    ['none', { type: 'none' }],
    ['required', { type: 'any' }],
  ] as const)('send the choice %s', async (toolChoice, tool_choice) => {
    const tools = [{ name: 'add', description: 'Adds', parameters: { type: 'object' } }];
    expect(await sentFor({ tools, toolChoice })).toMatchObject({ tool_choice });
    expect(await sentFor({ toolChoice })).not.toHaveProperty('tool_choice');
  });

  it('ask for JSON of a schema, and shorten ids with signs that the provider refuses', async () => {
    const schema = { type: 'object' };
    const sent = await sentFor({
      responseSchema: { name: 'answer', schema },
      messages: [
        { role: 'assistant', content: [], toolCalls: [{ id: 'a.b', name: 'add', arguments: '{}' }] },
        { role: 'tool', toolCallId: 'a.b', content: '1' },
      ],
    });
    expect(sent).toMatchObject({ output_config: { format: { type: 'json_schema', schema } } });
    const [call, result] = sent.messages as { content: [{ id?: string; tool_use_id?: string }] }[];
    expect(call?.content[0].id).toMatch(/^[\w-]{1,40}$/);
    expect(result?.content[0].tool_use_id).toBe(call?.content[0].id);
  });

  it('send nothing with an image of the assistant', async () => {
    const image = { type: 'image' as const, mediaType: 'image/png', data: 'AAAA' };
    const { http, attempted } = await complete(
      {},
      aCompletion({ messages: [{ role: 'assistant', content: [image], toolCalls: [] }] }),
    );
    expect(attempted).toMatchObject({ failure: { kind: 'invalid', status: null } });
    expect(http.requests).toEqual([]);
  });

  it('give text and calls, without thoughts', async () => {
    const content = [
      { type: 'thinking', thinking: 'Hm', signature: 'x' },
      { type: 'text', text: 'a' },
      { type: 'text', text: 'b' },
      { type: 'tool_use', id: 't', name: 'add', input: { x: 1 } },
    ];
    const { attempted } = await complete({
      headers: { 'request-id': 'req_1' },
      body: message(content, 'tool_use'),
    });
    expect(attempted).toMatchObject({
      value: {
        text: 'ab',
        toolCalls: [{ id: 't', name: 'add', arguments: '{"x":1}' }],
        finishReason: 'tool_calls',
      },
      model: 'claude-x-2026',
      requestId: 'req_1',
    });
  });

  it.each([
    ['end_turn', 'stop'],
    ['stop_sequence', 'stop'],
    ['max_tokens', 'length'],
    ['model_context_window_exceeded', 'length'],
    ['pause_turn', 'length'],
    ['a_reason_of_tomorrow', 'other'],
    ['constructor', 'other'],
    ['', 'other'],
    [null, 'other'],
  ])('end with %s as %s', async (reason, finishReason) => {
    const { attempted } = await complete({ body: message([{ type: 'text', text: 'x' }], reason) });
    expect(attempted).toMatchObject({ value: { finishReason } });
  });

  it.each([
    ['a refusal', message([{ type: 'text', text: 'Half' }], 'refusal'), 'policy'],
    ['an error', { type: 'error', error: { type: 'overloaded_error', message: 'x' } }, 'overload'],
    ['no content', { ...message(null), content: undefined }, 'unreadable'],
    ['no reason', message([], null), 'unreadable'],
    ['a strange reason', message([], 'constructor'), 'unreadable'],
    ['text of another type', message([{ type: 'text', text: 5 }]), 'unreadable'],
    ['a call without input', message([{ type: 'tool_use', id: 'a', name: 'b' }], 'tool_use'), 'unreadable'],
  ])('fail on %s', async (_, body, kind) => {
    expect((await complete({ body })).attempted).toMatchObject({ kind: 'failed', failure: { kind } });
  });

  it.each([
    ['text of another type', { type: 'text', text: 5 }],
    ['a call without input', { type: 'tool_use', id: 'a', name: 'b' }],
    ['no block', null],
  ])('keep what is readable next to %s', async (_, other) => {
    const call = { type: 'tool_use', id: 't', name: 'add', input: {} };
    const content = [other, { type: 'text', text: 'Hm' }, call];
    expect((await complete({ body: message(content, 'tool_use') })).attempted).toMatchObject({
      kind: 'answered',
      value: { text: 'Hm', toolCalls: [{ id: 't' }], finishReason: 'tool_calls' },
    });
  });

  it('count a refusal, which is billed', async () => {
    const { attempted } = await complete({
      body: message([], 'refusal', { stop_details: { category: 'cyber' } }),
    });
    expect(attempted).toMatchObject({
      failure: { code: 'cyber' },
      usage: { inputTokens: 10, outputTokens: 5 },
    });
  });
});

describe('streamed messages', () => {
  const event = (type: string, members: object = {}) =>
    `event: ${type}\ndata: ${JSON.stringify({ type, ...members })}\n\n`;
  const START = event('message_start', {
    message: {
      id: 'msg_1',
      model: 'claude-x',
      usage: { input_tokens: 25, cache_read_input_tokens: 4, output_tokens: 1 },
    },
  });
  const text = (words: string, index = 0) =>
    event('content_block_delta', { index, delta: { type: 'text_delta', text: words } });
  const change = (reason: string | null, output_tokens: number, more: object = {}) =>
    event('message_delta', { delta: { stop_reason: reason, ...more }, usage: { output_tokens } });
  const STOP = event('message_stop');
  const PING = event('ping');

  const streamed = async (...body: (string | Error)[]) => {
    const http = new CannedHttp({ headers: { 'request-id': 'req_1' }, body });
    const parts: CompletionPart[] = [];
    for await (const part of new AnthropicWire(http.http).streamCompletion(aWireCall(), aCompletion()))
      parts.push(part);
    return { http, parts };
  };

  it('give text and end with the last usage, which is a total', async () => {
    const { http, parts } = await streamed(
      PING,
      START,
      event('content_block_start', { index: 0, content_block: { type: 'text', text: '' } }),
      text('He'),
      PING,
      event('something_new', { index: 0 }),
      text('llo'),
      event('content_block_stop', { index: 0 }),
      change(null, 3),
      change('end_turn', 7),
      STOP,
    );
    expect(http.sent()).toMatchObject({ stream: true });
    expect(parts).toEqual([
      { kind: 'text', text: 'He' },
      { kind: 'text', text: 'llo' },
      expect.objectContaining({
        kind: 'end',
        finishReason: 'stop',
        model: 'claude-x',
        requestId: 'req_1',
        usage: expect.objectContaining({ inputTokens: 25, cachedInputTokens: 4, outputTokens: 7 }) as object,
      }),
    ]);
  });

  it('give calls of tools in the order of their blocks, thoughts aside', async () => {
    const start = (index: number, content_block: object) =>
      event('content_block_start', { index, content_block });
    const json = (index: number, partial_json: string) =>
      event('content_block_delta', { index, delta: { type: 'input_json_delta', partial_json } });
    const { parts } = await streamed(
      START,
      start(0, { type: 'thinking', thinking: '' }),
      event('content_block_delta', { index: 0, delta: { type: 'thinking_delta', thinking: 'Hm' } }),
      start(1, { type: 'tool_use', id: 'a', name: 'add', input: {} }),
      json(1, ''),
      json(1, '{"x":'),
      json(1, '1}'),
      start(2, { type: 'server_tool_use', id: 's', name: 'search', input: {} }),
      json(2, '{}'),
      start(3, { type: 'tool_use', id: 'b', name: 'sub', input: { y: 2 } }),
      change('tool_use', 9),
      STOP,
    );
    expect(parts.slice(0, -1)).toEqual([
      { kind: 'tool', index: 0, id: 'a', name: 'add', arguments: '' },
      { kind: 'tool', index: 0, id: null, name: null, arguments: '{"x":' },
      { kind: 'tool', index: 0, id: null, name: null, arguments: '1}' },
      { kind: 'tool', index: 1, id: 'b', name: 'sub', arguments: '{"y":2}' },
    ]);
    expect(parts.at(-1)).toMatchObject({ kind: 'end', finishReason: 'tool_calls' });
  });

  it('leave out a call without a name, and keep what else arrives', async () => {
    const call = (index: number, content_block: object) =>
      event('content_block_start', { index, content_block: { type: 'tool_use', ...content_block } });
    const source = { type: 'input_json_delta', partial_json: '{}' };
    const nameless = [call(1, { id: 'a' }), event('content_block_delta', { index: 1, delta: source })];
    const { parts } = await streamed(
      ...[START, text('Hm'), ...nameless, call(2, { id: 'b', name: 'sub' }), change('tool_use', 9), STOP],
    );
    expect(parts).toMatchObject([
      { kind: 'text', text: 'Hm' },
      { kind: 'tool', index: 0, id: 'b', name: 'sub' },
      { kind: 'end', finishReason: 'tool_calls' },
    ]);
    const nothing = await streamed(START, ...nameless, change('tool_use', 9), STOP);
    expect(nothing.parts).toMatchObject([{ failure: { kind: 'unreadable' }, usage: { outputTokens: 9 } }]);
  });

  /** It has the final usage. */
  const ENDING = change('end_turn', 3);
  it.each([
    ['without message_stop', [START, text('x'), ENDING], 'no-answer'],
    ['a connection that ends', [START, text('x'), new Error('reset')], 'no-answer'],
    [
      'an error',
      [START, text('x'), event('error', { error: { type: 'overloaded_error', message: 'x' } })],
      'overload',
    ],
    ['bare JSON', [START, '{"type":"error","error":{"type":"rate_limit_error","message":"x"}}'], 'rate'],
    ['no JSON', ['data: hello\n\n'], 'unreadable'],
    ['message_stop without a reason', [START, STOP], 'unreadable'],
    ['the same block twice', [START, ...twice(event)], 'unreadable'],
  ] as [string, (string | Error)[], string][])('fail once and last: %s', async (_, body, kind) => {
    const { http, parts } = await streamed(...body);
    const usage = body.includes(ENDING) ? { outputTokens: 3 } : null;
    expect(parts.at(-1)).toMatchObject({ kind: 'failed', failure: { kind }, usage });
    expect(parts.filter((part) => part.kind === 'failed' || part.kind === 'end')).toHaveLength(1);
    expect(http.sources.every(({ destroyed }) => destroyed)).toBe(true);
  });

  it('keep the final usage when they are cut after it', async () => {
    const { parts } = await streamed(START, text('x'), change('end_turn', 3));
    expect(parts.at(-1)).toMatchObject({ kind: 'failed', usage: { inputTokens: 25, outputTokens: 3 } });
  });

  it('say what was counted when they were cut', async () => {
    const { parts } = await streamed(START, text('x'));
    expect(parts.at(-1)).toMatchObject({ usage: null, soFar: { inputTokens: 25, cachedInputTokens: 4 } });
    expect((await streamed(text('x'))).parts.at(-1)).toMatchObject({ usage: null, soFar: null });
  });

  it.each([['a_reason_of_tomorrow'], [''], [null]])(
    'keep the words and the usage when they end with the reason %j',
    async (reason) => {
      const { parts } = await streamed(START, text('x'), change(reason, 3), STOP);
      expect(parts).toMatchObject([
        { kind: 'text', text: 'x' },
        { kind: 'end', finishReason: 'other', usage: { inputTokens: 25, outputTokens: 3 } },
      ]);
    },
  );

  it('count a refusal, also after content', async () => {
    const { parts } = await streamed(START, text('Half'), change('refusal', 6), STOP);
    expect(parts.at(-1)).toMatchObject({
      kind: 'failed',
      failure: { kind: 'policy' },
      usage: { inputTokens: 25, outputTokens: 6 },
    });
  });
});

describe('arguments of a call that are no JSON object', () => {
  it.each(['{"x":', '[1]', 'x'])('are sent as the member of an object: %s', async (source) => {
    const http = new CannedHttp({ body: {} });
    const request = aCompletion({
      messages: [
        { role: 'user', content: [{ type: 'text', text: 'Add.' }] },
        { role: 'assistant', content: [], toolCalls: [{ id: 'a', name: 'add', arguments: source }] },
        { role: 'tool', toolCallId: 'a', content: 'The arguments are no JSON object.' },
      ],
    });
    await new AnthropicWire(http.http).complete(aWireCall(), request);
    expect(http.sent()).toMatchObject({
      messages: [{}, { content: [{ type: 'tool_use', input: { malformed_arguments: source } }] }, {}],
    });
  });
});

describe('the list of models', () => {
  it('is read over all pages', async () => {
    const page = (id: string, more: boolean) => ({
      body: {
        data: [{ id, display_name: id.toUpperCase(), max_input_tokens: 9, max_tokens: 5 }],
        has_more: more,
        last_id: id,
      },
    });
    const http = new CannedHttp(page('a', true), page('b', false));
    expect(await new AnthropicWire(http.http).listModels(aWireCall())).toEqual({
      kind: 'answered',
      value: ['a', 'b'].map((id) => ({
        id,
        name: id.toUpperCase(),
        contextWindow: 9,
        maxOutputTokens: 5,
        retiresAt: null,
      })),
    });
    expect(http.requests[1]?.url).toContain('after_id=a');
  });

  it.each<[string, Canned[]]>([
    ['repeats a page for ever', [{ body: { data: [{ id: 'a' }], has_more: true, last_id: 'a' } }]],
    [
      'always has another page',
      Array.from({ length: 60 }, (_, page) => ({
        body: { data: [{ id: `m${page}` }], has_more: true, last_id: `m${page}` },
      })),
    ],
    ['says that there is more, and not where', [{ body: { data: [{ id: 'a' }], has_more: true } }]],
  ])('fails when the provider %s: the list is not whole', async (_, pages) => {
    const http = new CannedHttp(...pages);
    expect(await new AnthropicWire(http.http).listModels(aWireCall())).toMatchObject({
      kind: 'failed',
      failure: { kind: 'unreadable' },
    });
    expect(http.requests.length).toBeLessThan(60);
  });

  it('keeps the place of a model that it cannot name', async () => {
    const http = new CannedHttp({ body: { data: [{ id: 'a' }, { display_name: 'B' }, 7] } });
    const listed = await new AnthropicWire(http.http).listModels(aWireCall());
    expect(listed.kind === 'answered' && listed.value.map(({ id }) => id)).toEqual(['a', '', '']);
  });
});
