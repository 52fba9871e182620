import type { Call } from '../../wire/call.js';
import type { Caused, Payments } from '../payments.js';
import type { Invoice, Subscription } from '../state/objects.js';
import { invoiceOf, payInvoice } from './invoice.js';
import { periodLine } from './lines.js';
import { periodEnd } from './periods.js';
import { periodOf, withItems } from './subscribe.js';

/** Ends the current period: charges the prorations that waited and the next period. */
export function renew(payments: Payments, caused: Caused, call: Call, subscription: Subscription): Invoice {
  const account = caused.account.id;
  const data = subscription.items.data.map((item) => ({
    ...item,
    current_period_start: item.current_period_end,
    current_period_end: periodEnd(item.current_period_end, item.price),
  }));
  const next = data.map((item) =>
    periodLine(item.price, item.quantity, periodOf(item), { subscription: subscription.id, item: item.id }),
  );
  const lines = [...(payments.pending.of(account, subscription.id)?.lines ?? []), ...next];
  const { customer, currency } = subscription;
  const draft = { customer, currency, lines, reason: 'subscription_cycle', now: payments.now, subscription };
  const invoice = payInvoice(payments, caused, call, invoiceOf(draft));
  payments.pending.discard(subscription.id);
  const renewed = { ...subscription, items: withItems(subscription.id, data), latest_invoice: invoice.id };
  payments.subscriptions.put(account, renewed);
  payments.emit(caused, 'customer.subscription.updated', renewed);
  return invoice;
}
