import { html, linkRow, type Markup } from '#libs/pages';
import { layout } from '../../pages/layout.js';
import type { Subscription } from '../state/billed.js';
import type { PortalSession, Session } from '../state/objects.js';
import type { Payments } from '../state/payments.js';

/** Minor units as people read them, such as `12.50 EUR` or `1250 JPY`. */
export function amountText(amount: number, currency: string): string {
  const digits =
    new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions().maximumFractionDigits ?? 2;
  const text = String(Math.abs(amount)).padStart(digits + 1, '0');
  const whole = digits === 0 ? text : `${text.slice(0, -digits)}.${text.slice(-digits)}`;
  return `${amount < 0 ? '-' : ''}${whole} ${currency.toUpperCase()}`;
}

export interface OrderLine {
  readonly name: string;
  readonly quantity: number;
  readonly amount: number;
  readonly every: string | null;
}

export function checkoutPage(session: Session, lines: readonly OrderLine[], declined: boolean): Markup {
  const currency = session.currency ?? 'usd';
  const content = html`<main class="card narrow">
    <p class="stage">Sandbox · stands in for checkout.stripe.com</p>
    <h1>Pay ${amountText(session.amount_total ?? 0, currency)}</h1>
    ${declined && html`<p class="problem" role="alert">Your card was declined. Try another card.</p>`}
    <ul>
      ${lines.map(
        ({ name, quantity, amount, every }) =>
          html`<li>
            ${quantity} × ${name}: ${amountText(amount, currency)}${every !== null && html` every ${every}`}
          </li>`,
      )}
    </ul>
    <form method="post" action="/c/pay/${session.id}">
      <fieldset>
        <legend>Card</legend>
        <label class="choice"
          ><input type="radio" name="card" value="accepted" checked /> 4242 4242 4242 4242, accepted</label
        >
        <label class="choice"
          ><input type="radio" name="card" value="declined" /> 4000 0000 0000 0002, declined</label
        >
      </fieldset>
      <div class="buttons">
        <button name="decision" value="pay" class="primary">Pay</button>
        <button name="decision" value="cancel">Back</button>
      </div>
    </form>
  </main>`;
  return layout({ title: 'Checkout · payments sandbox', content });
}

export function endedPage(status: string): Markup {
  const content = html`<main class="card narrow">
    <p class="stage">Sandbox · stands in for checkout.stripe.com</p>
    <h1>This page is no longer open.</h1>
    <p>The session is ${status}. Go back to the site you came from.</p>
  </main>`;
  return layout({ title: 'Checkout · payments sandbox', content });
}

const SHOWN_SESSIONS = 10;

/** What a person sees who opens the address of the payment provider. */
export function homePage(payments: Payments): Markup {
  const sessions = [...payments.tables.sessions.all].map(({ value }) => value);
  const open = sessions.filter(({ status, expires_at }) => status === 'open' && expires_at > payments.now);
  const paid = sessions.filter(({ payment_status }) => payment_status === 'paid').length;
  const content = html`<main class="card">
    <p class="stage"><a href="${payments.sandboxUrl}">Sandbox</a> · stands in for the payment provider</p>
    <h1>Payment provider</h1>
    <p>
      This address answers as api.stripe.com, checkout.stripe.com and billing.stripe.com do. Cards are
      invented and no money moves. Programs call it with a key; people pay on its checkout pages.
    </p>
    <h2>Open checkout pages</h2>
    ${
      open.length === 0
        ? html`<p class="quiet">None is open. The tour <code>docs/tours/payments.md</code> creates one.</p>`
        : html`<nav class="rows" aria-label="Open checkout pages">
            ${open.slice(-SHOWN_SESSIONS).reverse().map(sessionRow)}
          </nav>`
    }
    <h2>So far</h2>
    <p>
      ${paid} paid · ${payments.tables.subscriptions.size} subscriptions · ${payments.tables.invoices.size}
      invoices
    </p>
    <p class="quiet">
      Each charge is in the <a href="${payments.sandboxUrl}/_sandbox/ledger?network=payments">ledger</a>, each
      event with its deliveries in the
      <a href="${payments.sandboxUrl}/_sandbox/payments/events">list of events</a>.
    </p>
  </main>`;
  return layout({ title: 'Payment provider · sandbox', content });
}

const sessionRow = ({ id, amount_total, currency, mode, customer_email }: Session): Markup =>
  linkRow(
    `/c/pay/${id}`,
    amountText(amount_total ?? 0, currency ?? 'usd'),
    [mode, customer_email ?? id].join(' · '),
  );

export function portalPage(portal: PortalSession, subscriptions: readonly Subscription[]): Markup {
  const content = html`<main class="card narrow">
    <p class="stage">Sandbox · stands in for billing.stripe.com</p>
    <h1>Your subscriptions</h1>
    ${subscriptions.map((subscription) => card(portal, subscription))}
    ${portal.return_url !== null && html`<p><a href="${portal.return_url}">Return to the site</a></p>`}
  </main>`;
  return layout({ title: 'Billing · payments sandbox', content });
}

function card(
  { id: portal }: PortalSession,
  { id, status, items, cancel_at_period_end }: Subscription,
): Markup {
  const state = cancel_at_period_end ? `${status}, ends with its period` : status;
  return html`<form method="post" action="/p/session/${portal}">
    <p>${items.data.map(({ quantity, price }) => `${quantity} × ${price.product}`).join(', ')}: ${state}</p>
    <input type="hidden" name="subscription" value="${id}" />
    ${
      status === 'active' &&
      html`<button name="decision" value="${cancel_at_period_end ? 'keep' : 'cancel'}">
        ${cancel_at_period_end ? 'Keep it' : 'Cancel at the end of the period'}
      </button>`
    }
  </form>`;
}
