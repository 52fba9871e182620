import type { OutboundResponse } from '#libs/outbound-http';
import { isNothingSent, problemIn, secondsIn } from './gateway-results.js';
import type {
  Checkout,
  InvoicePreview,
  ItemChange,
  NewCheckout,
  NewPrice,
  PaymentPrice,
  PaymentsCall,
  PaymentsResult,
  PaymentSubscription,
  PaymentSubscriptionItem,
} from './payments.types.js';

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

/** Calls to the payment provider through the gateway. No method throws, and none is repeated here. */
export abstract class PaymentsClient {
  /** Whether this service is configured to call the gateway. */
  abstract readonly isConfigured: boolean;

  abstract createPrice(call: PaymentsCall, price: NewPrice): Promise<PaymentsResult<PaymentPrice>>;

  abstract createCheckout(call: PaymentsCall, checkout: NewCheckout): Promise<PaymentsResult<Checkout>>;

  abstract checkout(call: PaymentsCall, id: string): Promise<PaymentsResult<Checkout>>;

  /** @returns an address that signs the person in to the billing of the customer: do not store it */
  abstract openPortal(
    call: PaymentsCall,
    portal: { readonly customerId: string; readonly returnUrl: string },
  ): Promise<PaymentsResult<{ readonly url: string }>>;

  abstract subscription(call: PaymentsCall, id: string): Promise<PaymentsResult<PaymentSubscription>>;

  abstract changeItem(
    call: PaymentsCall,
    change: ItemChange,
  ): Promise<PaymentsResult<PaymentSubscriptionItem>>;

  /** What a change would cost. Charges and changes nothing. */
  abstract previewChange(call: PaymentsCall, change: ItemChange): Promise<PaymentsResult<InvoicePreview>>;
}
