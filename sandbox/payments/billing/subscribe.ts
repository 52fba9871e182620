import {
  type Invoice,
  type InvoiceLine,
  itemsOf,
  type LineOwner,
  newInvoice,
  newItem,
  newLine,
  newSubscription,
  type Period,
  type Subscription,
  type SubscriptionItem,
} from '../state/billed.js';
import { type Metadata, newId, type Price } from '../state/objects.js';
import type { AccountCall } from '../state/payments.js';
import { payInvoice } from './charge.js';
import { periodEnd } from './proration.js';

export interface Ordered {
  readonly price: Price;
  readonly quantity: number;
}

export function subscribe(
  caused: AccountCall,
  given: { readonly customer: string; readonly items: readonly Ordered[]; readonly metadata: Metadata },
): Subscription {
  const { now } = caused;
  const id = newId('sub');
  const items = given.items.map((ordered) => newItem(now, id, ordered, periodEnd(now, ordered.price)));
  const subscription = newSubscription(now, id, given.customer, items, given.metadata);
  const invoice = invoiceOf(caused, subscription, items.map(lineOf), 'subscription_create');
  const started = { ...subscription, latest_invoice: invoice.id };
  const event = 'customer.subscription.created';
  return caused.store(caused.tables.subscriptions, started, 'subscription_created', { event }).value;
}

/** Ends the current period: charges the prorations that waited and the next period. */
export function renew(caused: AccountCall, subscription: Subscription): Invoice {
  const { pending, subscriptions } = caused.tables;
  const data = subscription.items.data.map((item) => ({
    ...item,
    current_period_start: item.current_period_end,
    current_period_end: periodEnd(item.current_period_end, item.price),
  }));
  const waiting = caused.of(pending, subscription.id)?.lines ?? [];
  const invoice = invoiceOf(caused, subscription, [...waiting, ...data.map(lineOf)], 'subscription_cycle');
  pending.discard(subscription.id);
  const renewed = { ...subscription, items: itemsOf(subscription.id, data), latest_invoice: invoice.id };
  caused.put(subscriptions, renewed);
  caused.emit('customer.subscription.updated', renewed);
  return invoice;
}

/** An invoice of a subscription, paid by the card on file. */
export function invoiceOf(
  caused: AccountCall,
  subscription: Subscription,
  lines: readonly InvoiceLine[],
  reason: string,
): Invoice {
  const { customer, currency } = subscription;
  return payInvoice(caused, newInvoice(caused.now, { customer, currency, lines, reason, subscription }));
}

export const periodOf = (item: SubscriptionItem): Period => ({
  start: item.current_period_start,
  end: item.current_period_end,
});

export const periodLine = (owner: LineOwner, price: Price, quantity: number, period: Period): InvoiceLine =>
  newLine(owner, price, quantity, period, {
    amount: price.unit_amount * quantity,
    label: '',
    proration: false,
  });

const lineOf = (item: SubscriptionItem): InvoiceLine =>
  periodLine({ subscription: item.subscription, item: item.id }, item.price, item.quantity, periodOf(item));
