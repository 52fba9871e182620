import { html, type Markup } from '#libs/pages';
import { layout } from '../../pages/layout.js';
import type { Session } from '../state/objects.js';

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
