import type { JournalRecord } from '../../ledger/journal.js';
import {
  type Charge,
  type Invoice,
  newCharge,
  newIntent,
  type Payment,
  type PaymentIntent,
} from '../state/billed.js';
import { newId } from '../state/objects.js';
import type { AccountCall } from '../state/payments.js';

/** A payment by a card that is accepted. @param also stored together with it */
export function chargeCard(
  caused: AccountCall,
  payment: Payment,
  ...also: readonly JournalRecord[]
): PaymentIntent {
  const id = newId('pi');
  const charge = caused.put(caused.tables.charges, newCharge(caused.now, id, payment));
  const intent = newIntent(caused.now, id, charge.id, payment);
  caused.put(caused.tables.intents, intent, ...also);
  caused.emit('charge.succeeded', charge);
  caused.emit('payment_intent.succeeded', intent);
  return intent;
}

export function payInvoice(caused: AccountCall, invoice: Invoice): Invoice {
  const { amount_due: amount, currency, customer } = invoice;
  const paid: Invoice = { ...invoice, status: 'paid', amount_paid: amount, amount_remaining: 0 };
  if (amount > 0) {
    const { line } = caused.effect('charged', paid.id, `${amount} ${currency}`);
    caused.put(caused.tables.invoices, paid, line);
    chargeCard(caused, { amount, currency, customer, metadata: {} });
  } else caused.put(caused.tables.invoices, paid);
  caused.emit('invoice.paid', paid);
  return paid;
}

/** Returns what is left of a charge. */
export function refund(caused: AccountCall, charge: Charge): object {
  const amount = charge.amount - charge.amount_refunded;
  const created = {
    ...aboutCharge(caused, charge),
    id: newId('re'),
    object: 'refund',
    amount,
    reason: 'requested_by_customer',
    status: 'succeeded',
  };
  const refunded: Charge = { ...charge, amount_refunded: charge.amount, refunded: true };
  const { line } = caused.effect('refunded', charge.payment_intent, `${amount} ${charge.currency}`);
  caused.put(caused.tables.charges, refunded, line);
  caused.emit('refund.created', created);
  caused.emit('charge.refunded', refunded, { amount_refunded: charge.amount_refunded });
  return created;
}

/** The holder of the card disputes a charge at the bank. */
export function dispute(caused: AccountCall, charge: Charge): object {
  const opened = {
    ...aboutCharge(caused, charge),
    id: newId('du'),
    object: 'dispute',
    livemode: false,
    amount: charge.amount,
    is_charge_refundable: false,
    reason: 'fraudulent',
    status: 'needs_response',
  };
  caused.put(caused.tables.charges, { ...charge, disputed: true });
  caused.emit('charge.dispute.created', opened);
  return opened;
}

/** Neither a refund nor a dispute has the metadata of what it is about. */
const aboutCharge = ({ now }: AccountCall, { id, currency, payment_intent }: Charge) => ({
  created: now,
  charge: id,
  currency,
  payment_intent,
  metadata: {},
});
