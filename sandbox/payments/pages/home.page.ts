import { html, linkRow, type Markup } from '#libs/pages';
import { layout } from '../../pages/layout.js';
import type { Session } from '../state/objects.js';
import type { Payments } from '../state/payments.js';
import { amountText } from './checkout.page.js';

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
