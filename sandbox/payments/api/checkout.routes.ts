import type { Route } from '../../wire/router.js';
import type { Payments } from '../payments.js';
import { newId } from '../state/ids.js';
import type { PortalSession, Session, SessionOrder } from '../state/objects.js';
import { type ApiCall, apiRoute, type Outcome } from '../wire/api-route.js';
import { PaymentProblem, invalid, missingParam, noSuch } from '../wire/problems.js';
import { theCustomer } from './customers.routes.js';
import { listed } from './listed.js';

const OPEN_SECONDS = 86_400;
const MODES = ['payment', 'subscription', 'setup'] as const;

export function checkoutRoutes(payments: Payments): Route[] {
  return [
    apiRoute(payments, 'POST', '/checkout/sessions', (call) => createSession(payments, call)),
    apiRoute(payments, 'GET', '/checkout/sessions', (call) =>
      listed(call, payments.sessions, '/v1/checkout/sessions'),
    ),
    apiRoute(payments, 'GET', '/checkout/sessions/:id', (call) => ({ value: theSession(payments, call) })),
    apiRoute(payments, 'POST', '/checkout/sessions/:id/expire', (call) => expire(payments, call)),
    apiRoute(payments, 'POST', '/billing_portal/sessions', (call) => createPortal(payments, call)),
  ];
}

function createSession(payments: Payments, caused: ApiCall): Outcome {
  const { params, account, call } = caused;
  const mode = params.choice('mode', MODES);
  if (!mode) throw missingParam('mode');
  const order = orderIn(payments, caused, mode);
  const session = sessionIn(payments, caused, mode, order);
  params.done();
  const { effect, line } = payments.effect(call, account, 'checkout_session_created', session.id);
  payments.sessions.put(account.id, session, line);
  payments.orders.put(account.id, { id: session.id, ...order });
  return { value: session, effect };
}

function orderIn(payments: Payments, { params, account }: ApiCall, mode: Session['mode']): SessionOrder {
  const items = params.children('line_items').map((item) => {
    const price = item.requiredText('price');
    const found = payments.prices.of(account.id, price);
    if (!found) throw noSuch('price', price, item.nameOf('price'));
    if (mode === 'payment' && found.recurring)
      throw invalid('You specified `payment` mode but passed a recurring price.', 'mode');
    const quantity = item.integer('quantity', 1);
    if (quantity === undefined) throw missingParam(item.nameOf('quantity'));
    item.done();
    return { price, quantity };
  });
  if (mode !== 'setup' && items.length === 0) throw missingParam('line_items');
  if (mode === 'subscription' && !items.some(({ price }) => payments.prices.of(account.id, price)?.recurring))
    throw invalid('You must provide at least one recurring price in `subscription` mode.', 'line_items');
  const name = mode === 'subscription' ? 'subscription_data' : 'payment_intent_data';
  const other = mode === 'subscription' ? 'payment_intent_data' : 'subscription_data';
  if (params.has(other) || (mode === 'setup' && params.has(name)))
    throw invalid(`You can not pass \`${other}\` in \`${mode}\` mode.`, other);
  const data = params.child(name);
  const metadata = data?.metadata() ?? {};
  data?.done();
  return { items, metadata };
}

function sessionIn(
  payments: Payments,
  caused: ApiCall,
  mode: Session['mode'],
  { items }: SessionOrder,
): Session {
  const { params, account } = caused;
  const customer = params.text('customer') ?? null;
  const email = params.text('customer_email') ?? null;
  if (customer !== null && email !== null)
    throw invalid('You may only specify one of these parameters: customer, customer_email.', 'customer');
  if (customer !== null) theCustomer(payments, caused, customer);
  if (mode === 'subscription' && params.has('customer_creation'))
    throw invalid('`customer_creation` can only be used in `payment` and `setup` mode.', 'customer_creation');
  const creation = params.choice('customer_creation', ['always', 'if_required']) ?? 'if_required';
  const id = newId('cs_test', 40);
  return {
    id,
    object: 'checkout.session',
    created: payments.now,
    livemode: false,
    mode,
    ui_mode: params.choice('ui_mode', ['hosted_page']) ?? 'hosted_page',
    status: 'open',
    payment_status: 'unpaid',
    url: `${payments.baseUrl}/c/pay/${id}`,
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
    ...totalOf(payments, account.id, items),
    expires_at: params.integer('expires_at') ?? payments.now + OPEN_SECONDS,
  };
}

function totalOf(
  { prices }: Payments,
  account: string,
  items: SessionOrder['items'],
): Pick<Session, 'currency' | 'amount_total' | 'amount_subtotal'> {
  const amounts = items.map(
    ({ price, quantity }) => quantity * (prices.of(account, price)?.unit_amount ?? 0),
  );
  const total = amounts.reduce((sum, amount) => sum + amount, 0);
  const currency = prices.of(account, items[0]?.price ?? '')?.currency ?? null;
  return { currency, amount_total: total, amount_subtotal: total };
}

function urlIn(text: string, name: string): string {
  if (!URL.canParse(text)) throw invalid('Not a valid URL', name, 'url_invalid');
  return text;
}

function theSession(payments: Payments, { account, path }: ApiCall): Session {
  const session = payments.sessions.of(account.id, path('id'));
  if (!session) throw noSuch('checkout.session', path('id'), 'session', 404);
  return session.status === 'open' && session.expires_at <= payments.now
    ? { ...session, status: 'expired', url: null }
    : session;
}

function expire(payments: Payments, caused: ApiCall): Outcome {
  const session = theSession(payments, caused);
  caused.params.done();
  if (session.status !== 'open')
    throw new PaymentProblem(
      400,
      'invalid_request_error',
      'Only Checkout Sessions with a status in ["open"] can be expired.',
    );
  const expired: Session = { ...session, status: 'expired', url: null };
  payments.sessions.put(caused.account.id, expired);
  payments.emit(caused, 'checkout.session.expired', expired);
  return { value: expired };
}

function createPortal(payments: Payments, caused: ApiCall): Outcome {
  const { params, account, call } = caused;
  const customer = theCustomer(payments, caused, params.requiredText('customer'));
  const returnUrl = params.text('return_url');
  params.done();
  const id = newId('bps');
  const portal: PortalSession = {
    id,
    object: 'billing_portal.session',
    created: payments.now,
    livemode: false,
    customer: customer.id,
    return_url: returnUrl === undefined ? null : urlIn(returnUrl, 'return_url'),
    url: `${payments.baseUrl}/p/session/${id}`,
  };
  const { effect, line } = payments.effect(call, account, 'portal_session_created', id);
  payments.portals.put(account.id, portal, line);
  return { value: portal, effect };
}
