import type { FailureReport } from '#libs/content';
import { inDoubt } from '#libs/content';
import type { PublishedPost } from '../domain/delivery-outcome.js';
import type { OutboundAnswer } from '../outbound/outbound-http.js';
import type { PublishingProvider } from '../provider.js';
import type { CommitAnswer, NetworkAnswer, PrepareAnswer } from '../domain/provider-publishing.js';

type Classifying = Pick<PublishingProvider, 'displayName' | 'classify'>;

/** `refused`: a refusal with a status of success. null: the response is not readable. */
type Reading<Success> = Success | 'refused' | null;

/**
 * The outcome of the irreversible call. Only a status of 400 to 499, or a success that the provider reads as a refusal, proves that
 * it had no effect, unless the provider classifies it as `unconfirmed`.
 * @param read called with an answer of status 200 to 299
 */
export function commitAnswerOf(
  provider: Classifying,
  answer: OutboundAnswer,
  read: (answer: NetworkAnswer) => Reading<PublishedPost>,
): CommitAnswer {
  const { displayName } = provider;
  if (answer.kind === 'withheld') return { kind: 'abandoned' };
  if (answer.kind === 'not-sent')
    return { kind: 'not-sent', failure: unreachable(displayName, answer.reason) };
  if (answer.kind === 'no-answer')
    return { kind: 'unconfirmed', failure: unanswered(displayName, answer.reason) };
  const post = isSuccess(answer) ? read(answer) : isRefusal(answer) ? 'refused' : null;
  if (post === 'refused') return refusedBy(provider, answer);
  if (post !== null) return { kind: 'published', ...post };
  const code = isSuccess(answer) ? 'unreadable-answer' : provider.classify(answer).failure.networkCode;
  return { kind: 'unconfirmed', failure: unanswered(displayName, code ?? String(answer.status)) };
}

/**
 * The outcome of a step that publishes nothing. Without a usable response, or with a response that leaves its effect in doubt, it is
 * repeated.
 * @param read called with an answer of status 200 to 299
 */
export function prepareAnswerOf(
  provider: Classifying,
  answer: OutboundAnswer,
  read: (answer: NetworkAnswer) => Reading<PrepareAnswer>,
): PrepareAnswer {
  const { displayName } = provider;
  if (answer.kind === 'withheld') return { kind: 'no-answer', failure: unreachable(displayName, 'withheld') };
  if (answer.kind !== 'answered')
    return { kind: 'no-answer', failure: unreachable(displayName, answer.reason) };
  const step = isSuccess(answer) ? read(answer) : isRefusal(answer) ? 'refused' : null;
  if (step !== 'refused')
    return step ?? { kind: 'no-answer', failure: unreachable(displayName, String(answer.status)) };
  const refusal = provider.classify(answer);
  const { class: failureClass, networkCode } = refusal.failure;
  if (failureClass !== 'unconfirmed') return { kind: 'refused', refusal };
  return { kind: 'no-answer', failure: unreachable(displayName, networkCode ?? String(answer.status)) };
}

/** Some networks answer a call that may have had its effect with 400. */
function refusedBy(provider: Classifying, answer: NetworkAnswer): CommitAnswer {
  const refusal = provider.classify(answer);
  const { failure } = refusal;
  return failure.class === 'unconfirmed' ? { kind: 'unconfirmed', failure } : { kind: 'refused', refusal };
}

const isSuccess = ({ status }: NetworkAnswer): boolean => status >= 200 && status < 300;
const isRefusal = ({ status }: NetworkAnswer): boolean => status >= 400 && status < 500;

function unreachable(displayName: string, networkCode: string): FailureReport {
  return {
    code: 'network_unreachable',
    class: 'transient',
    networkCode,
    message: `${displayName} could not be reached; nothing was sent.`,
    nextStep: 'Retry in some minutes.',
  };
}

function unanswered(displayName: string, networkCode: string): FailureReport {
  const message = `The post was sent to ${displayName}, but no readable answer came back. It may be live.`;
  return inDoubt(message, networkCode);
}
