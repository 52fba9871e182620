import { html } from '#libs/pages';
import type { Table } from '../../networks/kit/state/table.js';
import { ICON, STYLESHEET } from '../../pages/assets.js';
import { layout } from '../../pages/layout.js';
import type { Call } from '../../wire/call.js';
import { guarded } from '../../wire/control-request.js';
import { type Handled, page, redirect, type SandboxResponse, withHeaders } from '../../wire/response.js';
import type { Route } from '../../wire/router.js';
import { ending } from '../api/subscriptions.routes.js';
import { update } from '../billing/change-items.js';
import { chargeCard } from '../billing/charge.js';
import { type Ordered, subscribe } from '../billing/subscribe.js';
import type { Subscription } from '../state/billed.js';
import { newCustomer, newId, type PortalSession, type Session } from '../state/objects.js';
import { AccountCall, type Payments } from '../state/payments.js';
import { unknownAddress } from '../wire/problems.js';
import { checkoutPage, endedPage, homePage, portalPage } from './payments.pages.js';

/** A person paid with a card that is accepted. Once: a complete session stays as it is. */
function completeSession(caused: AccountCall, session: Session): Session {
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

export function pageRoutes(payments: Payments): Route[] {
  const route = (method: 'GET' | 'POST', path: string, handle: (call: Call) => Handled): Route =>
    guarded({ method, path, handle });
  const on =
    <T extends { readonly id: string }>(
      table: Table<T>,
      handle: (caused: AccountCall, value: T) => SandboxResponse,
    ) =>
    (call: Call): SandboxResponse => {
      const row = table.find(call.params.id ?? '');
      const account = row && payments.accounts.find(row.account);
      return account ? handle(new AccountCall(payments, account, call), row.value) : nothingHere();
    };
  const { sessions, portals } = payments.tables;
  return [
    route('GET', '/', (call) => home(payments, call)),
    route('GET', '/_sandbox/sandbox.css', () => STYLESHEET),
    route('GET', '/_sandbox/icon.svg', () => ICON),
    route(
      'GET',
      '/c/pay/:id',
      on(sessions, (caused, session) => checkout(caused, session)),
    ),
    route('POST', '/c/pay/:id', on(sessions, decide)),
    route('GET', '/p/session/:id', on(portals, portal)),
    route('POST', '/p/session/:id', on(portals, change)),
  ];
}

/** Programs get what the provider sends for an unknown address. */
const home = (payments: Payments, { headers: { accept = '' } }: Call): SandboxResponse =>
  withHeaders(/\btext\/html\b/i.test(accept) ? page(200, homePage(payments)) : unknownAddress(404), {
    vary: 'Accept',
  });

function checkout(caused: AccountCall, session: Session, declined = false): SandboxResponse {
  const { orders, prices, products } = caused.tables;
  const status = statusOf(caused, session);
  if (status !== 'open') return page(200, endedPage(status));
  const items = caused.of(orders, session.id)?.items ?? [];
  const lines = items.flatMap(({ price: id, quantity }) => {
    const price = caused.of(prices, id);
    if (!price) return [];
    const name = caused.of(products, price.product)?.name ?? price.product;
    const every = price.recurring?.interval ?? null;
    return [{ name, quantity, amount: price.unit_amount * quantity, every }];
  });
  return page(declined ? 402 : 200, checkoutPage(session, lines, declined));
}

function decide(caused: AccountCall, session: Session): SandboxResponse {
  const { form } = caused.call;
  if (statusOf(caused, session) !== 'open') return checkout(caused, session);
  if (form.get('decision') === 'cancel') return redirect(session.cancel_url ?? session.success_url);
  if (form.get('card') !== 'accepted') return checkout(caused, session, true);
  const { id, success_url } = completeSession(caused, session);
  return redirect(success_url.replace('{CHECKOUT_SESSION_ID}', id));
}

const statusOf = ({ now }: AccountCall, { status, expires_at }: Session): Session['status'] =>
  status === 'open' && expires_at <= now ? 'expired' : status;

const portal = (caused: AccountCall, session: PortalSession): SandboxResponse =>
  page(200, portalPage(session, subscriptionsOf(caused, session)));

function change(caused: AccountCall, session: PortalSession): SandboxResponse {
  const { form } = caused.call;
  const wanted = form.get('subscription');
  const subscription = subscriptionsOf(caused, session).find(({ id }) => id === wanted);
  if (subscription) update(caused, subscription, ending(subscription, form.get('decision') === 'cancel'));
  return redirect(`/p/session/${session.id}`);
}

const subscriptionsOf = ({ account, tables }: AccountCall, { customer }: PortalSession): Subscription[] =>
  tables.subscriptions.allOf(account.id).filter((each) => each.customer === customer);

const nothingHere = (): SandboxResponse =>
  page(
    404,
    layout({ title: 'Payments sandbox', content: html`<main class="card"><h1>Nothing here</h1></main>` }),
  );
