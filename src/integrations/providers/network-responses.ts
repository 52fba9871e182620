import type { FailureReport } from '#libs/content';
import { inDoubt } from '#libs/content';
import type { OutboundResponse } from '#libs/outbound-http';
import type { PublishedPost } from '../domain/delivery-outcome.js';
import { NETWORK_UNREACHABLE } from '../domain/network-state.js';
import type { PublishingProvider } from '../provider.js';
import type { CommitResponse, NetworkResponse, PrepareResponse } from '../domain/provider-publishing.js';

export type Classifying = Pick<PublishingProvider, 'displayName' | 'classify' | 'isOwnError' | 'readingsIn'>;

/** `refused`: a refusal with a status of success. null: the response is not readable. */
/** What a response of success to the irreversible call means. */
export type Committed = PublishedPost | (CommitResponse & { readonly kind: 'accepted' });

export type Reading<Success> = Success | 'refused' | null;

/**
 * The outcome of the irreversible call. Only a status of 400 to 499, or a success that the provider reads as a refusal, proves that
 * it had no effect, unless the provider classifies it as `unconfirmed`.
 * @param read called with a response of status 200 to 299
 */
export function commitResponseOf(
  provider: Classifying,
  response: OutboundResponse,
  read: (response: NetworkResponse) => Reading<Committed>,
): CommitResponse {
  return metered(provider, response, 'post', commitResponseIn(provider, response, read));
}

function commitResponseIn(
  provider: Classifying,
  response: OutboundResponse,
  read: (response: NetworkResponse) => Reading<Committed>,
): CommitResponse {
  const { displayName } = provider;
  if (response.kind === 'withheld') return { kind: 'abandoned' };
  if (response.kind === 'not-sent')
    return { kind: 'not-sent', failure: unreachable(displayName, response.reason) };
  if (response.kind === 'no-answer')
    return { kind: 'unconfirmed', failure: unanswered(displayName, response.reason), isSilent: true };
  const post = isSuccess(response) ? read(response) : isRefusal(provider, response) ? 'refused' : null;
  if (post === 'refused') return refusedBy(provider, response);
  if (post !== null) return 'kind' in post ? post : { kind: 'published', ...post };
  if (isSuccess(response))
    return { kind: 'unconfirmed', failure: unanswered(displayName, 'unreadable-answer') };
  const code = provider.classify(response).failure.networkCode ?? String(response.status);
  return { kind: 'unconfirmed', failure: unanswered(displayName, code), isSilent: true };
}

/**
 * The outcome of a step that publishes nothing. Without a usable response, or with a response that leaves its effect in doubt, it is
 * repeated.
 * @param read called with a response of status 200 to 299
 */
export function prepareResponseOf(
  provider: Classifying,
  response: OutboundResponse,
  read: (response: NetworkResponse) => Reading<PrepareResponse>,
): PrepareResponse {
  return metered(provider, response, 'step', prepareResponseIn(provider, response, read));
}

function prepareResponseIn(
  provider: Classifying,
  response: OutboundResponse,
  read: (response: NetworkResponse) => Reading<PrepareResponse>,
): PrepareResponse {
  const { displayName } = provider;
  if (response.kind === 'withheld')
    return { kind: 'no-answer', failure: unreachable(displayName, 'withheld') };
  if (response.kind !== 'answered')
    return { kind: 'no-answer', failure: unreachable(displayName, response.reason) };
  const step = isSuccess(response) ? read(response) : isRefusal(provider, response) ? 'refused' : null;
  if (step !== 'refused')
    return step ?? { kind: 'no-answer', failure: unreachable(displayName, String(response.status)) };
  const refusal = provider.classify(response);
  const { class: failureClass, networkCode } = refusal.failure;
  if (failureClass !== 'unconfirmed') return { kind: 'refused', refusal };
  return { kind: 'no-answer', failure: unreachable(displayName, networkCode ?? String(response.status)) };
}

/** Some networks respond with 400 to a call that may have had its effect. */
function refusedBy(provider: Classifying, response: NetworkResponse): CommitResponse {
  const refusal = provider.classify(response);
  const { failure } = refusal;
  return failure.class === 'unconfirmed' ? { kind: 'unconfirmed', failure } : { kind: 'refused', refusal };
}

/** With what the response says about limits of the network. */
function metered<Result extends object>(
  provider: Classifying,
  response: OutboundResponse,
  of: 'post' | 'step',
  result: Result,
): Result {
  const readings = response.kind === 'answered' ? provider.readingsIn(response, of) : [];
  return readings.length === 0 ? result : { ...result, readings };
}

const isSuccess = ({ status }: NetworkResponse): boolean => status >= 200 && status < 300;
/** Too large, and too many: stated before a call is taken, by whichever machine. */
const LIMITS = [413, 429];

/** Only the API of the network knows what became of the call. */
const isRefusal = (provider: Classifying, response: NetworkResponse): boolean => {
  const { status } = response;
  return status >= 400 && status < 500 && (LIMITS.includes(status) || provider.isOwnError(response));
};

function unreachable(displayName: string, networkCode: string): FailureReport {
  return {
    code: NETWORK_UNREACHABLE,
    class: 'transient',
    networkCode,
    message: `${displayName} could not be reached; nothing was sent.`,
    nextStep: 'Retry in some minutes.',
  };
}

function unanswered(displayName: string, networkCode: string): FailureReport {
  const message = `The post was sent to ${displayName}, but no readable response came back. It may be live.`;
  return inDoubt(message, networkCode);
}
