import { html, type Markup } from '#libs/pages';
import { layout } from '../../../pages/layout.js';
import type { SandboxAccount } from '../state/accounts.js';
import type { SocialNetwork } from '../network.js';
import { type AuthorizationRequest, parametersOf } from './authorization-request.js';
import type { Consent } from './consent-dialect.js';

/** Maximum number of listed accounts; the handle field accepts any account. */
const MAX_CHOICES = 5;

export function consentPage<A extends SandboxAccount>(
  network: SocialNetwork<A>,
  consent: Consent<A>,
  request: AuthorizationRequest,
  problem?: string,
): Markup {
  const { isSelectable = () => true } = consent;
  const accounts = [...network.accounts.all].filter(isSelectable).slice(0, MAX_CHOICES);
  const content = html`<main class="card narrow">
    <p class="stage">Sandbox · stands in for ${network.site}</p>
    <h1>An app wants to access your ${network.displayName} account.</h1>
    ${problem !== undefined && html`<p class="problem" role="alert">${problem}</p>`}
    <form method="post" action="${network.webPath}${consent.path}">
      ${Object.entries(parametersOf(request, consent)).map(([name, value]) => hidden(name, value))}
      ${accountField(network, accounts)}
      <h2>What the app will be able to do</h2>
      <ul class="scopes">
        ${request.scopes.map((scope) => html`<li>${consent.scopes[scope]} <code>${scope}</code></li>`)}
      </ul>
      <div class="buttons">
        <button name="decision" value="authorize" class="primary">Authorize app</button>
        <button name="decision" value="cancel">Cancel</button>
      </div>
      <p class="quiet">You will be sent back to ${new URL(request.redirectUri).origin}.</p>
    </form>
  </main>`;
  return layout({ title: `Authorize an app · ${network.displayName} sandbox`, content });
}

export function refusedPage(network: SocialNetwork, reason: string): Markup {
  const content = html`<main class="card narrow">
    <p class="stage">Sandbox · stands in for ${network.site}</p>
    <h1>Something went wrong</h1>
    <p>You weren’t able to give access to the app. Go back and try logging in again.</p>
    <p class="problem">The real network shows no further details. Here: ${reason}</p>
  </main>`;
  return layout({ title: `Something went wrong · ${network.displayName} sandbox`, content });
}

const accountField = (network: SocialNetwork, accounts: readonly SandboxAccount[]): Markup =>
  html`<fieldset>
    <legend>Account</legend>
    ${accounts.map((account, index) => choice(network, account, index === 0))}
    <label class="new">
      <span>or a new one</span>
      <input name="new_username" maxlength="60" autocomplete="off" spellcheck="false" placeholder="@handle" />
    </label>
  </fieldset>`;

function choice(network: SocialNetwork, account: SandboxAccount, checked: boolean): Markup {
  return html`<label class="choice">
    <input type="radio" name="username" value="${account.username}" ${checked && html`checked`} />
    <img src="${network.avatarPath(account)}" alt="" width="40" height="40" />
    <span><strong>${account.name}</strong><br />@${account.username}</span>
  </label>`;
}

const hidden = (name: string, value: string): Markup =>
  html`<input type="hidden" name="${name}" value="${value}" />`;
