import { html } from '#libs/pages';
import { ICON, STYLESHEET } from '../../pages/assets.js';
import type { Call } from '../../wire/call.js';
import { guarded } from '../../wire/control-request.js';
import { page, redirect, type SandboxResponse, withHeaders } from '../../wire/response.js';
import type { Route } from '../../wire/router.js';
import { ending } from '../api/subscriptions.routes.js';
import { update } from '../billing/change-items.js';
import type { Payments } from '../payments.js';
import type { PaymentAccount } from '../state/accounts.js';
import type { PortalSession, Session } from '../state/objects.js';
import { layout } from '../../pages/layout.js';
import { unknownAddress } from '../wire/problems.js';
import { checkoutPage, endedPage } from './checkout.page.js';
import { completeSession } from './complete-session.js';
import { homePage } from './home.page.js';
import { portalPage } from './portal.page.js';

/** What a person sees: the checkout page and the billing portal. */
export const pageRoutes = (payments: Payments): Route[] =>
  [
    { method: 'GET', path: '/', handle: (call: Call) => home(payments, call) } satisfies Route,
    { method: 'GET', path: '/_sandbox/sandbox.css', handle: () => STYLESHEET } satisfies Route,
    { method: 'GET', path: '/_sandbox/icon.svg', handle: () => ICON } satisfies Route,
    { method: 'GET', path: '/c/pay/:id', handle: (call: Call) => checkout(payments, call) } satisfies Route,
    { method: 'POST', path: '/c/pay/:id', handle: (call: Call) => decide(payments, call) } satisfies Route,
    { method: 'GET', path: '/p/session/:id', handle: (call: Call) => portal(payments, call) } satisfies Route,
    {
      method: 'POST',
      path: '/p/session/:id',
      handle: (call: Call) => change(payments, call),
    } satisfies Route,
  ].map(guarded);

/** Programs get what the provider sends for an unknown address. */
const home = (payments: Payments, { headers: { accept = '' } }: Call): SandboxResponse =>
  withHeaders(/\btext\/html\b/i.test(accept) ? page(200, homePage(payments)) : unknownAddress(404), {
    vary: 'Accept',
  });

function checkout(payments: Payments, call: Call, declined = false): SandboxResponse {
  const found = openSession(payments, call);
  if (!found) return nothingHere();
  const { account, session } = found;
  if (session.status !== 'open') return page(200, endedPage(session.status));
  const items = payments.orders.of(account.id, session.id)?.items ?? [];
  const lines = items.flatMap(({ price: id, quantity }) => {
    const price = payments.prices.of(account.id, id);
    if (!price) return [];
    const name = payments.products.of(account.id, price.product)?.name ?? price.product;
    const every = price.recurring?.interval ?? null;
    return [{ name, quantity, amount: price.unit_amount * quantity, every }];
  });
  return page(declined ? 402 : 200, checkoutPage(session, lines, declined));
}

function decide(payments: Payments, call: Call): SandboxResponse {
  const found = openSession(payments, call);
  if (!found) return nothingHere();
  const { account, session } = found;
  if (session.status !== 'open') return page(200, endedPage(session.status));
  if (call.form.get('decision') === 'cancel') return redirect(session.cancel_url ?? session.success_url);
  if (call.form.get('card') !== 'accepted') return checkout(payments, call, true);
  const { id, success_url } = completeSession(payments, account, call, session);
  return redirect(success_url.replace('{CHECKOUT_SESSION_ID}', id));
}

function openSession(
  payments: Payments,
  call: Call,
): { readonly account: PaymentAccount; readonly session: Session } | undefined {
  const row = payments.sessions.find(call.params.id ?? '');
  const account = row && payments.accounts.find(row.account);
  if (!row || !account) return undefined;
  const isOver = row.value.status === 'open' && row.value.expires_at <= payments.now;
  return { account, session: isOver ? { ...row.value, status: 'expired' } : row.value };
}

function portal(payments: Payments, call: Call): SandboxResponse {
  const row = payments.portals.find(call.params.id ?? '');
  if (!row) return nothingHere();
  return page(200, portalPage(row.value, subscriptionsOf(payments, row.account, row.value)));
}

function change(payments: Payments, call: Call): SandboxResponse {
  const row = payments.portals.find(call.params.id ?? '');
  const account = row && payments.accounts.find(row.account);
  if (!row || !account) return nothingHere();
  const subscription = subscriptionsOf(payments, account.id, row.value).find(
    ({ id }) => id === call.form.get('subscription'),
  );
  if (subscription) {
    const changed = ending(subscription, call.form.get('decision') === 'cancel');
    update(payments, { account, requestId: null, idempotencyKey: null }, call, subscription, changed);
  }
  return redirect(`/p/session/${row.id}`);
}

const subscriptionsOf = (payments: Payments, account: string, { customer }: PortalSession) =>
  payments.subscriptions.allOf(account).filter((each) => each.customer === customer);

const nothingHere = (): SandboxResponse =>
  page(
    404,
    layout({ title: 'Payments sandbox', content: html`<main class="card"><h1>Nothing here</h1></main>` }),
  );
