import { acceptsOf } from '../../providers/ai-providers.js';
import { type Failure, type FailureKind, failureOf, FAILURES } from '../../providers/wires/failure.js';
import { CLOSED } from '../plan/plan.js';
import type { FailedCandidate } from './attempt-record.js';
import type { Candidate } from './fallback.js';
import { NoAttemptSucceeded } from './no-attempt-succeeded.js';

const candidate = (name: string, contextWindow: number | null): Candidate => {
  const shared = { provider: 'openai', organizationId: null, ...CLOSED, isFailing: false };
  const credential = { ...shared, id: name, ofModel: CLOSED, dataKey: '', secret: '' };
  const limits = {
    contextWindow,
    maxOutputTokens: null,
    mayReason: false,
    prices: null,
    accepts: acceptsOf('openai', name),
  };
  return { model: { provider: 'openai', model: name, ...limits, credentials: [credential] }, credential };
};
const [small, large, unknown] = [
  candidate('small', 200),
  candidate('large', 1_000),
  candidate('unknown', null),
];
const failed = (
  of: Candidate,
  kind: FailureKind,
  retryAfterMs: number | null = null,
  wasAsked = true,
): FailedCandidate => {
  const failure: Failure = { kind, status: null, code: null, detail: 'No.', retryAfterMs };
  return { candidate: of, failure, wasAsked };
};
const answer = (...failures: FailedCandidate[]) => {
  const { code, retryAfterSeconds } = new NoAttemptSucceeded(failures, []);
  return [code, retryAfterSeconds];
};

describe('the answer when no candidate served the request', () => {
  it('is the last failure', () => {
    expect(answer(failed(large, 'overload'), failed(small, 'unreadable'))).toEqual([
      'provider_response_unreadable',
      undefined,
    ]);
  });

  it.each<[string, FailedCandidate, unknown[]]>([
    ['a rate limit', failed(large, 'rate', 9_000), ['provider_rate_limited', 9]],
    ['an overload', failed(large, 'overload'), ['provider_overloaded', undefined]],
    ['silence', failed(large, 'no-answer'), ['provider_no_answer', undefined]],
    ['want of money', failed(large, 'money'), ['provider_out_of_money', null]],
    ['an open breaker', failed(large, 'rate', 9_000, false), ['provider_rate_limited', 9]],
  ])('to a length that a larger window may take is not final: %s of it counts', (_, ofLarge, expected) => {
    expect(answer(ofLarge, failed(small, 'too-long'))).toEqual(expected);
  });

  it.each<[string, FailedCandidate]>([
    ['has no larger window', failed(small, 'rate', 9_000)],
    ['has an unknown window', failed(unknown, 'rate', 9_000)],
    ['is gone', failed(large, 'model')],
  ])('to a length is final when the other model %s', (_, other) => {
    expect(answer(other, failed(candidate('middle', 500), 'too-long'))).toEqual([
      'context_too_long',
      undefined,
    ]);
  });

  it.each<[string, FailedCandidate, string]>([
    ['a rate limit', failed(large, 'rate', 9_000), 'provider_rate_limited'],
    ['silence', failed(large, 'no-answer'), 'provider_no_answer'],
    ['an open breaker', failed(large, 'overload', 9_000, false), 'provider_overloaded'],
    ['a model that is gone', failed(large, 'model'), 'provider_refused_request'],
  ])('to a request that one model does not take is, with %s of another, what can pass', (_, other, code) => {
    expect(answer(other, failed(small, 'invalid'))[0]).toBe(code);
  });

  it('to a request that no model takes is that of the model that was asked for', () => {
    const refusals = [failed(large, 'invalid'), failed(small, 'invalid')].map((one, index) => ({
      ...one,
      failure: { ...one.failure, detail: `Refusal ${index}.` },
    }));
    expect(new NoAttemptSucceeded(refusals, []).message).toBe('Refusal 0. Change the request.');
  });

  it.each(FAILURES)('of kind %s says each thing once', (kind) => {
    for (const isOfRequest of [false, true]) {
      const facts = { status: null, message: 'The field x is not valid', secret: '', isOfRequest };
      const failure = failureOf(kind, facts);
      const { message } = new NoAttemptSucceeded([{ candidate: small, failure, wasAsked: true }], []);
      const sentences = message.split(/(?<=[.!?]) /);
      expect(new Set(sentences.map((one) => one.split(' ').slice(0, 2).join(' '))).size).toBe(
        sentences.length,
      );
      expect(sentences.every((one) => /[.!?]$/.test(one))).toBe(true);
    }
  });

  it('is the rate limit that ends first, by the last failure of each candidate', () => {
    const waitedOut = [failed(large, 'rate', 3_000), failed(small, 'rate', 1_000)];
    const again = [failed(small, 'rate', 60_000), failed(large, 'rate', 40_000)];
    expect(answer(...waitedOut, ...again)).toEqual(['provider_rate_limited', 40]);
  });

  it('has no Retry-After when no provider gives one at last', () => {
    expect(answer(failed(large, 'rate', 3_000), failed(small, 'money'), failed(large, 'rate'))).toEqual([
      'provider_rate_limited',
      null,
    ]);
  });
});
