import { dollarsOf } from '../../models/domain/prices.js';
import type { Failure, FailureKind } from '../../providers/wires/failure.js';
import type { NanoDollars } from '../../usage/spend/spend-ledger.js';
import type { Candidate } from './fallback.js';

/** One attempt as callers see it. */
export interface AttemptRecord {
  readonly provider: string;
  /** The provider's own name of the model. */
  readonly model: string;
  readonly credential: 'own' | 'platform';
  readonly outcome: 'answered' | FailureKind;
  /** HTTP status of the provider; null without a response. */
  readonly status: number | null;
  readonly milliseconds: number;
  /** null: not known, or the model has no price. */
  readonly cost: NanoDollars | null;
}

/** A candidate that did not serve the request. */
export interface FailedCandidate {
  readonly candidate: Candidate;
  readonly failure: Failure;
  /** false: its breaker was open, the provider was not asked. */
  readonly wasAsked: boolean;
}

/** `begun`: a stream that has content and has not ended. */
export type NamedAttempt = Pick<AttemptRecord, 'provider' | 'model'> & {
  readonly outcome: AttemptRecord['outcome'] | 'begun';
};

/** Short form of the attempts for a header: `openai/gpt-image-2 rate, google/gemini answered`. */
export const shortForm = (attempts: readonly NamedAttempt[]): string =>
  attempts.map(({ provider, model, outcome }) => `${provider}/${printable(model)} ${outcome}`).join(', ');

/** A header has ASCII only. */
const printable = (text: string): string => text.replace(/[^\x21-\x2b\x2d-\x7e]/g, '?');

/** The attempts in responses and in problems: costs as decimal text of dollars. */
export const attemptMembers = (attempts: readonly AttemptRecord[]) => ({
  attempts: attempts.map((attempt) => ({
    ...attempt,
    cost: attempt.cost === null ? null : dollarsOf(attempt.cost),
  })),
});
