import { aCompletion, anImage } from '../../../../../../test/support/ai-requests.js';
import { aWireCall, type Canned, CannedHttp, SECRET } from '../../../../../../test/support/canned-http.js';
import { acceptsOf } from '../ai-providers.js';
import type { CompletionRequest, Message } from '../wires/requests.js';
import type { CompletionPart } from '../wires/wire.js';
import { callIdOf, readCallId } from './generate-request.js';
import { ratioOf } from './google-images.js';
import { GoogleWire } from './google.provider.js';

const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGP4z8AAAAMBAQDJ/pLvAAAAAElFTkSuQmCC';
const usageMetadata = { promptTokenCount: 10, candidatesTokenCount: 5 };

const generated = (parts: unknown, finishReason: string | null = 'STOP', more: object = {}) => ({
  candidates: [{ content: { role: 'model', parts }, ...(finishReason && { finishReason }) }],
  usageMetadata,
  modelVersion: 'gemini-x-001',
  responseId: 'resp-1',
  ...more,
});
const complete = async (canned: Canned, request = aCompletion(), model = 'gemini-3-x') => {
  const http = new CannedHttp(canned);
  return {
    http,
    attempted: await new GoogleWire(http.http).complete(
      aWireCall({ model, accepts: acceptsOf('google', model) }),
      request,
    ),
  };
};
const sentFor = async (request: Partial<CompletionRequest>, model?: string) =>
  (await complete({ body: generated([]) }, aCompletion(request), model)).http.sent() as Record<
    string,
    unknown
  >;

