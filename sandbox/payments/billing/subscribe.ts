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

/** Of one quantity at one price, in minor units. */
interface Charged {
  readonly unitAmount: number;
  readonly quantity: number;
}

/** The share of an amount for the rest of a period, to the second, rounded half away from zero. Exact: no floating point. */
export function remainingAmount(
  { unitAmount, quantity }: Charged,
  { start, end }: Period,
  at: number,
): number {
  const total = BigInt(unitAmount) * BigInt(quantity);
  const rest = BigInt(Math.max(0, Math.min(end, end - at)));
  const length = BigInt(end - start);
  const numerator = total * (rest > length ? length : rest);
  return Number((2n * numerator + length) / (2n * length));
}

/** The end of the period that starts at `start`, in seconds. A month ends at the same day, or at its last day. */
export function periodEnd(start: number, { recurring }: Price): number {
  const { interval, interval_count: count } = recurring ?? { interval: 'month', interval_count: 1 };
  const date = new Date(start * 1000);
  if (interval === 'day' || interval === 'week') return start + count * (interval === 'day' ? 1 : 7) * 86_400;
  const months = date.getUTCMonth() + count * (interval === 'year' ? 12 : 1);
  const lastDay = new Date(Date.UTC(date.getUTCFullYear(), months + 1, 0)).getUTCDate();
  const day = Math.min(date.getUTCDate(), lastDay);
  const time = start * 1000 - Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate());
  return Math.floor((Date.UTC(date.getUTCFullYear(), months, day) + time) / 1000);
}

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
