import { chargeCard } from '../billing/charge.js';
import { type Ordered, subscribe } from '../billing/subscribe.js';
import { newCustomer, newId, type Session } from '../state/objects.js';
import type { AccountCall } from '../state/payments.js';

/** A person paid with a card that is accepted. Once: a complete session stays as it is. */
export function completeSession(caused: AccountCall, session: Session): Session {
  if (session.status !== 'open') return session;
  const customer = payingCustomer(caused, session);
  const complete: Session = {
    ...session,
    ...pay(caused, { ...session, customer }),
    customer,
    status: 'complete',
    payment_status: session.mode === 'setup' ? 'no_payment_required' : 'paid',
    url: null,
  };
  const event = 'checkout.session.completed';
  return caused.store(caused.tables.sessions, complete, 'checkout_completed', { event }).value;
}

/** @returns null for a guest: a subscription always has a customer, another session only if it says so */
function payingCustomer(
  caused: AccountCall,
  { customer, customer_creation, customer_email }: Session,
): string | null {
  const { customers } = caused.tables;
  const known = customer === null ? undefined : caused.of(customers, customer);
  if (!known && customer_creation !== 'always') return null;
  const paying = { ...(known ?? newCustomer(caused.now, customer_email)), default_source: newId('card') };
  caused.put(customers, paying);
  if (!known) caused.emit('customer.created', paying);
  return paying.id;
}

function pay(
  caused: AccountCall,
  { id, mode, customer, amount_total: amount, currency }: Session,
): Pick<Session, 'subscription' | 'invoice' | 'payment_intent'> {
  const { items, metadata } = caused.of(caused.tables.orders, id) ?? { items: [], metadata: {} };
  const nothing = { subscription: null, invoice: null, payment_intent: null };
  if (mode === 'setup') return nothing;
  if (mode === 'payment' || customer === null) {
    const payment = { amount: amount ?? 0, currency: currency ?? 'usd', customer, metadata };
    const { line } = caused.effect('charged', id, `${payment.amount} ${payment.currency}`);
    return { ...nothing, payment_intent: chargeCard(caused, payment, line).id };
  }
  const ordered = items.flatMap(({ price, quantity }): Ordered[] => {
    const found = caused.of(caused.tables.prices, price);
    return found ? [{ price: found, quantity }] : [];
  });
  const started = subscribe(caused, { customer, items: ordered, metadata });
  return { ...nothing, subscription: started.id, invoice: started.latest_invoice };
}
