import { randomUUID } from 'node:crypto';
import { SystemClock } from '#libs/clock';
import { DatabaseIsUnavailable } from '#libs/database';
import { SecretIsUnreadable } from '#libs/encryption';
import type { RefusedModels } from '../../models/catalog/models.store.js';
import { SpendLimitIsReached } from '../../usage/spend/spend.errors.js';
import {
  type ExpectedPlan,
  PlanHasChanged,
  type PlannedAttempt,
  type SettledAttempt,
  SpendLedger,
} from '../../usage/spend/spend-ledger.js';
import type { Breakers } from '../breakers/breakers.js';
import { acceptsOf } from '../../providers/ai-providers.js';
import type { Failure, FailureKind } from '../../providers/wires/failure.js';
import type { Candidate } from '../fallback/fallback.js';
import type { NoAttemptSucceeded } from '../fallback/no-attempt-succeeded.js';
import { CLOSED, type PlannedCredential, type PlannedModel, type RoutingPlan } from '../plan/plan.js';
import type { CompletionRequest } from '../../providers/wires/requests.js';
import { NO_USAGE, type Usage } from '../../usage/spend/quantities.js';
import type { AiWire, Completion, CompletionPart, Counted, WireCall } from '../../providers/wires/wire.js';
import type { AiCall } from '../admit/ai-requests.js';
import { Attempts } from '../reserve/attempts.js';
import { BackgroundWrites } from '../settle/background-writes.js';
import { Deadline } from '../admit/deadline.js';
import { fitsSchema } from './response-schema.js';
import type { ReturnedModels } from '../settle/returned-models.js';
import { StreamedCalls } from './streamed-calls.js';
import { UnaryCalls } from './unary-calls.js';
import { WithFallback } from './with-fallback.js';
import { completionOperation } from './operations.js';

const PRICES = { inputTokens: '1', outputTokens: '10' };
const REQUEST: CompletionRequest = {
  system: null,
  messages: [{ role: 'user', content: [{ type: 'text', text: 'Hello.' }] }],
  maxTokens: 100,
  temperature: null,
  stop: [],
  tools: [],
  toolChoice: null,
  responseSchema: null,
};
const failed = (kind: FailureKind, changes: Partial<Failure> = {}) => ({
  kind: 'failed' as const,
  failure: { kind, status: 500, code: null, detail: 'No.', retryAfterMs: null, ...changes },
  usage: null,
  requestId: 'r',
});
const answered = (text: string) => ({
  kind: 'answered' as const,
  value: { text, toolCalls: [], finishReason: 'stop' } satisfies Completion,
  model: 'a-2026',
  usage: { ...NO_USAGE, inputTokens: 1_000_000, outputTokens: 100_000 },
  requestId: 'r',
});
const end = (usage = NO_USAGE as typeof NO_USAGE | null): CompletionPart => ({
  kind: 'end',
  finishReason: 'stop',
  model: null,
  usage,
  requestId: 'r',
});
const text = (value: string): CompletionPart => ({ kind: 'text', text: value });

/** Until the gateway ends the call. */
const silence = ({ signal }: WireCall) =>
  new Promise((resolve) =>
    signal.addEventListener('abort', () => resolve(failed('no-answer', { status: null })), { once: true }),
  );

/** Keeps what was reserved and how it ended. */
class RecordingLedger extends SpendLedger {
  readonly rows: { planned: PlannedAttempt; ended: ('released' | SettledAttempt)[] }[] = [];
  refuse: (attempt: PlannedAttempt) => Error | null = () => null;

  reserve(planned: PlannedAttempt): Promise<string> {
    const refusal = this.refuse(planned);
    if (refusal) return Promise.reject(refusal);
    this.rows.push({ planned, ended: [] });
    return Promise.resolve(String(this.rows.length - 1));
  }

  settle(id: string, settled: SettledAttempt): Promise<void> {
    this.rows[Number(id)]?.ended.push(settled);
    return Promise.resolve();
  }

  release(id: string): Promise<void> {
    this.rows[Number(id)]?.ended.push('released');
    return Promise.resolve();
  }

  get usages() {
    return this.rows.map(({ ended: [only] }) => (only === 'released' ? null : only?.usage));
  }

  /** What each attempt came to; fails for one that ended not exactly once. */
  get ends() {
    return this.rows.map(({ ended }) => {
      expect(ended).toHaveLength(1);
      const [only] = ended;
      return only === 'released' ? 'released' : [only?.state, only?.failure, only?.cost];
    });
  }
}