describe('generateContent', () => {
  it('sends the key in a header, never in the address, and the model as one segment', async () => {
    const { http } = await complete({ body: generated([]) }, aCompletion(), '../x?y#z');
    expect(http.requests[0]).toMatchObject({
      url: 'https://provider.test/v1beta/models/..%2Fx%3Fy%23z:generateContent',
      headers: { 'x-goog-api-key': SECRET },
    });
    expect(http.requests[0]?.url).not.toContain(SECRET);
    expect(http.sent()).toEqual({
      contents: [{ role: 'user', parts: [{ text: 'Hello' }] }],
      generationConfig: { maxOutputTokens: 256 },
    });
  });

  it('sends system, images, tools, their results and their choice', async () => {
    const parameters = { type: 'object', properties: {} };
    const sent = await sentFor({
      system: 'Be brief',
      temperature: 1.5,
      stop: ['END'],
      responseSchema: { name: 'answer', schema: { type: 'object' } },
      messages: [
        { role: 'user', content: [{ type: 'image', mediaType: 'image/png', data: 'AAAA' }] },
        {
          role: 'assistant',
          content: [{ type: 'text', text: 'Wait' }],
          toolCalls: [
            { id: callIdOf({ native: 'g1', signature: 'sig+/=' }), name: 'add', arguments: '{"x":1}' },
            { id: callIdOf({ native: 'g2', signature: null }), name: 'sub', arguments: '' },
          ],
        },
        { role: 'tool', toolCallId: callIdOf({ native: 'g1', signature: 'sig+/=' }), content: '{"r":1}' },
        { role: 'tool', toolCallId: callIdOf({ native: 'g2', signature: null }), content: 'two' },
      ],
      tools: [{ name: 'add', description: 'Adds', parameters }],
      toolChoice: { name: 'add' },
    });
    expect(sent).toEqual({
      systemInstruction: { parts: [{ text: 'Be brief' }] },
      contents: [
        { role: 'user', parts: [{ inlineData: { mimeType: 'image/png', data: 'AAAA' } }] },
        {
          role: 'model',
          parts: [
            { text: 'Wait' },
            { functionCall: { id: 'g1', name: 'add', args: { x: 1 } }, thoughtSignature: 'sig+/=' },
            { functionCall: { id: 'g2', name: 'sub', args: {} } },
          ],
        },
        {
          role: 'user',
          parts: [
            { functionResponse: { id: 'g1', name: 'add', response: { r: 1 } } },
            { functionResponse: { id: 'g2', name: 'sub', response: { result: 'two' } } },
          ],
        },
      ],
      tools: [
        { functionDeclarations: [{ name: 'add', description: 'Adds', parametersJsonSchema: parameters }] },
      ],
      toolConfig: { functionCallingConfig: { mode: 'ANY', allowedFunctionNames: ['add'] } },
      generationConfig: {
        maxOutputTokens: 256,
        temperature: 1.5,
        stopSequences: ['END'],
        responseMimeType: 'application/json',
        responseJsonSchema: { type: 'object' },
      },
    });
  });

  const foreign: Message[] = [
    {
      role: 'assistant',
      content: [],
      toolCalls: [
        { id: 'call_1', name: 'add', arguments: '{}' },
        { id: 'call_2', name: 'add', arguments: '{}' },
      ],
    },
    { role: 'tool', toolCallId: 'call_1', content: '1' },
    { role: 'tool', toolCallId: 'call_2', content: '2' },
  ];

  it('tells that calls of another provider have no signature, to models that want one', async () => {
    const { contents } = await sentFor({ messages: foreign });
    const [model] = contents as { parts: object[] }[];
    expect(model?.parts).toEqual([
      { functionCall: { name: 'add', args: {} }, thoughtSignature: 'skip_thought_signature_validator' },
      { functionCall: { name: 'add', args: {} } },
    ]);
    const { contents: older } = await sentFor({ messages: foreign }, 'gemini-2.5-flash');
    expect(JSON.stringify(older)).not.toContain('thoughtSignature');
  });

  it('keeps whole numbers that are larger than those of JavaScript, in calls of tools and their results', async () => {
    const source = '{"id":1234567890123456789}';
    const body = JSON.stringify(generated([{ functionCall: { name: 'find', args: 'ARGS' } }]));
    const { attempted } = await complete({ body: body.replace('"ARGS"', source) });
    expect(attempted).toMatchObject({ value: { toolCalls: [{ arguments: source }] } });
    const messages: Message[] = [
      { role: 'assistant', content: [], toolCalls: [{ id: 'a', name: 'find', arguments: source }] },
      { role: 'tool', toolCallId: 'a', content: source },
    ];
    const { http } = await complete({ body: generated([]) }, aCompletion({ messages }));
    expect(http.requests[0]?.body).toContain(`"args":${source}`);
    expect(http.requests[0]?.body).toContain(`"response":${source}`);
  });

  it('carries the signature of a call in its id', async () => {
    const parts = [{ functionCall: { name: 'add', args: { x: 1 } }, thoughtSignature: 'c2ln' }];
    const { attempted } = await complete({ body: generated(parts) });
    if (attempted.kind !== 'answered') throw new Error(JSON.stringify(attempted));
    const [call] = attempted.value.toolCalls;
    expect(attempted.value.finishReason).toBe('tool_calls');
    expect(readCallId(call?.id ?? '')).toEqual({ native: null, signature: 'c2ln' });
    expect(readCallId('call_1')).toBeNull();
    expect(readCallId('gc_%%%')).toBeNull();
  });

  it('gives different ids to calls that Google names alike', async () => {
    const call = { functionCall: { name: 'add', args: {} } };
    const { attempted } = await complete({ body: generated([call, call]) });
    const ids = attempted.kind === 'answered' ? attempted.value.toolCalls.map(({ id }) => id) : [];
    expect(new Set(ids).size).toBe(2);
  });

  it('gives text without thoughts, the model that answered and the id', async () => {
    const parts = [{ text: 'Hm', thought: true }, { text: 'a' }, { text: 'b', thoughtSignature: 'x' }];
    expect((await complete({ body: generated(parts) })).attempted).toMatchObject({
      value: { text: 'ab', toolCalls: [], finishReason: 'stop' },
      model: 'gemini-x-001',
      requestId: 'resp-1',
      usage: { inputTokens: 10, outputTokens: 5 },
    });
  });

  it.each([
    ['a blocked prompt', { promptFeedback: { blockReason: 'PROHIBITED_CONTENT' }, usageMetadata }, 'policy'],
    ['SAFETY without content', generated(undefined, 'SAFETY'), 'policy'],
    ['IMAGE_SAFETY', generated(undefined, 'IMAGE_SAFETY'), 'policy'],
    ['SPII', generated([], 'SPII'), 'policy'],
    ['MALFORMED_FUNCTION_CALL', generated([], 'MALFORMED_FUNCTION_CALL'), 'unreadable'],
    ['OTHER', generated([], 'OTHER'), 'unreadable'],
    ['no reason and no content', generated([], null), 'unreadable'],
    ['no candidates', { candidates: [], usageMetadata }, 'unreadable'],
    ['a call without a name', generated([{ functionCall: { args: {} } }]), 'unreadable'],
  ])('fails on %s, with what is billed', async (_, body, kind) => {
    const { attempted } = await complete({ body });
    expect(attempted).toMatchObject({ kind: 'failed', failure: { kind }, usage: { inputTokens: 10 } });
  });

  it('keeps what is readable next to a call that is not', async () => {
    const parts = [
      { functionCall: { args: {} } },
      { functionCall: { name: 'sub', args: 7 } },
      { text: 'Hm' },
    ];
    expect((await complete({ body: generated(parts) })).attempted).toMatchObject({
      kind: 'answered',
      value: { text: 'Hm', toolCalls: [], finishReason: 'stop' },
    });
    const more = [...parts, { functionCall: { name: 'add', args: {} } }];
    expect((await complete({ body: generated(more) })).attempted).toMatchObject({
      value: { text: 'Hm', toolCalls: [{ name: 'add' }], finishReason: 'tool_calls' },
    });
  });

  it('keeps text that a filter ended, and text that reached the limit', async () => {
    const filtered = await complete({ body: generated([{ text: 'Once' }], 'SAFETY') });
    expect(filtered.attempted).toMatchObject({ value: { text: 'Once', finishReason: 'content_filter' } });
    const long = await complete({ body: generated(undefined, 'MAX_TOKENS') });
    expect(long.attempted).toMatchObject({ value: { text: '', finishReason: 'length' } });
  });

  it.each(['A_REASON_OF_TOMORROW', 'FINISH_REASON_UNSPECIFIED', 'OTHER', '', null])(
    'keeps the words and the usage of a response that ends with the reason %j',
    async (reason) => {
      const { attempted } = await complete({ body: generated([{ text: 'Once' }], reason) });
      expect(attempted).toMatchObject({
        kind: 'answered',
        value: { text: 'Once', finishReason: 'other' },
        usage: { inputTokens: 10, outputTokens: 5 },
      });
    },
  );

  it('reads an error in a response of status 200', async () => {
    const body = { error: { code: 503, status: 'UNAVAILABLE', message: 'x' } };
    expect((await complete({ body })).attempted).toMatchObject({
      failure: { kind: 'overload', status: 200 },
    });
  });
});

