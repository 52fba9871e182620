import type { OutboundResponse } from '#libs/outbound-http';
import { isNothingSent, problemIn, secondsIn } from './gateway-results.js';
import type { PaymentsResult } from './payments.types.js';

/** Nothing was sent, and the same request can succeed in a moment. */
const BUSY = ['idempotent_request_running', 'payment_change_in_progress'];

/** The outcome of a call by the response of the gateway. @param read throws for a body of another shape */
export function paymentsResultOf<T>(
  response: OutboundResponse,
  read: (body: unknown) => T,
): PaymentsResult<T> {
  if (response.kind === 'withheld') return { kind: 'not-sent', reason: 'withheld' };
  if (response.kind !== 'answered') return response;
  if (response.status >= 200 && response.status < 300) return readable(response.body, read);
  const { status } = response;
  const problem = problemIn(response);
  const reason = problem.code ?? String(status);
  if (problem.code === 'payment_object_not_found') return { kind: 'not-found' };
  if (status === 429 || BUSY.includes(reason)) {
    const seconds = secondsIn(response);
    return { kind: 'limited', retryAfterMs: seconds === null ? null : seconds * 1000 };
  }
  if (isNothingSent(status, problem.code)) return { kind: 'not-sent', reason };
  if (['provider_credential', 'no_credential'].includes(reason) || [401, 403, 404].includes(status))
    return { kind: 'misconfigured', code: reason };
  if (status >= 500 || status === 408) return { kind: 'no-answer', reason };
  const { providerCode } = problem as { readonly providerCode?: unknown };
  return {
    kind: 'refused',
    code: reason,
    providerCode: typeof providerCode === 'string' ? providerCode : null,
  };
}

function readable<T>(body: unknown, read: (body: unknown) => T): PaymentsResult<T> {
  try {
    return { kind: 'answered', value: read(body) };
  } catch {
    return { kind: 'no-answer', reason: 'unreadable_answer' };
  }
}
