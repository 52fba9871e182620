import { randomUUID } from 'node:crypto';
import request from 'supertest';
import {
  AI_FAULTS,
  type AiFaultKind,
  BREAKING_STREAMS,
  SPOILING_IMAGES,
} from '../../sandbox/ai/provider/ai-fault.js';
import { type AiWorld, openAiWorld } from '../support/ai-world.js';
import { SANDBOX_AI_KEYS, SandboxAiForTests } from '../support/sandbox-ai.js';

type Wire = 'openai' | 'anthropic' | 'google';

const MODELS: Readonly<Record<Wire, string>> = {
  openai: 'openai/gpt-4o-mini',
  anthropic: 'anthropic/claude-opus-5-5',
  google: 'google/gemini-3.5-flash',
};
const IMAGE_MODELS: Readonly<Partial<Record<Wire, string>>> = {
  openai: 'openai/gpt-image-2',
  google: 'google/gemini-3.1-flash-lite-image',
};

/** What a caller sees of one call, and how its last attempt is settled. */
interface Seen {
  /** Of the response; of a stream its last event. */
  readonly ended: number | 'end' | 'error';
  readonly code: string | null;
  /** Outcome of the last attempt. */
  readonly outcome: string;
  readonly state: string;
}
const seen = (ended: Seen['ended'], code: string | null, outcome: string, state: string): Seen => ({
  ...{ ended, code, outcome, state },
});

const MONEY = seen(429, 'provider_out_of_money', 'money', 'failed');
const OVERLOAD = seen(503, 'provider_overloaded', 'overload', 'failed');
const KEY = seen(502, 'provider_credential', 'credential', 'failed');
const CUT = seen('error', 'provider_no_answer', 'no-answer', 'estimated');
/** What is billed is known. */
const NOT_READABLE = seen(502, 'provider_response_unreadable', 'unreadable', 'failed');

/** Of every kind of fault: what it comes to, over all wires or over some in another way. */
const EXPECTED: Readonly<Record<AiFaultKind, Seen & { readonly of?: Partial<Record<Wire, Partial<Seen>>> }>> =
  {
    'rate-limited': seen(429, 'provider_rate_limited', 'rate', 'failed'),
    // Google's body is that of a limit of the rate.
    'quota-exhausted': { ...MONEY, of: { google: { code: 'provider_rate_limited', outcome: 'rate' } } },
    'out-of-money': MONEY,
    'spend-limit': MONEY,
    overloaded: OVERLOAD,
    'server-error': OVERLOAD,
    'model-retired': seen(422, 'model_not_found', 'model', 'failed'),
    policy: seen(422, 'content_policy', 'policy', 'failed'),
    'unknown-key': KEY,
    'forbidden-key': KEY,
    'stream-error': seen('error', 'provider_overloaded', 'overload', 'estimated'),
    'stream-cut': CUT,
    'stream-cut-in-character': CUT,
    'stream-ends-early': CUT,
    // These two count in other events too.
    'stream-without-usage': {
      ...seen('end', null, 'answered', 'estimated'),
      of: { anthropic: { state: 'done' }, google: { state: 'done' } },
    },
    'half-image': NOT_READABLE,
    'wrong-image-type': seen(200, null, 'answered', 'done'),
    'not-an-image': NOT_READABLE,
    'no-image': NOT_READABLE,
    'bill-without-image': NOT_READABLE,
    'slow-first-byte': seen(504, 'provider_no_answer', 'no-answer', 'unknown'),
    'slow-parts': seen('end', null, 'answered', 'done'),
    // A message of Anthropic can be empty.
    'empty-choices': { ...NOT_READABLE, of: { anthropic: seen(200, null, 'answered', 'done') } },
    'no-usage': seen(200, null, 'answered', 'estimated'),
    'zero-usage': seen(200, null, 'answered', 'done'),
  };

const isStreamed = (kind: AiFaultKind): boolean =>
  (BREAKING_STREAMS as readonly string[]).includes(kind) || kind === 'slow-parts';
const isOfImages = (kind: AiFaultKind): boolean => (SPOILING_IMAGES as readonly string[]).includes(kind);
const modelOf = (kind: AiFaultKind, wire: Wire): string | undefined =>
  isOfImages(kind) ? IMAGE_MODELS[wire] : MODELS[wire];

const CASES = AI_FAULTS.flatMap((kind) =>
  (Object.keys(MODELS) as Wire[]).flatMap((wire) => {
    const model = modelOf(kind, wire);
    return model === undefined ? [] : [{ kind, wire, model }];
  }),
);

/** Members of the fault besides its kind. */
const MEMBERS: Readonly<Partial<Record<AiFaultKind, object>>> = {
  'rate-limited': { retryAfterSeconds: null },
  'slow-first-byte': { delayMs: 60_000 },
  'slow-parts': { delayMs: 20 },
};

describe('faults of AI providers, as callers see them', () => {
  let ai: SandboxAiForTests;
  let world: AiWorld;

  beforeAll(async () => {
    ai = await SandboxAiForTests.start();
    world = await openAiWorld(ai.addresses);
  });
  afterAll(async () => {
    await world.close();
    await ai.sandbox.stop();
  });

  /** Of an organization with keys of its own: breakers that open concern no other test. */
  async function call(kind: AiFaultKind, wire: Wire, model: string): Promise<Seen> {
    const organizationId = randomUUID();
    await world.credential({ provider: wire, organizationId, secret: SANDBOX_AI_KEYS[wire] });
    const headers = await world.gateway.headers({ organizationId });
    const conversation = {
      messages: [{ role: 'user', content: '[sandbox: say Grüße aus Köln und Straßen]' }],
    };
    const asked = isOfImages(kind) ? { prompt: 'A lighthouse' } : conversation;
    const response = await request(world.gateway.service.url)
      .post(isOfImages(kind) ? '/api/ai/images' : '/api/ai/completions')
      .set(headers)
      .send({
        ...asked,
        model,
        ...(isStreamed(kind) && { stream: true }),
        ...(kind === 'slow-first-byte' && { timeoutMs: 3_000 }),
      });
    const rows = await world.usage(organizationId);
    const last = isStreamed(kind) ? lastEventOf(response.text) : null;
    const body = (last?.data ?? response.body) as { code?: string; attempts: { outcome: string }[] };
    return seen(
      (last?.event as Seen['ended'] | undefined) ?? response.status,
      body.code ?? null,
      body.attempts.at(-1)?.outcome ?? '',
      rows.at(-1)?.state ?? '',
    );
  }

  it.each(CASES)('$kind at $wire', async ({ kind, wire, model }) => {
    await ai.sandbox.control('DELETE', '/ai/faults');
    await ai.fault({ kind, provider: wire, ...MEMBERS[kind] });
    const { of, ...usual } = EXPECTED[kind];
    expect(await call(kind, wire, model)).toEqual({ ...usual, ...of?.[wire] });
    const { body } = await ai.sandbox.control('GET', '/ai/faults');
    expect((body as { data: { hits: number }[] }).data[0]?.hits).toBeGreaterThan(0);
  });
});

function lastEventOf(text: string): { event: string; data: unknown } {
  const block = text.trimEnd().split('\n\n').at(-1) ?? '';
  const [, event = '', data = '{}'] = /^event: (\w+)\ndata: (.*)$/s.exec(block) ?? [];
  return { event, data: JSON.parse(data) as unknown };
}
