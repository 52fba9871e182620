import type { Call } from '../../wire/call.js';
import type { Caused, Payments } from '../payments.js';
import { newId } from '../state/ids.js';
import type { Invoice, InvoiceLine, Subscription } from '../state/objects.js';
import { chargeCard } from './charge.js';

interface Draft {
  readonly customer: string;
  readonly currency: string;
  readonly lines: readonly InvoiceLine[];
  readonly reason: string;
  readonly now: number;
  readonly subscription: Pick<Subscription, 'id' | 'metadata'> | null;
}

/** An invoice over lines. A negative total is credit, and nothing is due. */
export function invoiceOf({ customer, currency, lines, reason, now, subscription }: Draft): Invoice {
  const total = lines.reduce((sum, { amount }) => sum + amount, 0);
  const due = Math.max(0, total);
  const id = newId('in');
  return {
    id,
    object: 'invoice',
    created: now,
    livemode: false,
    customer,
    currency,
    status: 'draft',
    billing_reason: reason,
    lines: { object: 'list', data: lines, has_more: false, url: `/v1/invoices/${id}/lines` },
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

/** Charges the card on file. */
export function payInvoice(payments: Payments, caused: Caused, call: Call, invoice: Invoice): Invoice {
  const paid: Invoice = {
    ...invoice,
    status: 'paid',
    amount_paid: invoice.amount_due,
    amount_remaining: 0,
  };
  const text = `${paid.amount_due} ${paid.currency}`;
  const charged =
    paid.amount_due > 0 ? [payments.effect(call, caused.account, 'charged', paid.id, text).line] : [];
  payments.invoices.put(caused.account.id, paid, ...charged);
  if (paid.amount_due > 0) {
    const { amount_due: amount, currency, customer } = paid;
    chargeCard(payments, caused, { amount, currency, customer, metadata: {} });
  }
  payments.emit(caused, 'invoice.paid', paid);
  return paid;
}
