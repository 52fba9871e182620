import { type Failure, type FailureKind, FAILURES } from '../../providers/wires/failure.js';
import { acceptsOf } from '../../providers/ai-providers.js';
import { CLOSED, type PlannedCredential, type PlannedModel } from '../plan/plan.js';
import { Fallback, type NextAttempt } from './fallback.js';

const credential = (id: string): PlannedCredential => ({
  id,
  provider: 'openai',
  organizationId: null,
  ...CLOSED,
  ofModel: CLOSED,
  isFailing: false,
  dataKey: '',
  secret: '',
});
const model = (name: string, credentials: string[], contextWindow: number | null = 1_000): PlannedModel => ({
  provider: 'openai',
  model: name,
  contextWindow,
  maxOutputTokens: null,
  mayReason: false,
  accepts: acceptsOf('openai', name),
  prices: null,
  credentials: credentials.map(credential),
});
const failure = (kind: FailureKind, retryAfterMs: number | null = null): Failure => ({
  kind,
  status: null,
  code: null,
  detail: '',
  retryAfterMs,
});
const JITTER = 40;
const named = (next: NextAttempt | null) =>
  next && [next.candidate.model.model, next.candidate.credential.id, next.waitMs];

/** Fails each attempt in turn. @returns what was tried, each with the wait before it */
function trial(
  models: PlannedModel[],
  failures: Failure[],
  { deadline = 10_000, fallbackOnPolicy = false } = {},
) {
  const fallback = new Fallback(
    { chosen: 'openai/a', models, fallbackOnPolicy, returnedPrices: {} },
    () => JITTER,
  );
  const tried: unknown[] = [];
  let now = 0;
  let next = fallback.first();
  for (const each of failures) {
    if (!next) break;
    tried.push(named(next));
    now += next.waitMs;
    next = fallback.after(next.candidate, each, { now, deadline });
  }
  if (next) tried.push(named(next));
  return tried;
}

describe('after a failure', () => {
  it('asks another key and then other models with any key, when a key may not use one model', () => {
    const forbidden = { ...failure('credential'), isOfRequest: true };
    const models = [model('a', ['1', '2']), model('b', ['1'])];
    expect(trial(models, [forbidden, forbidden])).toEqual([
      ['a', '1', 0],
      ['a', '2', 0],
      ['b', '1', 0],
    ]);
  });

  const two = () => [model('a', ['a1', 'a2']), model('b', ['b1'])];

  it.each<[FailureKind, unknown[]]>([
    ['rate', ['a', 'a2', 0]],
    ['money', ['a', 'a2', 0]],
    ['credential', ['a', 'a2', 0]],
    ['overload', ['a', 'a1', JITTER]],
    ['not-sent', ['a', 'a1', JITTER]],
    ['no-answer', ['b', 'b1', 0]],
    ['unreadable', ['b', 'b1', 0]],
    ['model', ['b', 'b1', 0]],
    ['invalid', ['b', 'b1', 0]],
  ])('of kind %s, the next attempt is %j', (kind, next) => {
    expect(trial(two(), [failure(kind)])).toEqual([['a', 'a1', 0], next]);
  });

  it('of the content policy, nothing else is tried', () => {
    expect(trial(two(), [failure('policy')])).toEqual([['a', 'a1', 0]]);
  });

  it('of a request that no model takes, each model is asked once', () => {
    expect(trial(two(), [failure('invalid'), failure('invalid')])).toEqual([
      ['a', 'a1', 0],
      ['b', 'b1', 0],
    ]);
  });

  it('of a request that the last model does not take, a rate limit of an earlier one is waited for', () => {
    const models = [model('a', ['a1']), model('b', ['b1'])];
    expect(trial(models, [failure('rate', 500), failure('invalid')]).at(-1)).toEqual(['a', 'a1', 500]);
  });

  it('of the content policy, the chain continues only when it says so', () => {
    expect(trial(two(), [failure('policy')], { fallbackOnPolicy: true }).at(-1)).toEqual(['b', 'b1', 0]);
  });

  it.each<FailureKind>(['overload', 'not-sent'])('of kind %s twice, the chain continues', (kind) => {
    expect(trial(two(), [failure(kind), failure(kind)])).toEqual([
      ['a', 'a1', 0],
      ['a', 'a1', JITTER],
      ['b', 'b1', 0],
    ]);
  });

  it('of an overload, Retry-After replaces the jitter', () => {
    expect(trial(two(), [failure('overload', 700)]).at(-1)).toEqual(['a', 'a1', 700]);
  });

  it('of an overload whose Retry-After is beyond the deadline, the chain continues', () => {
    expect(trial(two(), [failure('overload', 10_000)]).at(-1)).toEqual(['b', 'b1', 0]);
  });

  it('of an overload that lasts, the chain continues at once, and waits only when nothing else is left', () => {
    const chain = [model('a', ['a1']), model('b', ['b1'])];
    expect(trial(chain, [failure('overload', 5_000), failure('model')])).toEqual([
      ['a', 'a1', 0],
      ['b', 'b1', 0],
      ['a', 'a1', 5_000],
    ]);
  });

  it('of a key, no other model is tried', () => {
    expect(trial(two(), [failure('credential'), failure('credential')])).toHaveLength(2);
  });

  it('of the money for this request alone, another model of that account is tried', () => {
    const refused: Failure = { ...failure('money'), isOfRequest: true };
    expect(trial([model('a', ['k1']), model('b', ['k1'])], [refused])).toEqual([
      ['a', 'k1', 0],
      ['b', 'k1', 0],
    ]);
  });

  it('of the money of an account, no other model of that account is tried', () => {
    const chain = [model('a', ['one']), model('b', ['one']), model('c', ['two'])];
    expect(trial(chain, [failure('money')])).toEqual([
      ['a', 'one', 0],
      ['c', 'two', 0],
    ]);
  });

  it('of the length, only a model with a larger window is tried', () => {
    const windows = [200, 100, null, 200, 300].map((size, at) => model(`m${at}`, [`c${at}`], size));
    expect(trial(windows, [failure('too-long')]).at(-1)).toEqual(['m4', 'c4', 0]);
    const unknown = [model('a', ['a1'], null), model('b', ['b1'], 900)];
    expect(trial(unknown, [failure('too-long')])).toHaveLength(1);
  });

  it('of the length, the largest window that was too small counts for every later attempt', () => {
    const windows = [200, 300, 100, 250, 400].map((size, at) => model(`m${at}`, [`c${at}`], size));
    expect(trial(windows, [failure('too-long'), failure('rate')])).toEqual([
      ['m0', 'c0', 0],
      ['m1', 'c1', 0],
      ['m3', 'c3', 0],
    ]);
  });

  it('at the deadline, nothing else is tried', () => {
    expect(trial(two(), [failure('money')], { deadline: 0 })).toHaveLength(1);
  });
});

