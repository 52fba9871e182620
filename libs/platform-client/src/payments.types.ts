/** For whom a call is made. */
export interface PaymentsCall {
  readonly organizationId: string;
  /** The person that the service acts for; a member of the organization. */
  readonly userId?: string;
  /** One effect for each key: repeat a call without an answer with the same key. */
  readonly idempotencyKey?: string;
}

export type PaymentsResult<T> =
  | { readonly kind: 'answered'; readonly value: T }
  /** Another request is needed. `providerCode`: of the payment provider, such as `card_declined`. */
  | { readonly kind: 'refused'; readonly code: string; readonly providerCode: string | null }
  /** Also an object of another organization or application. */
  | { readonly kind: 'not-found' }
  | { readonly kind: 'limited'; readonly retryAfterMs: number | null }
  /** The gateway refuses this service, or has no usable credential. */
  | { readonly kind: 'misconfigured'; readonly code: string }
  /** Nothing happened. */
  | { readonly kind: 'not-sent'; readonly reason: string }
  /** It may have happened. Repeat it with the same key. */
  | { readonly kind: 'no-answer'; readonly reason: string };

type Metadata = Readonly<Record<string, string>>;

/** Amounts are integers in minor units; currencies ISO 4217. */
export interface NewPrice {
  readonly currency: string;
  readonly unitAmount: number;
  /** Absent: paid once. */
  readonly recurring?: {
    readonly interval: 'day' | 'week' | 'month' | 'year';
    readonly intervalCount?: number;
  };
  /** Either an existing product or a new one. */
  readonly productId?: string;
  readonly productData?: { readonly name: string };
  readonly metadata?: Metadata;
}

export interface PaymentPrice {
  readonly id: string;
  readonly productId: string;
  readonly currency: string;
  readonly unitAmount: number | null;
}

export interface NewCheckout {
  readonly mode: 'payment' | 'subscription';
  readonly items: readonly { readonly priceId: string; readonly quantity: number }[];
  /** Their origins are allowed in the gateway's configuration. */
  readonly successUrl: string;
  readonly cancelUrl?: string;
  readonly customerId?: string;
  readonly customerEmail?: string;
  readonly reference?: string;
  /** Also of the subscription. */
  readonly metadata?: Metadata;
}

export interface Checkout {
  readonly id: string;
  readonly status: string | null;
  /** Where the person pays; null when it is over. */
  readonly url: string | null;
  readonly customerId: string | null;
  readonly subscriptionId: string | null;
}

export interface PaymentSubscription {
  readonly id: string;
  readonly status: string;
  readonly customerId: string;
  readonly items: readonly PaymentSubscriptionItem[];
  readonly cancelAtPeriodEnd: boolean;
  readonly metadata: Metadata;
}

export interface PaymentSubscriptionItem {
  readonly id: string;
  readonly priceId: string;
  readonly quantity: number;
}

export interface Proration {
  readonly prorationBehavior: 'create_prorations' | 'always_invoice' | 'none';
  /** RFC 3339. The same date in a preview and an update gives the same amount. */
  readonly prorationDate?: string;
}

export interface ItemChange extends Proration {
  readonly subscriptionId: string;
  readonly itemId: string;
  /** Absent: unchanged, also with another price. */
  readonly quantity?: number;
  readonly priceId?: string;
}

export interface InvoicePreview {
  readonly currency: string;
  readonly amountDue: number;
  readonly total: number;
  readonly prorationDate: string | null;
}