const credential = (id: string): PlannedCredential => ({
  id,
  provider: id,
  organizationId: null,
  ...CLOSED,
  ofModel: CLOSED,
  isFailing: false,
  dataKey: '',
  secret: 'sealed',
});
const model = (name: string, contextWindow = 10_000_000): PlannedModel => ({
  provider: name,
  model: `${name}-1`,
  contextWindow,
  maxOutputTokens: null,
  mayReason: false,
  accepts: acceptsOf('openai', name),
  prices: PRICES,
  credentials: [credential(name)],
});
const reasoning = (name: string): PlannedModel => ({ ...model(name), mayReason: true });

function world(models = [model('a'), model('b')]) {
  const ledger = new RecordingLedger();
  const noted: [string, FailureKind | null][] = [];
  const released: string[] = [];
  const heldBack = new Map<string, Failure>();
  const breakers = {
    refusal: ({ credential: { id } }: Candidate) => Promise.resolve(heldBack.get(id) ?? null),
    release: ({ credential: { id } }: Candidate) => Promise.resolve(void released.push(id)),
    note: ({ credential: used }: Candidate, failure: Failure | null) => {
      noted.push([used.id, failure?.kind ?? null]);
      return Promise.resolve();
    },
  } as unknown as Breakers;
  const calls: WireCall[] = [];
  const script = new Map<string, unknown[]>();
  const streams: { pulled: number; ended: number }[] = [];
  const hooks = {
    whenCalled: () => {},
    /** When a stream ends or is left. */
    counted: null as Counted | null,
    /** Read in place of an outdated plan. */
    models,
    expected: undefined as ExpectedPlan | undefined,
  };
  const next = (call: WireCall) => {
    calls.push(call);
    hooks.whenCalled();
    return script.get(call.model)?.shift();
  };
  const wire = {
    complete: (call: WireCall) => {
      const outcome = next(call);
      return outcome === 'silence' ? silence(call) : Promise.resolve(outcome);
    },
    async *streamCompletion(call: WireCall) {
      const stream = { pulled: 0, ended: 0 };
      streams.push(stream);
      try {
        for (const part of next(call) as CompletionPart[]) {
          await Promise.resolve();
          stream.pulled += 1;
          yield part;
        }
      } finally {
        const { counted } = hooks;
        if (counted) call.counted?.({ ...counted, requestId: 'req' });
        stream.ended += 1;
      }
    },
  } as unknown as AiWire;
  const clock = new SystemClock();
  const writes = new BackgroundWrites();
  const transports = { find: () => ({ wire, baseUrl: 'http://provider', headers: {} }) };
  const unreadable = new Set<string>();
  const secrets = {
    open({ id }: PlannedCredential) {
      if (unreadable.has(id)) throw new SecretIsUnreadable();
      return `secret of ${id}`;
    },
  };
  const refusedModels: string[] = [];
  const refused = {
    note: (provider: string, name: string) => Promise.resolve(void refusedModels.push(`${provider}/${name}`)),
  } as unknown as RefusedModels;
  const attempts = new Attempts(ledger, secrets, transports, breakers, writes, clock, refused);
  const fallback = new WithFallback(breakers);
  const returned = {
    pricesOf: ({ model: asked }: { model: PlannedModel }, name: string | null) =>
      Promise.resolve(name === null ? asked.prices : PRICES),
  } as unknown as ReturnedModels;
  const caller = new AbortController();
  const scopes: AsyncDisposableStack[] = [];
  const plan: RoutingPlan = { chosen: 'a/a-1', models, fallbackOnPolicy: false, returnedPrices: {} };
  const call = (timeoutMs = 60_000): AiCall => {
    const scope = new AsyncDisposableStack();
    const deadline = scope.use(new Deadline(clock, { timeoutMs }, caller.signal));
    scopes.push(scope);
    return {
      attribution: { applicationId: 'x', application: 'agent', organizationId: 'o', userId: null },
      capability: 'completions',
      requestId: randomUUID(),
      plan: { ...plan, expected: hooks.expected },
      learnReturned: () => undefined,
      readPlan: () => Promise.resolve({ ...plan, models: hooks.models }),
      deadline,
      scope,
    };
  };
  const whole = new UnaryCalls(attempts, fallback, returned);
  const streamed = new StreamedCalls(attempts, fallback, returned);
  return Object.assign(hooks, {
    ...{
      ledger,
      noted,
      released,
      heldBack,
      refusedModels,
      unreadable,
      calls,
      script,
      streams,
      caller,
      writes,
      call,
    },
    complete: (timeoutMs?: number, changes: Partial<CompletionRequest> = {}) =>
      whole.run(
        call(timeoutMs),
        completionOperation({ ...REQUEST, ...changes }, (check) => Promise.resolve(fitsSchema(check))),
      ),
    stream: () => streamed.begin(call(), REQUEST),
    endCalls: () => Promise.all(scopes.map((each) => each.disposeAsync())),
  });
}

