import { html, type Markup } from '#libs/pages';
import { layout } from '../../pages/layout.js';
import type { Subscription } from '../state/billed.js';
import type { PortalSession } from '../state/objects.js';

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
