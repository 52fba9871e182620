import type { Call } from '../../wire/call.js';
import type { Caused, Payments } from '../payments.js';
import { newId } from '../state/ids.js';
import type { Charge, Dispute, Refund } from '../state/objects.js';

/** Returns what is left of a charge. */
export function refund(payments: Payments, caused: Caused, call: Call, charge: Charge): Refund {
  const amount = charge.amount - charge.amount_refunded;
  const created: Refund = {
    ...aboutCharge(payments, charge),
    id: newId('re'),
    object: 'refund',
    amount,
    reason: 'requested_by_customer',
    status: 'succeeded',
  };
  const refunded: Charge = { ...charge, amount_refunded: charge.amount, refunded: true };
  const text = `${amount} ${charge.currency}`;
  const { line } = payments.effect(call, caused.account, 'refunded', charge.payment_intent, text);
  payments.charges.put(caused.account.id, refunded, line);
  payments.emit(caused, 'refund.created', created);
  payments.emit(caused, 'charge.refunded', refunded, { amount_refunded: charge.amount_refunded });
  return created;
}

/** The holder of the card disputes a charge at the bank. */
export function dispute(payments: Payments, caused: Caused, charge: Charge): Dispute {
  const opened: Dispute = {
    ...aboutCharge(payments, charge),
    id: newId('du'),
    object: 'dispute',
    livemode: false,
    amount: charge.amount,
    is_charge_refundable: false,
    reason: 'fraudulent',
    status: 'needs_response',
  };
  payments.charges.put(caused.account.id, { ...charge, disputed: true });
  payments.emit(caused, 'charge.dispute.created', opened);
  return opened;
}

const aboutCharge = ({ now }: Payments, { id, currency, payment_intent }: Charge) => ({
  created: now,
  charge: id,
  currency,
  payment_intent,
  metadata: {},
});
