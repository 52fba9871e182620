import { retryAfterIn } from '#libs/outbound-http';
import Stripe from 'stripe';
import {
  PaymentCredentialIsRefused,
  PaymentIsRefused,
  PaymentProviderIsUnreachable,
  PaymentProviderLimitsRequests,
  type PaymentRefusal,
} from '../payments.errors.js';
import { ProviderGaveNoResponse } from './stripe-http.js';

/**
 * What a call to the provider came to.
 *
 * - `refused`: certainly no effect, and the same request will be refused again.
 * - `credential`, `limited`, `not-sent`: certainly no effect, and the request can succeed later.
 * - `unknown`: an effect is possible. Only a repetition with the same key tells.
 */
export type Outcome<T> =
  | { readonly kind: 'done'; readonly value: T }
  | { readonly kind: 'refused'; readonly refusal: PaymentRefusal }
  | { readonly kind: 'credential'; readonly status: 401 | 403 }
  | { readonly kind: 'limited'; readonly retryAfterSeconds: number }
  | { readonly kind: 'not-sent' }
  | { readonly kind: 'unknown' };

const { errors } = Stripe;

/** Never rejects because of the provider. */
export async function outcomeOf<T>(call: () => Promise<T>): Promise<Outcome<T>> {
  try {
    return { kind: 'done', value: await call() };
  } catch (error) {
    if (error instanceof errors.StripeError) return failed(error);
    throw error;
  }
}

/** The error for the caller of a call that certainly had no effect. */
export function errorOf(outcome: Exclude<Outcome<unknown>, { readonly kind: 'done' | 'unknown' }>): Error {
  switch (outcome.kind) {
    case 'refused':
      return new PaymentIsRefused(outcome.refusal);
    case 'credential':
      return new PaymentCredentialIsRefused();
    case 'limited':
      return new PaymentProviderLimitsRequests(outcome.retryAfterSeconds);
    case 'not-sent':
      return new PaymentProviderIsUnreachable();
  }
}

function failed(error: InstanceType<typeof errors.StripeError>): Outcome<never> {
  const { detail, statusCode, code, param, decline_code } = error as typeof error & {
    readonly detail?: unknown;
  };
  if (detail instanceof ProviderGaveNoResponse && !detail.isSent) return { kind: 'not-sent' };
  // Execution began with another request under this key: its outcome is that one's.
  if (error instanceof errors.StripeIdempotencyError) return { kind: 'unknown' };
  if (error instanceof errors.StripeRateLimitError)
    return { kind: 'limited', retryAfterSeconds: retryAfterSecondsIn(error.headers) };
  if (statusCode === 401 || statusCode === 403) return { kind: 'credential', status: statusCode };
  if (statusCode !== 400 && statusCode !== 402 && statusCode !== 404) return { kind: 'unknown' };
  const refusal = {
    status: statusCode,
    code: code ?? null,
    param: param ?? null,
    declineCode: decline_code ?? null,
  };
  return { kind: 'refused', refusal };
}

function retryAfterSecondsIn(headers: Readonly<Record<string, string>> | undefined): number {
  const seconds = (retryAfterIn(headers ?? {}) ?? 0) / 1_000;
  return seconds > 0 ? Math.min(Math.ceil(seconds), 3_600) : 1;
}