describe('streamGenerateContent', () => {
  const chunk = (parts: unknown, finishReason: string | null = null, more: object = {}) =>
    `data: ${JSON.stringify(generated(parts, finishReason, more))}\r\n\r\n`;
  const streamed = async (...body: (string | Error)[]) => {
    const http = new CannedHttp({ body });
    const parts: CompletionPart[] = [];
    for await (const part of new GoogleWire(http.http).streamCompletion(aWireCall(), aCompletion()))
      parts.push(part);
    return { http, parts };
  };

  it.each([
    ['with hidden tokens', { candidatesTokenCount: 2, thoughtsTokenCount: 4 }, 6],
    ['of an explicit zero', { candidatesTokenCount: 0 }, 0],
  ])('that is cut has the output that its chunks have counted, %s', async (_, counts, outputTokens) => {
    const usage = { usageMetadata: { promptTokenCount: 10, ...counts } };
    const { parts } = await streamed(chunk([{ text: 'He' }], null, usage));
    const soFar = { inputTokens: 10, outputTokens };
    expect(parts.at(-1)).toMatchObject({ kind: 'failed', usage: null, soFar, isOutputCounted: true });
  });

  it('that is cut has no count of the output while only the prompt is counted', async () => {
    const { parts } = await streamed(
      chunk([{ text: 'He' }], null, { usageMetadata: { promptTokenCount: 10 } }),
    );
    expect(parts.at(-1)).not.toHaveProperty('isOutputCounted');
  });

  it('that is reset after the reason keeps the final usage', async () => {
    const { parts } = await streamed(chunk([{ text: 'He' }], 'STOP'), new Error('reset'));
    expect(parts.at(-1)).toMatchObject({ kind: 'failed', usage: { inputTokens: 10, outputTokens: 5 } });
  });

  it('ends with the body after a reason, with the last usage', async () => {
    const { http, parts } = await streamed(
      chunk([{ text: 'Hm', thought: true }]),
      chunk([{ text: 'He' }]),
      chunk([{ text: 'llo' }], 'STOP', { usageMetadata: { promptTokenCount: 10, candidatesTokenCount: 2 } }),
      chunk([], null, {
        usageMetadata: { promptTokenCount: 10, candidatesTokenCount: 3, thoughtsTokenCount: 4 },
      }),
    );
    expect(http.requests[0]?.url).toBe(
      'https://provider.test/v1beta/models/a-model:streamGenerateContent?alt=sse',
    );
    expect(parts).toEqual([
      { kind: 'text', text: 'He' },
      { kind: 'text', text: 'llo' },
      expect.objectContaining({
        kind: 'end',
        finishReason: 'stop',
        model: 'gemini-x-001',
        requestId: 'resp-1',
        usage: expect.objectContaining({ inputTokens: 10, outputTokens: 7 }) as object,
      }),
    ]);
  });

  it('keeps the words of a stream that ends with a reason that is not known', async () => {
    const { parts } = await streamed(chunk([{ text: 'He' }], 'A_REASON_OF_TOMORROW'));
    expect(parts).toMatchObject([{ kind: 'text' }, { kind: 'end', finishReason: 'other' }]);
  });

  it('keeps the words next to a call that is not readable', async () => {
    const call = chunk([{ functionCall: { args: {} } }]);
    const { parts } = await streamed(call, chunk([{ text: 'Hm' }]), chunk([], 'STOP'));
    expect(parts).toMatchObject([{ kind: 'text' }, { kind: 'end', finishReason: 'stop' }]);
    const nothing = await streamed(call, chunk([], 'STOP'));
    expect(nothing.parts).toMatchObject([{ kind: 'failed', failure: { kind: 'unreadable' } }]);
  });

  it('gives whole calls of tools', async () => {
    const call = (name: string) =>
      chunk([{ functionCall: { name, args: { a: 1 } }, thoughtSignature: 'c2ln' }]);
    const { parts } = await streamed(call('add'), call('sub'), chunk([], 'STOP'));
    expect(parts).toMatchObject([
      { kind: 'tool', index: 0, name: 'add', arguments: '{"a":1}' },
      { kind: 'tool', index: 1, name: 'sub' },
      { kind: 'end', finishReason: 'tool_calls' },
    ]);
  });

  it.each([
    ['without a reason', [chunk([{ text: 'x' }])], 'no-answer'],
    ['without anything', [], 'no-answer'],
    [
      'a connection that ends after the reason',
      [chunk([{ text: 'x' }], 'STOP'), new Error('reset')],
      'no-answer',
    ],
    [
      'bare JSON',
      [chunk([{ text: 'x' }]), '{\n  "error": {\n    "code": 503, "status": "UNAVAILABLE"\n  }\n}\n'],
      'overload',
    ],
    ['bare JSON in a list', ['[{"error":{"code":429,"status":"RESOURCE_EXHAUSTED"}}]'], 'rate'],
    ['an error as an event', ['data: {"error":{"code":429,"status":"RESOURCE_EXHAUSTED"}}\n\n'], 'rate'],
    [
      'a blocked prompt',
      [`data: ${JSON.stringify({ promptFeedback: { blockReason: 'SAFETY' } })}\n\n`],
      'policy',
    ],
    ['a block before content', [chunk([], 'PROHIBITED_CONTENT')], 'policy'],
    ['a malformed call', [chunk([], 'MALFORMED_FUNCTION_CALL')], 'unreadable'],
    ['no JSON', ['data: x\n\n'], 'unreadable'],
  ] as [string, (string | Error)[], string][])('fails once and last: %s', async (_, body, kind) => {
    const { http, parts } = await streamed(...body);
    expect(parts.at(-1)).toMatchObject({ kind: 'failed', failure: { kind } });
    expect(parts.filter((part) => part.kind === 'failed' || part.kind === 'end')).toHaveLength(1);
    expect(http.sources.every(({ destroyed }) => destroyed)).toBe(true);
  });
});

