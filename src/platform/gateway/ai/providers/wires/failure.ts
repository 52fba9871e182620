/**
 * Why an attempt failed, by the body of the response and not by its status alone.
 *
 * - `rate`: too many requests; the same credential works again later.
 * - `money`: the provider account has no money or quota left, or too little for the request; only a person ends it.
 * - `overload`: the provider is overloaded or has an internal error.
 * - `credential`: the key is not accepted, at all or for the request.
 * - `model`: the provider does not have the model (any more).
 * - `too-long`: the input is longer than the context window of the model.
 * - `policy`: the provider refuses the content.
 * - `invalid`: the provider refuses the request for another reason.
 * - `not-sent`: nothing was written to a connection.
 * - `no-answer`: the request was sent, and its effect and cost are unknown.
 * - `unreadable`: a response of status 200 that is not what was asked for, such as half an image.
 */
export const FAILURES = [
  'rate',
  'money',
  'overload',
  'credential',
  'model',
  'too-long',
  'policy',
  'invalid',
  'not-sent',
  'no-answer',
  'unreadable',
] as const;
export type FailureKind = (typeof FAILURES)[number];

export interface Failure {
  readonly kind: FailureKind;
  /** HTTP status of the provider; null without a response. */
  readonly status: number | null;
  /** The provider's own code, such as `rate_limit_exceeded`. */
  readonly code: string | null;
  /** What is wrong, for the caller. What to do follows by the kind, once. Contains no secret and no address. */
  readonly detail: string;
  /** How long the provider asks to wait; null: it did not say. */
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
