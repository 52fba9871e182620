/** Objects as the wire shows them, in API version 2026-10-28.endive, with the members that clients here use. */
export interface WireObject {
  readonly id: string;
  readonly object: string;
  readonly created: number;
  readonly livemode: false;
}

export type Metadata = Readonly<Record<string, string>>;

export interface Product extends WireObject {
  readonly object: 'product';
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

export interface Price extends WireObject {
  readonly object: 'price';
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

export interface Customer extends WireObject {
  readonly object: 'customer';
  readonly email: string | null;
  readonly name: string | null;
  readonly metadata: Metadata;
  /** The card of the last successful payment. */
  readonly default_source: string | null;
  readonly isDeleted?: true;
}

export interface Listed<T> {
  readonly object: 'list';
  readonly data: readonly T[];
  readonly has_more: boolean;
  readonly url: string;
}

export interface Session extends WireObject {
  readonly object: 'checkout.session';
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

export interface PaymentIntent extends WireObject {
  readonly object: 'payment_intent';
  readonly amount: number;
  readonly amount_received: number;
  readonly currency: string;
  /** null: a guest paid. */
  readonly customer: string | null;
  readonly latest_charge: string;
  readonly metadata: Metadata;
  readonly status: 'succeeded';
}

export interface Charge extends WireObject {
  readonly object: 'charge';
  readonly amount: number;
  readonly amount_refunded: number;
  readonly currency: string;
  readonly customer: string | null;
  readonly disputed: boolean;
  readonly metadata: Metadata;
  readonly paid: true;
  readonly payment_intent: string;
  readonly refunded: boolean;
  readonly status: 'succeeded';
}

/** Neither it nor a dispute has the metadata of what it is about. */
export interface Refund extends Omit<WireObject, 'livemode'> {
  readonly object: 'refund';
  readonly amount: number;
  readonly charge: string;
  readonly currency: string;
  readonly metadata: Metadata;
  readonly payment_intent: string;
  readonly reason: 'requested_by_customer';
  readonly status: 'succeeded';
}

export interface Dispute extends WireObject {
  readonly object: 'dispute';
  readonly amount: number;
  readonly charge: string;
  readonly currency: string;
  readonly is_charge_refundable: false;
  readonly metadata: Metadata;
  readonly payment_intent: string;
  readonly reason: 'fraudulent';
  readonly status: 'needs_response';
}

export interface SubscriptionItem extends Omit<WireObject, 'livemode'> {
  readonly object: 'subscription_item';
  readonly price: Price;
  readonly quantity: number;
  readonly subscription: string;
  readonly current_period_start: number;
  readonly current_period_end: number;
  readonly metadata: Metadata;
}

export interface Subscription extends WireObject {
  readonly object: 'subscription';
  readonly status: 'active' | 'past_due' | 'canceled';
  readonly customer: string;
  readonly currency: string;
  readonly items: Listed<SubscriptionItem>;
  readonly metadata: Metadata;
  readonly cancel_at_period_end: boolean;
  readonly cancel_at: number | null;
  readonly canceled_at: number | null;
  readonly ended_at: number | null;
  readonly start_date: number;
  readonly billing_cycle_anchor: number;
  readonly latest_invoice: string | null;
  readonly collection_method: 'charge_automatically';
}

export interface InvoiceLine {
  readonly id: string;
  readonly object: 'line_item';
  readonly amount: number;
  readonly currency: string;
  readonly description: string;
  readonly quantity: number;
  readonly livemode: false;
  readonly metadata: Metadata;
  readonly period: { readonly start: number; readonly end: number };
  readonly parent: {
    readonly type: 'subscription_item_details';
    readonly subscription_item_details: {
      readonly subscription: string | null;
      readonly subscription_item: string | null;
      readonly proration: boolean;
    };
  };
  readonly pricing: {
    readonly type: 'price_details';
    readonly price_details: { readonly price: string; readonly product: string };
    readonly unit_amount_decimal: string;
  };
}

export interface Invoice extends WireObject {
  readonly object: 'invoice';
  readonly customer: string;
  readonly currency: string;
  readonly status: 'draft' | 'open' | 'paid';
  readonly billing_reason: string;
  readonly lines: Listed<InvoiceLine>;
  readonly subtotal: number;
  readonly total: number;
  readonly amount_due: number;
  readonly amount_paid: number;
  readonly amount_remaining: number;
  readonly starting_balance: number;
  readonly period_start: number;
  readonly period_end: number;
  readonly metadata: Metadata;
  readonly parent: {
    readonly type: 'subscription_details';
    readonly subscription_details: { readonly subscription: string; readonly metadata: Metadata };
  } | null;
}

/** Lines that wait for the next invoice of a subscription. */
export interface PendingLines {
  readonly id: string;
  readonly lines: readonly InvoiceLine[];
}

export interface PortalSession extends WireObject {
  readonly object: 'billing_portal.session';
  readonly customer: string;
  readonly return_url: string | null;
  readonly url: string;
}

export interface PaymentEvent extends WireObject {
  readonly object: 'event';
  readonly api_version: string;
  readonly type: string;
  readonly data: { readonly object: object; readonly previous_attributes?: object };
  readonly pending_webhooks: number;
  readonly request: { readonly id: string | null; readonly idempotency_key: string | null };
}

export interface WebhookEndpoint extends WireObject {
  readonly object: 'webhook_endpoint';
  readonly url: string;
  readonly enabled_events: readonly string[];
  readonly status: 'enabled' | 'disabled';
  readonly api_version: string;
  readonly metadata: Metadata;
}
