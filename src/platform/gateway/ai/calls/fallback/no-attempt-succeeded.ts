import { DomainError, type ErrorKind } from '#libs/errors';
import type { Failure, FailureKind } from '../../providers/wires/failure.js';
import { attemptMembers, type AttemptRecord, type FailedCandidate } from './attempt-record.js';
import { exceededBy, type ExceededWindow, isLarger } from './fallback.js';

interface Answer {
  readonly kind: ErrorKind;
  readonly code: string;
  readonly advice: string;
}

const ANSWERS: Readonly<Record<FailureKind, Answer>> = {
  rate: { kind: 'rate-limited', code: 'provider_rate_limited', advice: 'Try again later.' },
  money: {
    kind: 'rate-limited',
    code: 'provider_out_of_money',
    advice: 'Add money or raise the limit at the provider, then check the credential.',
  },
  overload: { kind: 'unavailable', code: 'provider_overloaded', advice: 'Try again in a moment.' },
  credential: {
    kind: 'bad-gateway',
    code: 'provider_credential',
    advice: 'Replace the credential of the provider.',
  },
  model: { kind: 'unprocessable', code: 'model_not_found', advice: 'Name another model.' },
  'too-long': {
    kind: 'unprocessable',
    code: 'context_too_long',
    advice: 'Shorten the input, or name a model with a larger context window.',
  },
  policy: { kind: 'unprocessable', code: 'content_policy', advice: 'Change the content.' },
  invalid: { kind: 'unprocessable', code: 'provider_refused_request', advice: 'Change the request.' },
  'not-sent': { kind: 'unavailable', code: 'provider_unreachable', advice: 'Try again in a moment.' },
  'no-answer': {
    kind: 'gateway-timeout',
    code: 'provider_no_answer',
    advice: 'The call may have been billed. Repeat it only when that is acceptable.',
  },
  unreadable: {
    kind: 'bad-gateway',
    code: 'provider_response_unreadable',
    advice: 'The call may have been billed. Repeat it only when that is acceptable.',
  },
};

const OF_REQUEST: Partial<Record<FailureKind, string>> = {
  money: 'Ask for fewer tokens, or add money at the provider.',
  credential: 'Name another model, or let the credential use this one.',
};

/** No candidate served the request. `attempts` in the problem lists what was tried. */
export class NoAttemptSucceeded extends DomainError {
  readonly kind: ErrorKind;
  readonly code: string;

  constructor(
    failed: readonly FailedCandidate[],
    readonly attempts: readonly AttemptRecord[],
  ) {
    const { kind, detail, retryAfterMs, isOfRequest } = decisive(failed);
    const { advice: usual, ...answer } = ANSWERS[kind];
    const advice = (isOfRequest && OF_REQUEST[kind]) || usual;
    super(`${detail} ${advice}`, {
      members: attemptMembers(attempts),
      retryAfterSeconds: secondsOf(kind, retryAfterMs),
    });
    this.kind = answer.kind;
    this.code = answer.code;
  }
}

/** Limits of the provider have its Retry-After or none. For the other errors the default of the status applies. */
function secondsOf(kind: FailureKind, retryAfterMs: number | null): number | null | undefined {
  if (kind === 'money') return null;
  if (kind === 'rate') return retryAfterMs === null ? null : retryAfterMs / 1000;
  return retryAfterMs === null ? undefined : retryAfterMs / 1000;
}

/** By the last failure of each candidate: what was waited for counts no more. */
function decisive(failed: readonly FailedCandidate[]): Failure {
  const lastOf = new Map(failed.map((one) => [one.candidate, one]));
  return decisiveOf(failed.filter((one) => lastOf.get(one.candidate) === one));
}

/**
 * When every candidate is limited, the limit that ends first. Otherwise the failure of the last attempt, as it is the one that ended
 * the fallback. A refusal of the request or of its length gives way to failures that can pass, of a length those of larger models: they may
 * serve the same request later. Of several refusals of the request, the first is that of the model that was asked for.
 */
function decisiveOf(failed: readonly FailedCandidate[]): Failure {
  const failures = failed.map(({ failure }) => failure);
  const limits = failures.filter(({ kind }) => kind === 'rate');
  if (failures.every(({ kind }) => kind === 'rate' || kind === 'money'))
    return limits.length > 0 ? soonest(limits) : last(failures);
  const asked = failed.filter(({ wasAsked }) => wasAsked).map(({ failure }) => failure);
  const ended = last(asked.length > 0 ? asked : failures);
  const passing = failed.filter(passesAfter(ended, failed));
  if (passing.length > 0) return decisiveOf(passing);
  return ended.kind === 'invalid' ? (failures.find(({ kind }) => kind === 'invalid') ?? ended) : ended;
}

const canPass = ({ failure }: FailedCandidate): boolean => ANSWERS[failure.kind].kind !== 'unprocessable';

function passesAfter(
  { kind }: Failure,
  failed: readonly FailedCandidate[],
): (one: FailedCandidate) => boolean {
  if (kind === 'invalid') return canPass;
  return kind === 'too-long' ? canPassWithLarger(failed) : () => false;
}

function canPassWithLarger(failed: readonly FailedCandidate[]): (one: FailedCandidate) => boolean {
  const exceeded = failed
    .filter(({ failure }) => failure.kind === 'too-long')
    .reduce<ExceededWindow>((largest, { candidate }) => exceededBy(largest, candidate.model), null);
  return (one) => canPass(one) && isLarger(one.candidate.model, exceeded);
}

function soonest(limits: readonly Failure[]): Failure {
  const waits = limits.flatMap(({ retryAfterMs }) => (retryAfterMs === null ? [] : [retryAfterMs]));
  return { ...last(limits), retryAfterMs: waits.length > 0 ? Math.min(...waits) : null };
}

function last(failures: readonly Failure[]): Failure {
  const failure = failures.at(-1);
  if (!failure) throw new Error('A request without an attempt has no failure.');
  return failure;
}
