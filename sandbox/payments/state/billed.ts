import { type Metadata, newId, type Price, wireObject } from './objects.js';

/** Objects of money: subscriptions, invoices and charges. */
export interface Period {
  readonly start: number;
  readonly end: number;
}

const listOf = <T>(data: readonly T[], url: string) => ({
  object: 'list' as const,
  data,
  has_more: false,
  url,
});

export const newItem = (
  now: number,
  subscription: string,
  { price, quantity }: { readonly price: Price; readonly quantity: number },
  end: number,
) => ({
  id: newId('si', 14),
  object: 'subscription_item' as const,
  created: now,
  price,
  quantity,
  subscription,
  current_period_start: now,
  current_period_end: end,
  metadata: {},
});
export type SubscriptionItem = Readonly<ReturnType<typeof newItem>>;

export const itemsOf = (subscription: string, data: readonly SubscriptionItem[]) =>
  listOf(data, `/v1/subscription_items?subscription=${subscription}`);

export const newSubscription = (
  now: number,
  id: string,
  customer: string,
  items: readonly SubscriptionItem[],
  metadata: Metadata,
) => ({
  ...wireObject(id, 'subscription', now),
  status: 'active' as 'active' | 'past_due' | 'canceled',
  customer,
  currency: items[0]?.price.currency ?? 'usd',
  items: itemsOf(id, items),
  metadata,
  cancel_at_period_end: false,
  cancel_at: null as number | null,
  canceled_at: null as number | null,
  ended_at: null as number | null,
  start_date: now,
  billing_cycle_anchor: now,
  latest_invoice: null as string | null,
  collection_method: 'charge_automatically',
});
export type Subscription = Readonly<ReturnType<typeof newSubscription>>;

/** The subscription and the item that a line is about; null: they do not exist yet. */
export interface LineOwner {
  readonly subscription: string | null;
  readonly item: string | null;
}

export const newLine = (
  { subscription, item }: LineOwner,
  price: Price,
  quantity: number,
  period: Period,
  { label, ...amount }: { readonly amount: number; readonly label: string; readonly proration: boolean },
) => ({
  id: newId('il'),
  object: 'line_item' as const,
  amount: amount.amount,
  description: `${label}${quantity} × ${price.nickname ?? price.product}`,
  quantity,
  period,
  currency: price.currency,
  livemode: false as const,
  metadata: {},
  parent: {
    type: 'subscription_item_details',
    subscription_item_details: { subscription, subscription_item: item, proration: amount.proration },
  },
  pricing: {
    type: 'price_details',
    price_details: { price: price.id, product: price.product },
    unit_amount_decimal: price.unit_amount_decimal,
  },
});
export type InvoiceLine = Readonly<ReturnType<typeof newLine>>;

/** Lines that wait for the next invoice of a subscription. */
export interface PendingLines {
  readonly id: string;
  readonly lines: readonly InvoiceLine[];
}

interface Draft {
  readonly customer: string;
  readonly currency: string;
  readonly lines: readonly InvoiceLine[];
  readonly reason: string;
  readonly subscription: Pick<Subscription, 'id' | 'metadata'> | null;
}

/** An invoice over lines. A negative total is credit, and nothing is due. */
export function newInvoice(now: number, { customer, currency, lines, reason, subscription }: Draft) {
  const total = lines.reduce((sum, { amount }) => sum + amount, 0);
  const due = Math.max(0, total);
  const id = newId('in');
  return {
    ...wireObject(id, 'invoice', now),
    customer,
    currency,
    status: 'draft' as 'draft' | 'open' | 'paid',
    billing_reason: reason,
    lines: listOf(lines, `/v1/invoices/${id}/lines`),
    subtotal: total,
    total,
    amount_due: due,
    amount_paid: 0,
    amount_remaining: due,
    starting_balance: 0,
    period_start: now,
    period_end: now,
    metadata: {},
    parent: subscription && {
      type: 'subscription_details',
      subscription_details: { subscription: subscription.id, metadata: subscription.metadata },
    },
  };
}
export type Invoice = Readonly<ReturnType<typeof newInvoice>>;

export interface Payment {
  readonly amount: number;
  readonly currency: string;
  /** null: a guest. */
  readonly customer: string | null;
  readonly metadata: Metadata;
}

export const newCharge = (now: number, intent: string, payment: Payment) => ({
  ...wireObject(newId('ch'), 'charge', now),
  ...payment,
  amount_refunded: 0,
  disputed: false,
  paid: true,
  payment_intent: intent,
  refunded: false,
  status: 'succeeded',
});
export type Charge = Readonly<ReturnType<typeof newCharge>>;

export const newIntent = (now: number, id: string, charge: string, payment: Payment) => ({
  ...wireObject(id, 'payment_intent', now),
  ...payment,
  amount_received: payment.amount,
  latest_charge: charge,
  status: 'succeeded',
});
export type PaymentIntent = Readonly<ReturnType<typeof newIntent>>;