describe('images of Google', () => {
  const image = generated([{ text: 'Here' }, { inlineData: { mimeType: 'image/png', data: PNG } }], 'STOP', {
    usageMetadata: { promptTokenCount: 5, candidatesTokenCount: 1_290 },
  });
  const draw = async (changes: object, ...canned: Canned[]) => {
    const http = new CannedHttp(...canned);
    return { http, attempted: await new GoogleWire(http.http).generateImages(aWireCall(), anImage(changes)) };
  };

  it.each([
    [1024, 1024, '1:1', undefined],
    [1536, 1024, '3:2', undefined],
    [1024, 1536, '2:3', undefined],
    [1920, 1080, '16:9', '2K'],
    [3840, 1640, '21:9', '4K'],
    [1000, 1250, '4:5', undefined],
  ])('asks for %dx%d as %s', async (width, height, aspectRatio, imageSize) => {
    const { http } = await draw({ width, height }, { body: image });
    expect(http.sent()).toEqual({
      contents: [{ role: 'user', parts: [{ text: 'A red square' }] }],
      generationConfig: {
        responseModalities: ['TEXT', 'IMAGE'],
        imageConfig: { aspectRatio, ...(imageSize && { imageSize }) },
      },
    });
    expect(ratioOf(width, height)).toBe(aspectRatio);
  });

  it('keeps an image that ends with a reason that is not known', async () => {
    const parts = [{ inlineData: { mimeType: 'image/png', data: PNG } }];
    const { attempted } = await draw({}, { body: generated(parts, 'A_REASON_OF_TOMORROW') });
    expect(attempted).toMatchObject({ kind: 'answered', value: [{ mediaType: 'image/png' }] });
  });

  it('keeps an image next to half of another', async () => {
    const inlineData = (data: string) => ({ inlineData: { mimeType: 'image/png', data } });
    const { attempted } = await draw(
      {},
      { body: generated([inlineData(PNG.slice(0, 60)), inlineData(PNG)]) },
    );
    expect(attempted).toMatchObject({ kind: 'answered', value: [{ base64: PNG }], usage: { images: 2 } });
  });

  it('asks models of one size for the ratio alone', async () => {
    const http = new CannedHttp({ body: image });
    const model = 'gemini-2.5-flash-image';
    const call = aWireCall({ model, accepts: acceptsOf('google', model) });
    await new GoogleWire(http.http).generateImages(call, anImage({ width: 3840, height: 1640 }));
    expect(http.sent()).toMatchObject({ generationConfig: { imageConfig: { aspectRatio: '21:9' } } });
    expect(JSON.stringify(http.sent())).not.toContain('imageSize');
  });

  it('asks once for each image, and adds what they cost', async () => {
    const { http, attempted } = await draw({ count: 3 }, { body: image });
    expect(http.requests).toHaveLength(3);
    expect(attempted).toMatchObject({
      kind: 'answered',
      value: [{ mediaType: 'image/png' }, {}, {}],
      usage: { images: 3, inputTokens: 15, outputImageTokens: 3_870 },
    });
  });

  it.each([
    ['all 10', 3072, 10],
    ['6', 3073, 6],
  ])(
    'asks for %s of 10 images with a side of %d pixels, so that they can be stored',
    async (_, width, asked) => {
      const { http, attempted } = await draw({ count: 10, width }, { body: image });
      expect(http.requests).toHaveLength(asked);
      expect(attempted).toMatchObject({ usage: { images: asked } });
    },
  );

  it('gives the images that were drawn when others were refused, at what they cost', async () => {
    const { attempted } = await draw({ count: 2 }, { body: image }, { status: 429, body: {} });
    expect(attempted).toMatchObject({
      kind: 'answered',
      value: [{}],
      usage: { images: 1, outputImageTokens: 1_290 },
      isUsagePartial: false,
    });
  });

  const lost = { kind: 'no-answer', reason: 'ECONNRESET' } as const;
  const limited = { status: 429, body: {} };
  const half = { inlineData: { data: PNG.slice(0, 60) } };
  const blocked = { body: { promptFeedback: { blockReason: 'OTHER' }, usageMetadata } };

  it.each<[string, Canned]>([
    ['is lost', lost],
    ['comes from a proxy without a response', { status: 504, body: {} }],
    ['is half an image without usage', { body: generated([half], 'STOP', { usageMetadata: undefined }) }],
  ])('keeps what is counted, and says that it is a part, when a response %s', async (_, other) => {
    const counted = { usage: { images: 1, outputImageTokens: 1_290 }, isUsagePartial: true };
    const { attempted } = await draw({ count: 3 }, { body: image }, other);
    expect(attempted).toMatchObject({ kind: 'answered', value: [{}], ...counted });
  });

  it.each<[string, Canned[], object]>([
    ['are lost', [lost], { failure: { kind: 'no-answer' }, usage: null, isUsagePartial: true }],
    [
      'are lost after a limit',
      [limited, lost],
      { failure: { kind: 'rate' }, usage: null, isUsagePartial: true },
    ],
    ['are refused', [limited], { failure: { kind: 'rate' }, usage: null, isUsagePartial: false }],
    ['are blocked', [limited, blocked], { usage: { inputTokens: 20 }, isUsagePartial: false }],
    ['are blocked or lost', [blocked, blocked, lost], { usage: { inputTokens: 20 }, isUsagePartial: true }],
  ])('counts what is known when all responses %s', async (_, canned, expected) => {
    const { attempted } = await draw({ count: 3 }, ...canned);
    expect(attempted).toMatchObject({ kind: 'failed', ...expected });
  });

  it.each([
    [
      'half an image of a strange reason',
      generated([{ inlineData: { data: PNG.slice(0, 60) } }], 'NEW'),
      'unreadable',
    ],
    ['half an image', generated([{ inlineData: { data: PNG.slice(0, 60) } }]), 'unreadable'],
    ['text alone', generated([{ text: 'I would rather not' }]), 'unreadable'],
    ['NO_IMAGE', generated([], 'NO_IMAGE'), 'unreadable'],
    ['a thought alone', generated([{ thought: true, inlineData: { data: PNG } }]), 'unreadable'],
    ['IMAGE_SAFETY', generated([], 'IMAGE_SAFETY'), 'policy'],
    ['a blocked prompt', { promptFeedback: { blockReason: 'OTHER' }, usageMetadata }, 'policy'],
  ])('fails on %s, and counts it', async (_, body, kind) => {
    expect((await draw({}, { body })).attempted).toMatchObject({
      kind: 'failed',
      failure: { kind },
      usage: { inputTokens: 10 },
    });
  });
});

