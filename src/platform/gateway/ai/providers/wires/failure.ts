import { type OutboundHeaders, retryAfterIn } from '#libs/outbound-http';

/**
 * Why an attempt failed, by the body of the response and not by its status alone, in words for the caller. What to do is added where the
 * failure is told, so that it is said once.
 *
 * - `rate`: too many requests; the same credential works again later.
 * - `money`: the provider account has no money or quota left, or too little for the request; only a person ends it.
 * - `credential`: the key is not accepted, at all or for the request.
 * - `invalid`: the request is refused for another reason.
 * - `not-sent`: nothing was written to a connection.
 * - `no-answer`: the request was sent, and its effect and cost are unknown.
 * - `unreadable`: a response of status 200 that is not what was asked for, such as half an image.
 */
const SENTENCES = {
  rate: 'The provider limits the rate of requests.',
  money: 'The account at the provider has no money or quota left.',
  overload: 'The provider is overloaded or has an internal error.',
  credential: 'The provider does not accept the credential.',
  model: 'The provider does not have the model.',
  'too-long': 'The input is longer than the model accepts.',
  policy: 'The provider refuses the content.',
  invalid: 'The provider refuses the request.',
  'not-sent': 'The provider could not be reached. Nothing was sent.',
  'no-answer': 'The provider gave no whole response.',
  unreadable: 'The provider gave a response that is not readable.',
};
export type FailureKind = keyof typeof SENTENCES;
export const FAILURES = Object.keys(SENTENCES) as readonly FailureKind[];

export interface Failure {
  readonly kind: FailureKind;
  readonly status: number | null;
  readonly code: string | null;
  /** What is wrong, for the caller. What to do follows by the kind, once. Contains no secret and no address. */
  readonly detail: string;
  readonly retryAfterMs: number | null;
  /** The provider can refuse in this way after the work too, such as an image that it has drawn. */
  readonly isAfterWork?: boolean;
  /** The credential works for other requests. Of `money`: a smaller one. Of `credential`: another model. */
  readonly isOfRequest?: boolean;
}

/** A proxy writes these when the server behind it gave no valid response, or none in time (RFC 9110, 15.6.3 and 15.6.5). */
const OF_PROXIES: readonly (number | null)[] = [502, 504];

/** Whether the provider may have done the work and bill it. Every other failure without usage is free. */
export function mayBeBilled({ kind, status, isAfterWork = false }: Failure): boolean {
  if (kind === 'no-answer' || kind === 'unreadable') return true;
  if (kind === 'policy') return isAfterWork || status === 200;
  return kind === 'overload' && OF_PROXIES.includes(status);
}

const OF_REQUEST: Partial<Record<FailureKind, string>> = {
  money: 'The account at the provider has too little money left for this request.',
  credential: 'The provider does not let the credential do this.',
};
/** Of 403: not one model is refused, but the key or its account. */
const OF_THE_KEY = /^(?:account_deactivated|invalid_api_key|API_KEY_|CONSUMER_)/;

/** The provider's own words help the caller to correct the request; those about accounts and keys stay here. */
const EXPLAINED: readonly FailureKind[] = ['model', 'too-long', 'policy', 'invalid'];
const WAITING: readonly FailureKind[] = ['rate', 'overload'];

const MAX_MESSAGE = 300;
const READ_OF_MESSAGE = 2_000;
const LONGEST_WAIT_MS = 86_400_000;
const CODE = /^[\w.:/-]{1,100}$/;
/** Addresses, e-mail addresses and identifiers of keys, projects and organizations, also partly masked ones. */
const PRIVATE =
  /\bhttps?:\/\/\S+|\S+@\S+|\b(?:sk|rk|pk|key|org|proj|user|req|AIza|ya29)[-_.]?[\w*.-]{8,}|\b[\w-]{32,}/gi;

/** Of a response whose body says no more. A success that is no result is `unreadable`. */
export function kindOfStatus(status: number): FailureKind {
  if (status === 429) return 'rate';
  if (status === 401 || status === 403) return 'credential';
  if (status === 404) return 'model';
  if (status === 413) return 'too-long';
  if (status === 408 || status === 409 || status >= 500) return 'overload';
  return status >= 400 ? 'invalid' : 'unreadable';
}

interface FailureFacts {
  readonly status: number | null;
  readonly code?: unknown;
  readonly message?: unknown;
  readonly retryAfterMs?: number | null;
  readonly isAfterWork?: boolean;
  readonly isOfRequest?: boolean;
  /** Never appears in the result. */
  readonly secret: string;
}

export function failureOf(kind: FailureKind, facts: FailureFacts): Failure {
  const {
    status,
    code,
    message,
    secret,
    retryAfterMs = null,
    isAfterWork = false,
    isOfRequest = isForbidden(kind, facts),
  } = facts;
  const isCode = (typeof code === 'string' || typeof code === 'number') && CODE.test(String(code));
  const sentence = (isOfRequest && OF_REQUEST[kind]) || SENTENCES[kind];
  const words = EXPLAINED.includes(kind) ? publicWords(message, secret) : '';
  return {
    kind,
    status,
    code: isCode && !holds(String(code), secret) ? String(code) : null,
    detail: words === '' ? sentence : `${sentence} It says: ${words}${/[.!?…]$/.test(words) ? '' : '.'}`,
    retryAfterMs: WAITING.includes(kind) ? retryAfterMs : null,
    ...(isAfterWork && { isAfterWork }),
    ...(isOfRequest && { isOfRequest }),
  };
}

/** 401 is about the key. 403 is about what was asked for with it, such as one model. In a response of status 200 the code says it. */
const isForbidden = (kind: FailureKind, { status, code }: FailureFacts): boolean =>
  kind === 'credential' && (status === 403 || code === 403) && !OF_THE_KEY.test(String(code));

const holds = (value: string, secret: string) => secret !== '' && value.includes(secret);

/** One line without what identifies the account, at most `MAX_MESSAGE` characters. */
function publicWords(message: unknown, secret: string): string {
  if (typeof message !== 'string') return '';
  const known = secret === '' ? message : message.replaceAll(secret, '…');
  return known
    .slice(0, READ_OF_MESSAGE)
    .replaceAll(/[\p{Cc}\p{Cf}\s]+/gu, ' ')
    .replaceAll(PRIVATE, '…')
    .trim()
    .slice(0, MAX_MESSAGE);
}

/** @returns milliseconds up to a day; null: the provider did not say */
export function retryAfterOf(headers: OutboundHeaders): number | null {
  const stated = retryAfterIn(headers);
  return stated === null ? null : waitOf(stated);
}

/** null for what is no wait, or a longer one than anybody plans with. */
export function waitOf(milliseconds: number): number | null {
  return milliseconds >= 0 && milliseconds <= LONGEST_WAIT_MS ? Math.ceil(milliseconds) : null;
}
