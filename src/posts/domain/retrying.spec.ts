import { aFailure } from '../../../test/support/post-histories.js';
import { type Retrying, retryingAfter, type RetryLimits, retryOrFail } from './retrying.js';

const MINUTE = 60_000;
const at = (minutes: number) =>
  new Date(Date.parse('2026-01-15T10:00:00.000Z') + minutes * MINUTE).toISOString();
const failure = aFailure({ code: 'network_unreachable', class: 'transient' });
const limits: RetryLimits = {
  budgetMs: 30 * MINUTE,
  firstWaitMs: 5_000,
  lateAt: at(360),
  inTimeOnly: false,
  jitter: 1,
};
const since = (minutes: number, failures = 1): Retrying => ({ since: at(minutes), failures, failure });
const passing = { failure, at: at(0), endsEarly: false };

describe('a post whose attempt had no effect', () => {
  it('is tried again after a pause that doubles up to five minutes', () => {
    const waits = [null, since(0, 1), since(0, 2), since(0, 20)].map((retrying) => {
      const next = retryOrFail(retrying, passing, limits);
      return next.kind === 'held' && Date.parse(next.until) - Date.parse(at(0));
    });
    expect(waits).toEqual([5_000, 10_000, 20_000, 300_000]);
  });

  it('waits half as long at least, so that posts that failed together are not retried together', () => {
    expect(retryOrFail(null, passing, { ...limits, jitter: 0 })).toMatchObject({
      kind: 'held',
      until: new Date(Date.parse(at(0)) + 2_500).toISOString(),
      reason: 'network_unreachable',
      failure,
    });
  });

  it('is tried for the last time when its budget ends, and then fails with its last failure', () => {
    expect(retryOrFail(since(-29, 20), passing, limits)).toMatchObject({ kind: 'held', until: at(1) });
    expect(retryOrFail(since(-30), passing, limits)).toEqual({ kind: 'failed', failure });
  });

  it('is not tried past its late window', () => {
    const soon = { ...limits, lateAt: at(2), firstWaitMs: 10 * MINUTE };
    const next = retryOrFail(null, passing, soon);
    expect(next.kind === 'held' && next.until < at(2)).toBe(true);
    expect(retryOrFail(null, passing, { ...limits, lateAt: at(0) }).kind).toBe('failed');
  });

  it('fails at once without a budget', () => {
    expect(retryOrFail(null, passing, { ...limits, budgetMs: 0 }).kind).toBe('failed');
  });

  it('waits until the network answers any account, at the longest for its budget', () => {
    const next = retryOrFail(since(-10), { ...passing, endsEarly: true }, limits);
    expect(next).toMatchObject({ kind: 'held', until: at(20), endsEarly: true });
  });
});

describe('a post that waits for an operator', () => {
  const refusal = aFailure({ code: 'client_forbidden', class: 'configuration' });
  const refused: Retrying = { since: at(-600), failures: 3, failure: refusal };

  it('has no budget, and no late window', () => {
    for (const before of [null, refused, since(-29)])
      expect(retryOrFail(before, { ...passing, failure: refusal }, { ...limits, lateAt: at(0) })).toEqual({
        ...{ kind: 'held', reason: 'client_forbidden', failure: refusal, endsEarly: true },
        ...{ until: at(24 * 60), lateFrom: at(24 * 60) },
      });
  });

  it('waits until it is too late when its author wants it in time only', () => {
    const next = retryOrFail(null, { ...passing, failure: refusal }, { ...limits, inTimeOnly: true });
    expect(next).toMatchObject({ kind: 'held', until: expect.stringMatching(/T16:00:00.001Z$/) });
    expect(next).not.toHaveProperty('lateFrom');
  });

  it('uses up nothing of the budget of later failures', () => {
    expect(retryOrFail(refused, passing, limits)).toMatchObject({ kind: 'held' });
    const held = { attemptId: 'a', reason: 'network_unreachable', failure };
    expect(retryingAfter(refused, held, at(5))).toEqual({ since: at(5), failures: 1, failure });
    const again = { attemptId: null, reason: 'client_forbidden', failure: refusal };
    expect(retryingAfter(refused, again, at(5))).toMatchObject({ since: at(-600) });
  });
});

describe('the budget of a post', () => {
  const held = { attemptId: 'a', reason: 'network_unreachable', failure };

  it('begins with the first failure, and counts attempts', () => {
    const first = retryingAfter(null, held, at(0));
    expect(first).toEqual({ since: at(0), failures: 1, failure });
    expect(retryingAfter(first, held, at(5))).toEqual({ since: at(0), failures: 2, failure });
    expect(retryingAfter(first, { ...held, attemptId: null }, at(5))).toMatchObject({ failures: 1 });
  });

  it.each([
    ['a hold of the account', { attemptId: null, reason: 'rate_limited' }],
    ['a worker that died', { attemptId: 'a', reason: 'interrupted' }],
    ['a worker that was paused', { attemptId: 'a', reason: 'sender_paused' }],
  ])('outlasts %s', (_what, hold) => {
    expect(retryingAfter(since(0), hold, at(5))).toEqual(since(0));
  });

  it('ends when the network answers', () => {
    expect(retryingAfter(since(0), { attemptId: 'a', reason: 'network_processing' }, at(5))).toBeNull();
  });
});
