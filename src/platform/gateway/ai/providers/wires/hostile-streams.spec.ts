import fc from 'fast-check';
import { aCompletion } from '../../../../../../test/support/ai-requests.js';
import { aWireCall, CannedHttp } from '../../../../../../test/support/canned-http.js';
import type { AiHttp } from './exchange.js';
import { AnthropicWire } from '../anthropic/anthropic.provider.js';
import { GoogleWire } from '../google/google.provider.js';
import { OpenAiWire } from '../openai/openai-wire.js';
import type { AiWire, CompletionPart } from './wire.js';

const WIRES: readonly [string, (http: AiHttp) => AiWire][] = [
  ['OpenAI', (http) => new OpenAiWire(http)],
  ['Anthropic', (http) => new AnthropicWire(http)],
  ['Google', (http) => new GoogleWire(http)],
];
/** Members that the wires look at, with values of any type. */
const NAMES = [
  'choices',
  'delta',
  'content',
  'tool_calls',
  'finish_reason',
  'usage',
  'error',
  'type',
  'message',
];
const MORE = [
  'index',
  'content_block',
  'candidates',
  'parts',
  'functionCall',
  'finishReason',
  'usageMetadata',
];
const { value } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 5 },
    fc.constantFrom<unknown>(
      null,
      true,
      0,
      -1,
      1e300,
      '',
      'x',
      'stop',
      'STOP',
      'message_stop',
      'constructor',
    ),
    fc.array(tie('value'), { maxLength: 2 }),
    fc.dictionary(fc.constantFrom(...NAMES, ...MORE), tie('value'), { maxKeys: 4 }),
  ),
}));
const event = fc.oneof(
  value.map((one) => `data: ${JSON.stringify(one)}\n\n`),
  fc.constantFrom('data: [DONE]\n\n', 'event: error\n', '{"error":', '\r', ': x\n'),
  fc.string(),
);

describe.each(WIRES)('a hostile stream of %s', (_, wireOf) => {
  it('ends in exactly one last part, and holds no connection', async () => {
    const bytes = fc.uint8Array({ maxLength: 20 });
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.oneof(event, bytes), { maxLength: 8 }),
        fc.boolean(),
        async (chunks, isCut) => {
          const http = new CannedHttp({ body: isCut ? [...chunks, new Error('reset')] : chunks });
          const parts: CompletionPart[] = [];
          for await (const part of wireOf(http.http).streamCompletion(aWireCall(), aCompletion()))
            parts.push(part);
          expect(parts.map(({ kind }) => kind === 'end' || kind === 'failed')).toEqual([
            ...parts.slice(1).map(() => false),
            true,
          ]);
          await new Promise((resolve) => setImmediate(resolve));
          expect(http.sources.every(({ destroyed }) => destroyed)).toBe(true);
        },
      ),
      { numRuns: 300 },
    );
  });

  it('as a whole response is answered or failed, and never throws', async () => {
    await fc.assert(
      fc.asyncProperty(value, fc.constantFrom(200, 400, 401, 429, 500, 302), async (body, status) => {
        const http = new CannedHttp({ status, body: JSON.stringify(body) });
        const { kind } = await wireOf(http.http).complete(aWireCall(), aCompletion());
        expect(['answered', 'failed']).toContain(kind);
        expect(status !== 200 && kind === 'answered').toBe(false);
      }),
      { numRuns: 300 },
    );
  });
});