describe('rate limits', () => {
  const two = [model('a', ['a1']), model('b', ['b1'])];

  it('are waited for when no candidate is left: the one that ends first, each once', () => {
    const limits = [failure('rate', 3_000), failure('rate', 1_000), failure('rate', 500), failure('rate', 1)];
    expect(trial(two, limits)).toEqual([
      ['a', 'a1', 0],
      ['b', 'b1', 0],
      ['b', 'b1', 1_000],
      ['a', 'a1', 2_000],
    ]);
  });

  it('are not waited for beyond the deadline, nor without a Retry-After', () => {
    expect(trial(two, [failure('rate', 10_000), failure('rate')])).toHaveLength(2);
  });

  it('of a model with a larger window are waited for after a refusal of the length, and no others', () => {
    const windows = (first: number) => [model('a', ['a1'], first), model('b', ['b1'], 200)];
    const failures = [failure('rate', 1_000), failure('too-long')];
    expect(trial(windows(1_000), failures).at(-1)).toEqual(['a', 'a1', 1_000]);
    expect(trial(windows(200), failures)).toHaveLength(2);
  });

  it('are waited for after a refused key only with another key of the same model', () => {
    const failures = [failure('rate', 1_000), failure('credential')];
    expect(trial([model('a', ['a1', 'a2'])], failures).at(-1)).toEqual(['a', 'a1', 1_000]);
    expect(trial(two, failures)).toHaveLength(2);
  });

  it('are not waited for with the credential of an account without money', () => {
    const chain = [model('a', ['one']), model('b', ['one'])];
    expect(trial(chain, [failure('rate', 1_000), failure('money')])).toHaveLength(2);
  });

  it('are not waited for after a refusal of the request', () => {
    expect(trial(two, [failure('rate', 10), failure('policy')])).toHaveLength(2);
  });
});

describe('an open breaker', () => {
  const two = [model('a', ['a1']), model('b', ['b1'])];
  const fallbackOf = (models: PlannedModel[]) =>
    new Fallback({ chosen: 'openai/a', models, fallbackOnPolicy: false, returnedPrices: {} }, () => JITTER);
  const time = { now: 0, deadline: 10_000 };

  it.each<FailureKind>(['overload', 'rate'])(
    'is no attempt: after %s the next model is used, and none is waited for',
    (kind) => {
      const fallback = fallbackOf(two);
      const first = fallback.first() as NextAttempt;
      const second = fallback.after(first.candidate, failure(kind, 5_000), time, false);
      expect(named(second)).toEqual(['b', 'b1', 0]);
      const { candidate } = second as NextAttempt;
      expect(fallback.after(candidate, failure(kind, 5_000), time, false)).toBeNull();
    },
  );

  it('of the only other model leaves an attempt all of the time', () => {
    const open = { breaker: { state: 'open', reason: 'rate', remainingMs: 1 }, failures: 5 } as const;
    const heldBack = { ...model('b', []), credentials: [{ ...credential('b1'), ofModel: open }] };
    const hasOther = (models: PlannedModel[]) => {
      const fallback = fallbackOf(models);
      return fallback.hasOtherModel((fallback.first() as NextAttempt).candidate);
    };
    expect([two, [model('a', ['a1', 'a2'])], [model('a', ['a1']), heldBack]].map(hasOther)).toEqual([
      ...[true, false, false],
    ]);
  });
});

it('every sequence of failures ends, and asks each candidate at most twice', () => {
  const models = [model('a', ['a1', 'a2'], 100), model('b', ['b1'], 200), model('c', ['a1'], 300)];
  for (const one of FAILURES)
    for (const other of FAILURES) {
      const failures = Array.from({ length: 50 }, (_, at) => failure(at % 2 ? one : other, 10));
      const tried = trial(models, failures) as [string, string, number][];
      const counts = Object.values(Object.groupBy(tried, ([a, b]) => `${a}/${b}`)).map(
        (each) => each?.length,
      );
      expect(Math.max(...(counts as number[]))).toBeLessThanOrEqual(2);
      expect(tried.length).toBeLessThanOrEqual(8);
    }
});
