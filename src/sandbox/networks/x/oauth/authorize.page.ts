import type { Markup } from '../../../wire/html.js';
import { html } from '../../../wire/html.js';
import { layout } from '../../../pages/layout.js';
import type { AuthorizationRequest } from './authorization-request.js';
import { SCOPES, parametersOf } from './authorization-request.js';
import type { X } from '../x.js';
import type { XAccount } from '../x-accounts.js';

/** Maximum number of listed accounts; the handle field accepts any account. */
const MAX_CHOICES = 5;

export function authorizePage(x: X, request: AuthorizationRequest, problem?: string): Markup {
  const accounts = [...x.accounts.all].slice(0, MAX_CHOICES);
  const content = html`<main class="card consent">
    <p class="stage">Sandbox · stands in for x.com</p>
    <h1>An app wants to access your X account.</h1>
    ${problem !== undefined && html`<p class="problem" role="alert">${problem}</p>`}
    <form method="post" action="/x-web/i/oauth2/authorize">
      ${Object.entries(parametersOf(request)).map(([name, value]) => hidden(name, value))}
      <fieldset>
        <legend>Account</legend>
        ${accounts.map((account, index) => choice(account, index === 0))}
        <label class="new">
          <span>or a new one</span>
          <input
            name="new_username"
            maxlength="16"
            autocomplete="off"
            spellcheck="false"
            placeholder="@handle"
          />
        </label>
      </fieldset>
      <h2>What the app will be able to do</h2>
      <ul class="scopes">
        ${request.scopes.map((scope) => html`<li>${SCOPES[scope]} <code>${scope}</code></li>`)}
      </ul>
      <div class="buttons">
        <button name="decision" value="authorize" class="primary">Authorize app</button>
        <button name="decision" value="cancel">Cancel</button>
      </div>
      <p class="quiet">You will be sent back to ${new URL(request.redirectUri).origin}.</p>
    </form>
  </main>`;
  return layout({ title: 'Authorize an app · X sandbox', content });
}

export function refusedPage(reason: string): Markup {
  const content = html`<main class="card consent">
    <p class="stage">Sandbox · stands in for x.com</p>
    <h1>Something went wrong</h1>
    <p>You weren’t able to give access to the app. Go back and try logging in again.</p>
    <p class="problem">The real network shows no further details. Here: ${reason}</p>
  </main>`;
  return layout({ title: 'Something went wrong · X sandbox', content });
}

function choice(account: XAccount, checked: boolean): Markup {
  return html`<label class="choice">
    <input type="radio" name="username" value="${account.username}" ${checked && html`checked`} />
    <img src="/x-web/i/avatars/${account.username}.svg" alt="" width="40" height="40" />
    <span><strong>${account.name}</strong><br />@${account.username}</span>
  </label>`;
}

const hidden = (name: string, value: string): Markup =>
  html`<input type="hidden" name="${name}" value="${value}" />`;
