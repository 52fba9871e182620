import { randomBytes } from 'node:crypto';

/** The only version of the wire that is spoken here. Objects have the members that clients here use. */
export const API_VERSION = '2026-10-28.endive';

const LETTERS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** Such as `prod_Q2x…`. */
export function newId(prefix: string, length = 24): string {
  const characters = Array.from(randomBytes(length), (byte) => LETTERS[byte % LETTERS.length]);
  return `${prefix}_${characters.join('')}`;
}

export type Metadata = Readonly<Record<string, string>>;

export const wireObject = <Kind extends string>(id: string, object: Kind, created: number) => ({
  id,
  object,
  created,
  livemode: false as const,
});
type WireObject<Kind extends string> = Readonly<ReturnType<typeof wireObject<Kind>>>;

export interface Product extends WireObject<'product'> {
  readonly active: boolean;
  readonly name: string;
  readonly description: string | null;
  readonly metadata: Metadata;
  readonly updated: number;
  readonly type: 'service';
  readonly images: readonly string[];
  readonly default_price: null;
}

export type Interval = 'day' | 'week' | 'month' | 'year';

export interface Price extends WireObject<'price'> {
  readonly active: boolean;
  readonly billing_scheme: 'per_unit';
  readonly currency: string;
  readonly unit_amount: number;
  readonly unit_amount_decimal: string;
  readonly product: string;
  readonly recurring: {
    readonly interval: Interval;
    readonly interval_count: number;
    readonly usage_type: 'licensed';
  } | null;
  readonly type: 'one_time' | 'recurring';
  readonly nickname: string | null;
  readonly lookup_key: null;
  readonly metadata: Metadata;
}

export interface Session extends WireObject<'checkout.session'> {
  readonly mode: 'payment' | 'subscription' | 'setup';
  readonly status: 'open' | 'complete' | 'expired';
  readonly payment_status: 'paid' | 'unpaid' | 'no_payment_required';
  readonly url: string | null;
  readonly success_url: string;
  readonly cancel_url: string | null;
  readonly customer: string | null;
  readonly customer_creation: 'always' | 'if_required' | null;
  readonly customer_email: string | null;
  readonly client_reference_id: string | null;
  readonly metadata: Metadata;
  readonly subscription: string | null;
  readonly invoice: string | null;
  readonly payment_intent: string | null;
  readonly currency: string | null;
  readonly amount_total: number | null;
  readonly amount_subtotal: number | null;
  readonly expires_at: number;
  readonly ui_mode: 'hosted_page';
}

/** What a session needs at completion and does not show. */
export interface SessionOrder {
  readonly items: readonly { readonly price: string; readonly quantity: number }[];
  /** Of the subscription or the payment intent. */
  readonly metadata: Metadata;
}

export interface PortalSession extends WireObject<'billing_portal.session'> {
  readonly customer: string;
  readonly return_url: string | null;
  readonly url: string;
}

export interface PaymentEvent extends WireObject<'event'> {
  readonly api_version: string;
  readonly type: string;
  readonly data: { readonly object: object; readonly previous_attributes?: object };
  readonly pending_webhooks: number;
  readonly request: { readonly id: string | null; readonly idempotency_key: string | null };
}

export const newCustomer = (
  now: number,
  email: string | null,
  name: string | null = null,
  metadata: Metadata = {},
) => ({
  ...wireObject(newId('cus', 14), 'customer', now),
  email,
  name,
  metadata,
  /** The card of the last successful payment. */
  default_source: null as string | null,
});
export type Customer = Readonly<ReturnType<typeof newCustomer>> & { readonly isDeleted?: true };

export const newEndpoint = (
  now: number,
  url: string,
  enabled: readonly string[],
  metadata: Metadata = {},
) => ({
  ...wireObject(newId('we'), 'webhook_endpoint', now),
  url,
  enabled_events: enabled,
  status: 'enabled',
  api_version: API_VERSION,
  metadata,
});

/** An endpoint with its signing secrets; two while one is replaced. */
export interface SecretEndpoint {
  readonly id: string;
  readonly endpoint: Readonly<ReturnType<typeof newEndpoint>>;
  readonly secrets: readonly string[];
}
