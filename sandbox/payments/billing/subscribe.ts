import type { Call } from '../../wire/call.js';
import type { Caused, Payments } from '../payments.js';
import { newId } from '../state/ids.js';
import type { Metadata, Price, Subscription, SubscriptionItem } from '../state/objects.js';
import { invoiceOf, payInvoice } from './invoice.js';
import { periodLine } from './lines.js';
import { periodEnd } from './periods.js';

export interface Ordered {
  readonly price: Price;
  readonly quantity: number;
}

/** Starts a subscription and charges its first period. */
export function subscribe(
  payments: Payments,
  caused: Caused,
  call: Call,
  given: { readonly customer: string; readonly items: readonly Ordered[]; readonly metadata: Metadata },
): Subscription {
  const id = newId('sub');
  const items = given.items.map((ordered) => itemOf(id, ordered, payments.now));
  const subscription = subscriptionOf(id, given, items, payments.now);
  const lines = items.map((item) =>
    periodLine(item.price, item.quantity, periodOf(item), { subscription: id, item: item.id }),
  );
  const { customer, currency } = subscription;
  const draft = { customer, currency, lines, reason: 'subscription_create', now: payments.now, subscription };
  const invoice = payInvoice(payments, caused, call, invoiceOf(draft));
  const started: Subscription = { ...subscription, latest_invoice: invoice.id };
  const { line } = payments.effect(call, caused.account, 'subscription_created', id);
  payments.subscriptions.put(caused.account.id, started, line);
  payments.emit(caused, 'customer.subscription.created', started);
  return started;
}

export const periodOf = (item: SubscriptionItem): { start: number; end: number } => ({
  start: item.current_period_start,
  end: item.current_period_end,
});

export function itemOf(subscription: string, { price, quantity }: Ordered, now: number): SubscriptionItem {
  return {
    id: newId('si', 14),
    object: 'subscription_item',
    created: now,
    price,
    quantity,
    subscription,
    current_period_start: now,
    current_period_end: periodEnd(now, price),
    metadata: {},
  };
}

function subscriptionOf(
  id: string,
  { customer, metadata }: { readonly customer: string; readonly metadata: Metadata },
  items: readonly SubscriptionItem[],
  now: number,
): Subscription {
  return {
    id,
    object: 'subscription',
    created: now,
    livemode: false,
    status: 'active',
    customer,
    currency: items[0]?.price.currency ?? 'usd',
    items: withItems(id, items),
    metadata,
    cancel_at_period_end: false,
    cancel_at: null,
    canceled_at: null,
    ended_at: null,
    start_date: now,
    billing_cycle_anchor: now,
    latest_invoice: null,
    collection_method: 'charge_automatically',
  };
}

export const withItems = (id: string, data: readonly SubscriptionItem[]): Subscription['items'] => ({
  object: 'list',
  data,
  has_more: false,
  url: `/v1/subscription_items?subscription=${id}`,
});
