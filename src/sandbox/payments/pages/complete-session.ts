import type { Call } from '../../wire/call.js';
import { newCustomer } from '../api/customers.routes.js';
import { invoiceOf, payInvoice } from '../billing/invoice.js';
import type { Ordered } from '../billing/subscribe.js';
import { subscribe } from '../billing/subscribe.js';
import type { Caused, Payments } from '../payments.js';
import { newId } from '../state/ids.js';
import type { PaymentAccount } from '../state/accounts.js';
import type { Customer, Session } from '../state/objects.js';

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
  const paid = pay(payments, caused, call, session, customer);
  const complete: Session = {
    ...session,
    ...paid,
    customer: customer.id,
    status: 'complete',
    payment_status: session.mode === 'setup' ? 'no_payment_required' : 'paid',
    url: null,
  };
  const { line } = payments.effect(call, account, 'checkout_completed', session.id);
  payments.sessions.put(account.id, complete, line);
  payments.emit(caused, 'checkout.session.completed', complete);
  return complete;
}

function payingCustomer(payments: Payments, caused: Caused, { customer, customer_email }: Session): Customer {
  const account = caused.account.id;
  const known = customer === null ? undefined : payments.customers.of(account, customer);
  const paying = {
    ...(known ?? newCustomer(payments, customer_email, null, {})),
    default_source: newId('card'),
  };
  payments.customers.put(account, paying);
  if (!known) payments.emit(caused, 'customer.created', paying);
  return paying;
}

function pay(
  payments: Payments,
  caused: Caused,
  call: Call,
  session: Session,
  { id: customer }: Customer,
): Pick<Session, 'subscription' | 'invoice' | 'payment_intent'> {
  const account = caused.account.id;
  const order = payments.orders.of(account, session.id);
  const items = (order?.items ?? []).flatMap(({ price, quantity }): Ordered[] => {
    const found = payments.prices.of(account, price);
    return found ? [{ price: found, quantity }] : [];
  });
  if (session.mode === 'setup') return { subscription: null, invoice: null, payment_intent: null };
  if (session.mode === 'payment') return { subscription: null, invoice: null, payment_intent: charge() };
  const metadata = order?.subscriptionMetadata ?? {};
  const { id, latest_invoice } = subscribe(payments, caused, call, { customer, items, metadata });
  return { subscription: id, invoice: latest_invoice, payment_intent: null };

  function charge(): string {
    const currency = session.currency ?? 'usd';
    const reason = 'manual';
    const draft = { customer, currency, lines: [], reason, now: payments.now, subscription: null };
    const total = session.amount_total ?? 0;
    const amounts = { subtotal: total, total, amount_due: total, amount_remaining: total };
    payInvoice(payments, caused, call, { ...invoiceOf(draft), ...amounts });
    return newId('pi');
  }
}
