import { type FailureReport, inDoubt } from '#libs/content';
import type { OutboundResponse } from '#libs/outbound-http';
import type { PublishedPost } from '../domain/delivery-outcome.js';
import type { LimitReading } from '../domain/network-limits.js';
import { FAILURES, failureOf } from './failures.js';
import type {
  CommitResponse,
  NetworkResponse,
  PrepareResponse,
  Refusal,
  ReconcileRequest,
} from '../domain/provider-publishing.js';
import type { Clock } from '#libs/clock';

export interface ResponseReader {
  readonly displayName: string;
  /** By the form of its errors. What proxies and gateways in front of the network answer has another form and is no verdict. */
  isOwnError(response: NetworkResponse): boolean;
  /** What a refusal means. Class `unconfirmed`: of the irreversible call it does not prove that it had no effect. */
  classify(response: NetworkResponse): Refusal;
  readingsIn(response: NetworkResponse): readonly LimitReading[];
}

/** What a response of success to the irreversible call means. */
export type Committed = PublishedPost | (CommitResponse & { readonly kind: 'accepted' });

/** `refused`: a refusal with a status of success. null: the response is not readable. */
export type Reading<Success> = Success | 'refused' | null;

/**
 * The outcome of the irreversible call. Only a status of 400 to 499, or a success that the provider reads as a refusal, proves that
 * it had no effect, unless the network's reader classifies it as `unconfirmed`.
 * @param read called with a response of status 200 to 299
 */
export function commitResponseOf(
  reader: ResponseReader,
  response: OutboundResponse,
  read: (response: NetworkResponse) => Reading<Committed>,
): CommitResponse {
  return metered(reader, response, commitResponseIn(reader, response, read));
}

function commitResponseIn(
  reader: ResponseReader,
  response: OutboundResponse,
  read: (response: NetworkResponse) => Reading<Committed>,
): CommitResponse {
  const { displayName } = reader;
  if (response.kind === 'withheld') return { kind: 'abandoned' };
  if (response.kind === 'not-sent')
    return { kind: 'not-sent', failure: unreachable(displayName, response.reason) };
  if (response.kind === 'no-answer')
    return { kind: 'unconfirmed', failure: unanswered(displayName, response.reason), isSilent: true };
  const post = isSuccess(response) ? read(response) : isRefusal(reader, response) ? 'refused' : null;
  if (post === 'refused') return refusedBy(reader, response);
  if (post !== null) return 'kind' in post ? post : { kind: 'published', ...post };
  if (isSuccess(response))
    return { kind: 'unconfirmed', failure: unanswered(displayName, 'unreadable-answer') };
  const code = reader.classify(response).failure.networkCode ?? String(response.status);
  return { kind: 'unconfirmed', failure: unanswered(displayName, code), isSilent: true };
}

/**
 * The outcome of a step that publishes nothing. Without a usable response, or with a response that leaves its effect in doubt, it is
 * repeated.
 * @param read called with a response of status 200 to 299
 */
export function prepareResponseOf(
  reader: ResponseReader,
  response: OutboundResponse,
  read: (response: NetworkResponse) => Reading<PrepareResponse>,
): PrepareResponse {
  return metered(reader, response, prepareResponseIn(reader, response, read));
}

function prepareResponseIn(
  reader: ResponseReader,
  response: OutboundResponse,
  read: (response: NetworkResponse) => Reading<PrepareResponse>,
): PrepareResponse {
  const { displayName } = reader;
  if (response.kind === 'withheld')
    return { kind: 'no-answer', failure: unreachable(displayName, 'withheld') };
  if (response.kind !== 'answered')
    return { kind: 'no-answer', failure: unreachable(displayName, response.reason) };
  const step = isSuccess(response) ? read(response) : isRefusal(reader, response) ? 'refused' : null;
  if (step !== 'refused')
    return step ?? { kind: 'no-answer', failure: unreachable(displayName, String(response.status)) };
  const refusal = reader.classify(response);
  const { class: failureClass, networkCode } = refusal.failure;
  if (failureClass !== 'unconfirmed') return { kind: 'refused', refusal };
  return { kind: 'no-answer', failure: unreachable(displayName, networkCode ?? String(response.status)) };
}

/** Some networks respond with 400 to a call that may have had its effect. */
function refusedBy(reader: ResponseReader, response: NetworkResponse): CommitResponse {
  const refusal = reader.classify(response);
  const { failure } = refusal;
  return failure.class === 'unconfirmed' ? { kind: 'unconfirmed', failure } : { kind: 'refused', refusal };
}

function metered<Result extends object>(
  reader: ResponseReader,
  response: OutboundResponse,
  result: Result,
): Result {
  const readings = response.kind === 'answered' ? reader.readingsIn(response) : [];
  return readings.length === 0 ? result : { ...result, readings };
}

const isSuccess = ({ status }: NetworkResponse): boolean => status >= 200 && status < 300;
/** Too large, and too many: stated before a call is taken, by whichever machine. */
const LIMITS = [413, 429];

/** Only the API of the network knows what became of the call. */
const isRefusal = (reader: ResponseReader, response: NetworkResponse): boolean => {
  const { status } = response;
  return status >= 400 && status < 500 && (LIMITS.includes(status) || reader.isOwnError(response));
};

export const unreachable = (displayName: string, networkCode: string): FailureReport =>
  failureOf(displayName, networkCode, FAILURES.unreachable);

export const unanswered = (displayName: string, networkCode: string): FailureReport =>
  inDoubt(
    `The post was sent to ${displayName}, but no readable response came back. It may be live.`,
    networkCode,
  );

/**
 * A call that was not answered may still run at the network, or wait in a proxy: what the network does not have yet is evidence only
 * so long after it began. Longer than any time limit of a call, of a proxy or of the network.
 * docs/design/publishing.md
 */
const SETTLED_AFTER_MS = 15 * 60_000;

/** Whether the irreversible call of the attempt may still have an effect. It may have begun long after its attempt: uploads take time. */
export const mayStillRun = (
  { since, prepared }: Pick<ReconcileRequest, 'since' | 'prepared'>,
  clock: Clock,
): boolean =>
  Math.min(clock.now().getTime() - Date.parse(since), prepared?.quietMs ?? Infinity) < SETTLED_AFTER_MS;