describe('arguments of a call that are no JSON object, at Google', () => {
  it('are sent as the member of an object', async () => {
    const http = new CannedHttp({ body: {} });
    const request = aCompletion({
      messages: [
        { role: 'user', content: [{ type: 'text', text: 'Add.' }] },
        { role: 'assistant', content: [], toolCalls: [{ id: 'a', name: 'add', arguments: '{"x":' }] },
      ],
    });
    await new GoogleWire(http.http).complete(aWireCall(), request);
    expect(http.sent()).toMatchObject({
      contents: [{}, { parts: [{ functionCall: { name: 'add', args: { malformed_arguments: '{"x":' } } }] }],
    });
  });
});

describe('the list of models of Google', () => {
  it('keeps the place of a model that it cannot name', async () => {
    const http = new CannedHttp({ body: { models: [{ name: 'models/a' }, { displayName: 'B' }] } });
    const listed = await new GoogleWire(http.http).listModels(aWireCall());
    expect(listed.kind === 'answered' && listed.value.map(({ id }) => id)).toEqual(['a', '']);
  });

  it('is read over all pages, without models that this wire cannot call', async () => {
    const models = [
      {
        name: 'models/a',
        displayName: 'A',
        inputTokenLimit: 9,
        outputTokenLimit: 5,
        supportedGenerationMethods: ['generateContent'],
      },
      { name: 'models/e', supportedGenerationMethods: ['embedContent'] },
    ];
    const http = new CannedHttp({ body: { models, nextPageToken: 'p/2' } }, { body: {} });
    expect(await new GoogleWire(http.http).listModels(aWireCall())).toEqual({
      kind: 'answered',
      value: [{ id: 'a', name: 'A', contextWindow: 9, maxOutputTokens: 5, retiresAt: null }],
    });
    expect(http.requests[1]?.url).toContain('pageToken=p%2F2');
    expect(http.requests[1]?.url).not.toContain(SECRET);
  });
});