describe('a request with attempts', () => {
  let w: ReturnType<typeof world>;
  beforeEach(() => (w = world()));
  afterEach(() => w.endCalls());

  const problem = async (work: Promise<unknown>): Promise<NoAttemptSucceeded> => {
    const error = await work.then(
      () => new Error('answered'),
      (reason: unknown) => reason,
    );
    await w.writes.idle();
    return error as NoAttemptSucceeded;
  };

  describe('with a schema of the response', () => {
    const schema = { type: 'object', properties: { title: { type: 'string' } }, required: ['title'] };
    const responseSchema = { name: 'result', schema };

    it.each(['Here you are: {"title":"A"}', '{"title":7}', '{"title":"A"', ''])(
      'bills a text that does not fit, and asks the next model: %s',
      async (words) => {
        w.script.set('a-1', [answered(words)]).set('b-1', [answered('{"title":"A"}')]);
        const answer = await w.complete(undefined, { responseSchema });
        await w.writes.idle();
        expect(answer.value.text).toBe('{"title":"A"}');
        expect(answer.attempts.map(({ outcome }) => outcome)).toEqual(['unreadable', 'answered']);
        expect(w.ledger.ends).toEqual([
          ['failed', 'unreadable', 2_000_000_000n],
          ['done', null, 2_000_000_000n],
        ]);
      },
    );

    it('bills one by the model that the provider used', async () => {
      w = world([{ ...model('a'), prices: null }]);
      w.script.set('a-1', [answered('Prose.')]);
      await problem(w.complete(undefined, { responseSchema }));
      expect(w.ledger.ends).toEqual([['failed', 'unreadable', 2_000_000_000n]]);
    });

    it('keeps the estimate of one whose usage is not known', async () => {
      w = world([model('a')]);
      w.script.set('a-1', [{ ...answered('Prose.'), usage: null }]);
      expect((await problem(w.complete(undefined, { responseSchema }))).code).toBe(
        'provider_response_unreadable',
      );
      expect(w.ledger.ends).toEqual([['unknown', 'unreadable', null]]);
    });

    it.each<[string, Completion, object]>([
      ['was cut', { text: '{"ti', toolCalls: [], finishReason: 'length' }, {}],
      ['has calls of tools', { text: '', toolCalls: [], finishReason: 'tool_calls' }, {}],
      ['need not fit', { text: 'Prose.', toolCalls: [], finishReason: 'stop' }, { check: false }],
    ])('returns a text that %s as it is', async (_, value, changes) => {
      w.script.set('a-1', [{ ...answered(''), value }]);
      const answer = await w.complete(undefined, { responseSchema: { ...responseSchema, ...changes } });
      expect(answer.value).toEqual(value);
    });
  });

  it('reserves nothing known for a model without a price', async () => {
    const [first] = w.models;
    w = world([{ ...(first as PlannedModel), prices: null }]);
    w.script.set('a-1', [answered('Hi.')]);
    await w.complete();
    await w.writes.idle();
    expect(w.ledger.rows.map(({ planned }) => planned.estimate)).toEqual([null]);
  });

  it('continues in the chain, and reports, settles and notes every attempt', async () => {
    w.script.set('a-1', [failed('rate', { status: 429 })]).set('b-1', [answered('Hi.')]);
    const answer = await w.complete();
    await w.writes.idle();
    expect(answer.value.text).toBe('Hi.');
    expect(answer.attempts).toMatchObject([
      { provider: 'a', outcome: 'rate', status: 429, cost: 0n, credential: 'platform' },
      { provider: 'b', outcome: 'answered', status: 200, cost: 2_000_000_000n },
    ]);
    expect(w.ledger.ends).toEqual([
      ['failed', 'rate', 0n],
      ['done', null, 2_000_000_000n],
    ]);
    expect(w.ledger.rows.map(({ planned }) => [planned.attempt, planned.model])).toEqual([
      [1, 'a-1'],
      [2, 'b-1'],
    ]);
    expect(new Set(w.ledger.rows.map(({ planned }) => planned.requestId)).size).toBe(1);
    expect(w.noted).toEqual([
      ['a', 'rate'],
      ['b', null],
    ]);
    expect(w.calls.map(({ secret }) => secret)).toEqual(['secret of a', 'secret of b']);
  });

  describe('with a plan of an earlier request', () => {
    const expected: ExpectedPlan = { model: null, returned: [], fingerprint: 'earlier' };
    beforeEach(() => {
      w.expected = expected;
      w.models = [model('b')];
    });

    it('has it checked by the first reservation only', async () => {
      w.script.set('a-1', [failed('rate', { status: 429 })]).set('b-1', [answered('Hi.')]);
      await w.complete();
      expect(w.ledger.rows.map(({ planned }) => planned.expectedPlan)).toEqual([expected, undefined]);
    });

    it.each(['complete', 'stream'] as const)('reads it again when it is outdated (%s)', async (way) => {
      w.ledger.refuse = ({ expectedPlan }) => (expectedPlan ? new PlanHasChanged() : null);
      w.script.set('b-1', [way === 'stream' ? [text('Hi.'), end()] : answered('Hi.')]);
      const answer = await w[way]();
      expect(answer.model.model).toBe('b-1');
      expect(w.calls.map(({ model: called }) => called)).toEqual(['b-1']);
      expect(w.ledger.rows).toHaveLength(1);
    });

    it('does not hold an unreadable secret of an outdated plan against its credential', async () => {
      w.unreadable.add('a');
      w.script.set('b-1', [answered('Hi.')]);
      await w.complete();
      await w.writes.idle();
      expect(w.noted).toEqual([['b', null]]);
    });
  });

  describe('whose credential is replaced, disabled or deleted', () => {
    const changed = (isChanged: (attempt: PlannedAttempt) => boolean) => {
      w.ledger.refuse = (attempt) => (isChanged(attempt) ? new PlanHasChanged() : null);
    };

    it('has it checked by every reservation', async () => {
      w.script.set('a-1', [failed('rate', { status: 429 })]).set('b-1', [answered('Hi.')]);
      await w.complete();
      expect(w.ledger.rows.map(({ planned }) => planned.sealedSecret)).toEqual(['sealed', 'sealed']);
    });

    it('passes it over as a fallback, with all of its models, and blames no provider', async () => {
      const two = [credential('b1'), credential('b2')];
      const models = [model('a'), { ...model('b'), credentials: two }];
      w = world([...models, { ...model('c'), credentials: two.slice(0, 1) }]);
      changed(({ credentialId }) => credentialId === 'b1');
      w.script.set('a-1', [failed('rate', { status: 429 })]).set('b-1', [failed('no-answer')]);
      expect((await problem(w.complete())).code).toBe('provider_no_answer');
      expect(w.calls.map(({ secret }) => secret)).toEqual(['secret of a', 'secret of b2']);
      expect(w.released).toEqual(['b1']);
      changed(({ credentialId }) => credentialId !== 'a');
      w.script.set('a-1', [failed('rate', { status: 429 })]);
      expect((await problem(w.complete())).code).toBe('provider_rate_limited');
    });

    it('reads the plan again before the first call, more than once', async () => {
      let times = 0;
      changed(() => (times += 1) <= 2);
      w.script.set('a-1', [answered('Hi.')]);
      expect((await w.complete()).attempts).toHaveLength(1);
      expect([w.calls.length, w.ledger.rows.length]).toEqual([1, 1]);
    });
  });

  it.each<[FailureKind, number | null, unknown]>([
    ['not-sent', null, 'released'],
    ['no-answer', null, ['unknown', 'no-answer', null]],
    ['unreadable', 200, ['unknown', 'unreadable', null]],
    ['overload', 503, ['failed', 'overload', 0n]],
    ['overload', 500, ['failed', 'overload', 0n]],
    // Written by a proxy, which does not know what the server behind it did.
    ['overload', 502, ['unknown', 'overload', null]],
    ['overload', 504, ['unknown', 'overload', null]],
    ['rate', 429, ['failed', 'rate', 0n]],
    ['credential', 401, ['failed', 'credential', 0n]],
    ['policy', 400, ['failed', 'policy', 0n]],
    ['policy', 200, ['unknown', 'policy', null]],
  ])('settles a failure %s of status %s as %j', async (kind, status, settled) => {
    const failure = failed(kind, { status, retryAfterMs: 1 });
    w.script.set('a-1', [failure, failure]).set('b-1', [answered('Hi.')]);
    await w.complete().catch(() => undefined);
    await w.writes.idle();
    expect(w.ledger.ends[0]).toEqual(settled);
  });

  it('keeps the estimate of a refusal that can come after the work', async () => {
    w.script.set('a-1', [failed('policy', { status: 400, isAfterWork: true })]);
    await problem(w.complete());
    expect(w.ledger.ends).toEqual([['unknown', 'policy', null]]);
  });

  it.each<[string, PlannedModel, Partial<Usage>]>([
    ['of a model without a price', { ...model('a'), prices: null }, { inputTokens: 9 }],
    ['with a quantity that has no price', model('a'), { inputTokens: 9, cacheWriteTokens: 1 }],
  ])('keeps the estimate of a billed failure %s', async (_, planned, counted) => {
    await w.endCalls();
    w = world([planned]);
    w.script.set('a-1', [{ ...failed('policy', { status: 200 }), usage: { ...NO_USAGE, ...counted } }]);
    const error = await problem(w.complete());
    expect(w.ledger.ends).toEqual([['unknown', 'policy', null]]);
    expect(error.members.attempts).toMatchObject([{ outcome: 'policy', cost: null }]);
  });

  it('keeps the estimate where a part of the work is not counted, and what is counted', async () => {
    const usage = { ...NO_USAGE, inputTokens: 7 };
    const partly = { usage, isUsagePartial: true };
    w.script.set('a-1', [{ ...failed('not-sent', { status: null, retryAfterMs: 2_000 }), ...partly }]);
    w.script.set('b-1', [{ ...answered('Hi.'), ...partly }]);
    expect(await w.complete()).toMatchObject({ usage, cost: null });
    await w.writes.idle();
    expect(w.ledger.ends).toEqual([
      ['unknown', 'not-sent', null],
      ['unknown', null, null],
    ]);
    expect(w.ledger.usages).toEqual([usage, usage]);
  });

  it('charges the maximum for a response without usage of a model that may reason', async () => {
    await w.endCalls();
    w = world([reasoning('a')]);
    w.script.set('a-1', [{ ...answered('Hi.'), usage: null }]);
    expect(await w.complete()).toMatchObject({ usage: null, cost: 1_010_000n });
    await w.writes.idle();
    expect(w.ledger.ends).toEqual([['estimated', null, 1_010_000n]]);
  });

  it('notes a model that a provider does not have, and none that no provider was asked for', async () => {
    w.script.set('a-1', [failed('model', { status: 404 })]).set('b-1', [failed('model', { status: null })]);
    await problem(w.complete());
    expect(w.refusedModels).toEqual(['a/a-1']);
  });

  describe('of a provider whose counts cannot be', () => {
    const implausible = { ...NO_USAGE, inputTokens: 999_999_999, outputTokens: 1 };
    const settlements = () => w.ledger.rows.map(({ ended: [only] }) => only as SettledAttempt);
    const doubts = () => settlements().map(({ doubt }) => doubt);
    const claims = () => settlements().map(({ claim }) => claim);

    it('counts its estimate, and marks the attempt, where more than the window is claimed', async () => {
      w.script.set('a-1', [{ ...answered('Hi.'), usage: implausible }]);
      const answer = await w.complete();
      await w.writes.idle();
      expect([answer.usage, w.ledger.usages[0]?.inputTokens, doubts()]).toEqual([null, 10, ['implausible']]);
      expect(w.ledger.ends).toEqual([['estimated', null, 10_000n + 20_000n]]);
      expect(claims()).toEqual([{ usage: implausible, billed: null }]);
    });

    it.each<[string, CompletionPart[]]>([
      ['at its end', [text('Hi.'), end(implausible)]],
      ['where it is cut', [text('Hi.'), { ...failed('no-answer', { status: 200 }), usage: implausible }]],
      ['where it is cut early', [text('Hi.'), { ...failed('no-answer'), soFar: implausible }]],
    ])('counts the estimate of a stream, %s', async (_, parts) => {
      w.script.set('a-1', [parts]);
      for await (const event of (await w.stream()).events()) void event;
      await w.writes.idle();
      expect([w.ledger.ends[0]?.[2], doubts()]).toEqual([20_000n, ['implausible']]);
      expect(claims()).toEqual([{ usage: implausible, billed: null }]);
    });

    it('keeps the reservation of a failure', async () => {
      w.script.set('a-1', [{ ...failed('policy', { status: 400 }), usage: implausible }]);
      await problem(w.complete());
      expect([w.ledger.ends, doubts()]).toEqual([[['unknown', 'policy', null]], ['implausible']]);
    });

    it('marks an attempt whose unit has no price', async () => {
      const usage = { ...NO_USAGE, audioSeconds: 60 };
      w.script.set('a-1', [{ ...answered('Hi.'), usage }]);
      await w.complete();
      await w.writes.idle();
      expect([w.ledger.ends, doubts()]).toEqual([[['done', null, null]], ['uncosted']]);
    });

    it.each<[string, bigint, bigint, string | null]>([
      ['what it charges', 123n, 123n, null],
      ['its price, where it claims a hundred times as much', 100_000_000_000n, 1_000_000_000n, 'implausible'],
    ])('counts %s', async (_, billed, cost, doubt) => {
      w.script.set('a-1', [{ ...answered('Hi.'), usage: { ...NO_USAGE, outputTokens: 100_000 }, billed }]);
      await w.complete();
      await w.writes.idle();
      expect([w.ledger.ends, doubts()]).toEqual([[['done', null, cost]], [doubt]]);
    });
  });

  it('is asked of the next model, with the same key too, when a key may not use one model', async () => {
    w.script.set('a-1', [failed('credential', { status: 403, isOfRequest: true })]);
    w.script.set('b-1', [answered('Hi.')]);
    const answer = await w.complete();
    await w.writes.idle();
    expect([answer.model.model, w.refusedModels]).toEqual(['b-1', ['a/a-1']]);
  });

  it('keeps the usage of a refusal that is billed', async () => {
    const usage = { ...NO_USAGE, inputTokens: 1_000_000 };
    w.script.set('a-1', [{ ...failed('policy', { status: 200 }), usage }]);
    const error = await problem(w.complete());
    expect([error.kind, error.code]).toEqual(['unprocessable', 'content_policy']);
    expect(w.ledger.ends).toEqual([['failed', 'policy', 1_000_000_000n]]);
    expect(error.members.attempts).toMatchObject([{ outcome: 'policy', cost: '1' }]);
  });

  it('GW-24: is 429 with the least Retry-After when every provider limits', async () => {
    const minutes = (count: number) => failed('rate', { status: 429, retryAfterMs: count * 60_000 });
    w.script.set('a-1', [minutes(9)]).set('b-1', [minutes(3)]);
    const error = await problem(w.complete());
    expect([error.kind, error.code, error.retryAfterSeconds]).toEqual([
      'rate-limited',
      'provider_rate_limited',
      180,
    ]);
    w.script.set('a-1', [failed('rate')]).set('b-1', [failed('rate')]);
    expect((await problem(w.complete())).retryAfterSeconds).toBeNull();
  });

  it('is 429 without Retry-After when no account has money', async () => {
    w.script.set('a-1', [failed('money', { status: 429 })]).set('b-1', [failed('money', { status: 402 })]);
    const error = await problem(w.complete());
    expect([error.code, error.retryAfterSeconds]).toEqual(['provider_out_of_money', null]);
  });

  it('does not call a provider whose credential is held back, and counts no attempt for it', async () => {
    w.heldBack.set('a', failed('money').failure);
    w.script.set('b-1', [answered('Hi.')]);
    expect((await w.complete()).attempts).toMatchObject([{ provider: 'b' }]);
    w.heldBack.set('b', failed('rate', { retryAfterMs: 90_000 }).failure);
    const error = await problem(w.complete());
    expect([error.code, error.retryAfterSeconds, error.attempts]).toEqual(['provider_rate_limited', 90, []]);
    expect(w.calls).toHaveLength(1);
  });

  it('GW-24: gives a silent model half of the time, then asks the next one, and the silence counts', async () => {
    jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask'] });
    try {
      w.script.set('a-1', ['silence']).set('b-1', [answered('Hi.')]);
      const answer = w.complete(100_000);
      await jest.advanceTimersByTimeAsync(49_000);
      expect(w.calls).toHaveLength(1);
      await jest.advanceTimersByTimeAsync(2_000);
      expect((await answer).attempts).toMatchObject([{ outcome: 'no-answer' }, { outcome: 'answered' }]);
      await w.writes.idle();
      expect(w.noted).toEqual([
        ['a', 'no-answer'],
        ['b', null],
      ]);
    } finally {
      await w.endCalls();
      jest.useRealTimers();
    }
  });

  it('treats a credential that cannot be decrypted as a refused one: no other model, no attempt, no error 500', async () => {
    w.unreadable.add('a');
    const error = await problem(w.complete());
    expect([error.kind, error.code, error.attempts]).toEqual(['bad-gateway', 'provider_credential', []]);
    expect([w.noted, w.calls, w.ledger.rows]).toEqual([[['a', 'credential']], [], []]);
  });

  it('uses another credential of the model in place of one that cannot be decrypted', async () => {
    w = world([{ ...model('a'), credentials: [credential('a1'), credential('a2')] }]);
    w.unreadable.add('a1');
    w.script.set('a-1', [answered('Hi.')]);
    expect((await w.complete()).attempts).toMatchObject([{ outcome: 'answered' }]);
    expect(w.calls.map(({ secret }) => secret)).toEqual(['secret of a2']);
  });

  const limit = new SpendLimitIsReached({
    scopeType: 'organization',
    setBy: 'organization',
    period: 'day',
    resetsAt: new Date('2026-11-24T00:00:00Z'),
    resetsInSeconds: 9,
  });

  it('is refused by a spend limit before any call', async () => {
    w.ledger.refuse = () => limit;
    expect(await problem(w.complete())).toBe(limit);
    expect([w.calls, w.released]).toEqual([[], ['a']]);
  });

  it('passes over a fallback that a spend limit does not allow', async () => {
    w.ledger.refuse = ({ provider }) => (provider === 'b' ? limit : null);
    w.script.set('a-1', [failed('rate')]);
    expect((await problem(w.complete())).code).toBe('provider_rate_limited');
  });

  it.each(['complete', 'stream'] as const)(
    'names the attempts that were made when a later one cannot be reserved (%s)',
    async (way) => {
      const outage = new DatabaseIsUnavailable(null);
      w.ledger.refuse = ({ provider }) => (provider === 'b' ? outage : null);
      const silent = failed('no-answer', { status: null });
      w.script.set('a-1', [way === 'stream' ? [silent] : silent]);
      const refusal = await problem(w[way]());
      expect([refusal.code, refusal.attempts.map(({ cost }) => cost)]).toEqual([
        'provider_no_answer',
        [null],
      ]);
    },
  );

  it('ends with the failure of a reservation before any attempt', async () => {
    const outage = new DatabaseIsUnavailable(null);
    w.ledger.refuse = () => outage;
    expect(await problem(w.complete())).toBe(outage);
  });

  it('ends with its caller, and the provider is not blamed for it', async () => {
    const left = new Error('left');
    w.script.set('a-1', [failed('no-answer', { status: null })]);
    w.whenCalled = () => w.caller.abort(left);
    expect(await problem(w.complete())).toBe(left);
    expect(w.ledger.ends).toEqual([['unknown', 'no-answer', null]]);
    expect([w.noted, w.released]).toEqual([[], ['a']]);
    expect(w.calls).toHaveLength(1);
  });

  describe('as a stream', () => {
    const read = async (limitTo = Infinity) => {
      const events = [];
      for await (const event of (await w.stream()).events()) if (events.push(event) >= limitTo) break;
      await w.writes.idle();
      return events;
    };

    it('has its content in order and ends with what it cost', async () => {
      const usage = { ...NO_USAGE, outputTokens: 100_000 };
      w.script.set('a-1', [[text('Hel'), text('lo'), end(usage)]]);
      expect(await read()).toMatchObject([
        { text: 'Hel' },
        { text: 'lo' },
        { kind: 'end', cost: 1_000_000_000n, attempts: [{ outcome: 'answered' }] },
      ]);
      expect(w.ledger.ends).toEqual([['done', null, 1_000_000_000n]]);
    });

    it('changes the model before the first content, and not for empty parts', async () => {
      w.script.set('a-1', [[text(''), failed('overload', { status: 529, retryAfterMs: 90_000 })]]);
      w.script.set('b-1', [[text('Hi.'), end()]]);
      expect(await read()).toMatchObject([
        { text: 'Hi.' },
        {
          kind: 'end',
          model: { model: 'b-1' },
          requestedModel: 'a/a-1',
          attempts: [{ outcome: 'overload' }, { outcome: 'answered' }],
        },
      ]);
      expect(w.streams.map(({ ended }) => ended)).toEqual([1, 1]);
    });

    it.each<[string, object, [string, FailureKind, bigint | null]]>([
      [
        'an error',
        failed('overload', { status: 200, retryAfterMs: 2_000 }),
        ['estimated', 'overload', 5_000_000n],
      ],
      ['a cut', failed('no-answer', { status: 200 }), ['unknown', 'no-answer', null]],
      ['what is not readable', failed('unreadable', { status: 200 }), ['unknown', 'unreadable', null]],
    ])('keeps what the provider had counted before %s without content', async (_, part, settled) => {
      const soFar = { ...NO_USAGE, inputTokens: 5_000 };
      w.script.set('a-1', [[{ ...part, soFar }]]).set('b-1', [[text('Hi.'), end()]]);
      await read();
      expect([w.ledger.ends[0], w.ledger.usages[0]]).toEqual([settled, soFar]);
    });

    describe('of a model that may reason', () => {
      beforeEach(async () => {
        await w.endCalls();
        w = world([reasoning('a')]);
      });

      const soFar = { ...NO_USAGE, inputTokens: 5_000, outputTokens: 1 };
      const most = 10_000n + 1_000_000n;
      it.each<[string, unknown[], FailureKind | null, bigint]>([
        ['is cut', [failed('no-answer', { status: 200 })], 'no-answer', most],
        ['is cut after a part of the count', [{ ...failed('no-answer'), soFar }], 'no-answer', 6_000_000n],
        ['ends without usage', [end(null)], null, most],
      ])('is charged for its maximum when it %s', async (_, parts, failure, cost) => {
        w.script.set('a-1', [[text('Hi.'), ...parts]]);
        await read();
        expect(w.ledger.ends).toEqual([['estimated', failure, cost]]);
      });

      it('is charged for its maximum when the caller leaves after the text and before the usage', async () => {
        w.script.set('a-1', [[text('Hi.'), end({ ...NO_USAGE, outputTokens: 100 })]]);
        await read(1);
        expect(w.ledger.ends).toEqual([['estimated', null, most]]);
      });

      const counted = { ...NO_USAGE, outputTokens: 60 };
      it.each<[string, Counted]>([
        ['its final usage', { usage: counted }],
        ['its output as it arrived', { usage: null, soFar: counted, isOutputCounted: true }],
      ])('is charged for what the provider counted when the caller leaves after %s', async (_, all) => {
        w.counted = all;
        w.script.set('a-1', [[text('Hi.'), text('y')]]);
        await read(1);
        expect(w.ledger.ends).toEqual([['estimated', null, 600_000n]]);
      });

      it('is charged for the counted output when it is cut, hidden tokens included', async () => {
        const part = { ...failed('no-answer', { status: 200 }), soFar: counted, isOutputCounted: true };
        w.script.set('a-1', [[text('Hi.'), part]]);
        await read();
        expect(w.ledger.ends).toEqual([['estimated', 'no-answer', 600_000n]]);
      });

      it('is charged for what the provider counted in a refusal after content', async () => {
        const usage = { ...NO_USAGE, outputTokens: 1_000 };
        w.script.set('a-1', [[text('Hi.'), { ...failed('policy', { status: 200 }), usage }]]);
        await read();
        expect(w.ledger.ends).toEqual([['estimated', 'policy', 10_000_000n]]);
      });
    });

    it('ends in an error when it is cut after content, and is settled as estimated', async () => {
      w.script.set('a-1', [[text('x'.repeat(300)), failed('no-answer', { status: 200 })]]);
      const [, last] = await read();
      expect(last).toMatchObject({ kind: 'error', error: { code: 'provider_no_answer' } });
      // (8 + 2) input tokens for 1 dollar and 100 output tokens for 10 dollars per million.
      expect(w.ledger.ends).toEqual([['estimated', 'no-answer', 10_000n + 1_000_000n]]);
    });

    it('counts what the provider had counted when it is cut, and at least the output that arrived', async () => {
      const soFar = { ...NO_USAGE, inputTokens: 5_000, outputTokens: 1 };
      w.script.set('a-1', [[text('x'.repeat(300)), { ...failed('no-answer', { status: 200 }), soFar }]]);
      await read();
      expect(w.ledger.ends).toEqual([['estimated', 'no-answer', 5_000_000n + 1_000_000n]]);
    });

    it('that is not read is settled, and the provider is asked for no more', async () => {
      w.script.set('a-1', [[text('x'.repeat(300)), text('y'), end()]]);
      const stream = await w.stream();
      await stream[Symbol.asyncDispose]();
      await stream[Symbol.asyncDispose]();
      await w.writes.idle();
      expect(w.streams).toEqual([{ pulled: 1, ended: 1 }]);
      expect(w.ledger.ends).toEqual([['estimated', null, 10_000n + 1_000_000n]]);
    });

    it('ends in an error when the adapter ends without a terminal part', async () => {
      w.script.set('a-1', [[text('Hi.')]]);
      const [, last] = await read();
      expect(last).toMatchObject({ kind: 'error', error: { code: 'provider_response_unreadable' } });
    });

    it('is settled as estimated when the caller leaves, and the provider is asked for no more', async () => {
      w.script.set('a-1', [[text('x'.repeat(300)), text('y'), text('z'), end()]]);
      await read(1);
      expect(w.streams).toEqual([{ pulled: 1, ended: 1 }]);
      expect(w.ledger.ends).toEqual([['estimated', null, 10_000n + 1_000_000n]]);
    });

    it('reads from the provider only what the caller has read', async () => {
      w.script.set('a-1', [Array.from({ length: 100 }, () => text('x'))]);
      const events = (await w.stream()).events();
      await events.next();
      await events.next();
      await new Promise(setImmediate);
      expect(w.streams[0]?.pulled).toBe(2);
      await events.return(undefined);
    });
  });
});
