import { newId, type Session, type SessionOrder, wireObject } from '../state/objects.js';
import type { ApiCall, Outcome, Payments } from '../state/payments.js';
import { invalid, missingParam, PaymentProblem } from '../wire/problems.js';
import { type Handlers, listed } from './api-route.js';
import { customerOf } from './catalog.routes.js';

const OPEN_SECONDS = 86_400;
const MODES = ['payment', 'subscription', 'setup'] as const;

export const checkoutHandlers = ({ tables: { sessions } }: Payments): Handlers => ({
  'POST /checkout/sessions': createSession,
  'GET /checkout/sessions': (call) => listed(call, sessions),
  'GET /checkout/sessions/:id': (call) => ({ value: theSession(call) }),
  'POST /checkout/sessions/:id/expire': expire,
  'POST /billing_portal/sessions': createPortal,
});

function createSession(call: ApiCall): Outcome {
  const { params, tables } = call;
  const mode = params.choice('mode', MODES);
  if (!mode) throw missingParam('mode');
  const order = orderIn(call, mode);
  const session = sessionIn(call, mode, order);
  params.done();
  const outcome = call.store(tables.sessions, session, 'checkout_session_created');
  call.put(tables.orders, { id: session.id, ...order });
  return outcome;
}

function orderIn(call: ApiCall, mode: Session['mode']): SessionOrder {
  const { params, tables } = call;
  const found = params.children('line_items').map((item) => {
    const price = call.the(tables.prices, item.requiredText('price'), 'price', item.nameOf('price'));
    if (mode === 'payment' && price.recurring)
      throw invalid('You specified `payment` mode but passed a recurring price.', 'mode');
    const quantity = item.integer('quantity', 1);
    if (quantity === undefined) throw missingParam(item.nameOf('quantity'));
    item.done();
    return { price, quantity };
  });
  if (mode !== 'setup' && found.length === 0) throw missingParam('line_items');
  if (mode === 'subscription' && !found.some(({ price }) => price.recurring))
    throw invalid('You must provide at least one recurring price in `subscription` mode.', 'line_items');
  const name = mode === 'subscription' ? 'subscription_data' : 'payment_intent_data';
  const other = mode === 'subscription' ? 'payment_intent_data' : 'subscription_data';
  if (params.has(other) || (mode === 'setup' && params.has(name)))
    throw invalid(`You can not pass \`${other}\` in \`${mode}\` mode.`, other);
  const data = params.child(name);
  const metadata = data?.metadata() ?? {};
  data?.done();
  return { items: found.map(({ price, quantity }) => ({ price: price.id, quantity })), metadata };
}

function sessionIn(call: ApiCall, mode: Session['mode'], order: SessionOrder): Session {
  const { params, now } = call;
  const customer = params.text('customer') ?? null;
  const email = params.text('customer_email') ?? null;
  if (customer !== null && email !== null)
    throw invalid('You may only specify one of these parameters: customer, customer_email.', 'customer');
  if (customer !== null) customerOf(call, customer);
  if (mode === 'subscription' && params.has('customer_creation'))
    throw invalid('`customer_creation` can only be used in `payment` and `setup` mode.', 'customer_creation');
  const creation = params.choice('customer_creation', ['always', 'if_required']) ?? 'if_required';
  const id = newId('cs_test', 40);
  return {
    ...wireObject(id, 'checkout.session', now),
    mode,
    ui_mode: params.choice('ui_mode', ['hosted_page']) ?? 'hosted_page',
    status: 'open',
    payment_status: 'unpaid',
    url: `${call.payments.baseUrl}/c/pay/${id}`,
    success_url: urlIn(params.requiredText('success_url'), 'success_url'),
    cancel_url: params.has('cancel_url') ? urlIn(params.requiredText('cancel_url'), 'cancel_url') : null,
    customer,
    customer_creation: mode === 'subscription' ? 'always' : customer === null ? creation : null,
    customer_email: email,
    client_reference_id: params.text('client_reference_id') ?? null,
    metadata: params.metadata(),
    subscription: null,
    invoice: null,
    payment_intent: null,
    ...totalOf(call, order),
    expires_at: params.integer('expires_at') ?? now + OPEN_SECONDS,
  };
}

function totalOf(call: ApiCall, { items }: SessionOrder) {
  const found = items.map(({ price, quantity }) => ({ price: call.of(call.tables.prices, price), quantity }));
  const total = found.reduce((sum, { price, quantity }) => sum + quantity * (price?.unit_amount ?? 0), 0);
  return { currency: found[0]?.price?.currency ?? null, amount_total: total, amount_subtotal: total };
}

function urlIn(text: string, name: string): string {
  if (!URL.canParse(text)) throw invalid('Not a valid URL', name, 'url_invalid');
  return text;
}

function theSession(call: ApiCall): Session {
  const session = call.the(call.tables.sessions, call.id, 'checkout.session', 'session', 404);
  return session.status === 'open' && session.expires_at <= call.now
    ? { ...session, status: 'expired', url: null }
    : session;
}

function expire(call: ApiCall): Outcome {
  const session = theSession(call);
  call.params.done();
  if (session.status !== 'open')
    throw new PaymentProblem(
      400,
      'invalid_request_error',
      'Only Checkout Sessions with a status in ["open"] can be expired.',
    );
  const value: Session = { ...session, status: 'expired', url: null };
  call.put(call.tables.sessions, value);
  call.emit('checkout.session.expired', value);
  return { value };
}

function createPortal(call: ApiCall): Outcome {
  const { params, now } = call;
  const customer = customerOf(call, params.requiredText('customer'));
  const returnUrl = params.text('return_url');
  params.done();
  const id = newId('bps');
  const portal = {
    ...wireObject(id, 'billing_portal.session', now),
    customer: customer.id,
    return_url: returnUrl === undefined ? null : urlIn(returnUrl, 'return_url'),
    url: `${call.payments.baseUrl}/p/session/${id}`,
  };
  return call.store(call.tables.portals, portal, 'portal_session_created');
}
