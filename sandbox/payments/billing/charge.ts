import type { JournalRecord } from '../../ledger/journal.js';
import type { Caused, Payments } from '../payments.js';
import { newId } from '../state/ids.js';
import type { Charge, Metadata, PaymentIntent } from '../state/objects.js';

interface Payment {
  readonly amount: number;
  readonly currency: string;
  /** null: a guest. */
  readonly customer: string | null;
  readonly metadata: Metadata;
}

/** A payment by a card that is accepted. @param also stored together with it */
export function chargeCard(
  payments: Payments,
  caused: Caused,
  { amount, currency, customer, metadata }: Payment,
  ...also: readonly JournalRecord[]
): PaymentIntent {
  const [id, latest_charge] = [newId('pi'), newId('ch')];
  const common = { created: payments.now, livemode: false, amount, currency, customer, metadata } as const;
  const charge: Charge = {
    ...common,
    id: latest_charge,
    object: 'charge',
    amount_refunded: 0,
    disputed: false,
    paid: true,
    payment_intent: id,
    refunded: false,
    status: 'succeeded',
  };
  const intent: PaymentIntent = {
    ...common,
    id,
    object: 'payment_intent',
    amount_received: amount,
    latest_charge,
    status: 'succeeded',
  };
  payments.charges.put(caused.account.id, charge);
  payments.intents.put(caused.account.id, intent, ...also);
  payments.emit(caused, 'charge.succeeded', charge);
  payments.emit(caused, 'payment_intent.succeeded', intent);
  return intent;
}
