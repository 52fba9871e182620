import type { Call } from '../../wire/call.js';
import { newCustomer } from '../api/customers.routes.js';
import { chargeCard } from '../billing/charge.js';
import { type Ordered, subscribe } from '../billing/subscribe.js';
import type { Caused, Payments } from '../payments.js';
import { newId } from '../state/ids.js';
import type { PaymentAccount } from '../state/accounts.js';
import type { Session, SessionOrder } from '../state/objects.js';

/** A person paid with a card that is accepted. Once: a complete session stays as it is. */
export function completeSession(
  payments: Payments,
  account: PaymentAccount,
  call: Call,
  session: Session,
): Session {
  if (session.status !== 'open') return session;
  const caused: Caused = { account, requestId: null, idempotencyKey: null };
  const customer = payingCustomer(payments, caused, session);
  const paid = pay(payments, caused, call, { ...session, customer });
  const complete: Session = {
    ...session,
    ...paid,
    customer,
    status: 'complete',
    payment_status: session.mode === 'setup' ? 'no_payment_required' : 'paid',
    url: null,
  };
  const { line } = payments.effect(call, account, 'checkout_completed', session.id);
  payments.sessions.put(account.id, complete, line);
  payments.emit(caused, 'checkout.session.completed', complete);
  return complete;
}

/** @returns null for a guest: a subscription always has a customer, another session only if it says so */
function payingCustomer(
  payments: Payments,
  caused: Caused,
  { customer, customer_creation, customer_email }: Session,
): string | null {
  const account = caused.account.id;
  const known = customer === null ? undefined : payments.customers.of(account, customer);
  if (!known && customer_creation !== 'always') return null;
  const paying = {
    ...(known ?? newCustomer(payments, customer_email, null, {})),
    default_source: newId('card'),
  };
  payments.customers.put(account, paying);
  if (!known) payments.emit(caused, 'customer.created', paying);
  return paying.id;
}

function pay(
  payments: Payments,
  caused: Caused,
  call: Call,
  session: Session,
): Pick<Session, 'subscription' | 'invoice' | 'payment_intent'> {
  const { id: sessionId, mode, customer } = session;
  const order = payments.orders.of(caused.account.id, sessionId) ?? { items: [], metadata: {} };
  if (mode === 'setup') return { subscription: null, invoice: null, payment_intent: null };
  if (mode === 'payment' || customer === null) {
    const payment_intent = charge(payments, caused, call, session, order);
    return { subscription: null, invoice: null, payment_intent };
  }
  const items = order.items.flatMap(({ price, quantity }): Ordered[] => {
    const found = payments.prices.of(caused.account.id, price);
    return found ? [{ price: found, quantity }] : [];
  });
  const wanted = { customer, items, metadata: order.metadata };
  const { id, latest_invoice } = subscribe(payments, caused, call, wanted);
  return { subscription: id, invoice: latest_invoice, payment_intent: null };
}

function charge(
  payments: Payments,
  caused: Caused,
  call: Call,
  { id, amount_total, currency, customer }: Session,
  { metadata }: Pick<SessionOrder, 'metadata'>,
): string {
  const payment = { amount: amount_total ?? 0, currency: currency ?? 'usd', customer, metadata };
  const text = `${payment.amount} ${payment.currency}`;
  const { line } = payments.effect(call, caused.account, 'charged', id, text);
  return chargeCard(payments, caused, payment, line).id;
}
