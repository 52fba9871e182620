import { html, type Markup } from '#libs/pages';
import { layout } from '../../../pages/layout.js';
import type { Call } from '../../../wire/call.js';
import { page, redirect, type SandboxResponse } from '../../../wire/response.js';
import type { Route } from '../../../wire/router.js';
import type { SocialNetwork } from '../network.js';
import type { SandboxAccount } from '../state/accounts.js';
import {
  AuthorizationIsRefused,
  type AuthorizationRequest,
  type Consent,
  parametersOf,
  parseAuthorizationRequest,
  returnTo,
} from './authorization-request.js';

/** Maximum number of listed accounts; the handle field accepts any account. */
const MAX_CHOICES = 5;

function consentPage<A extends SandboxAccount>(
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
        ${request.scopes.map((scope) => html`<li>${network.rules.scopes[scope]} <code>${scope}</code></li>`)}
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

function refusedPage(network: SocialNetwork, reason: string): Markup {
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

export function consentRoutes<A extends SandboxAccount>(
  network: SocialNetwork<A>,
  consent: Consent<A>,
): Route[] {
  return [
    { method: 'GET', path: consent.path, handle: (call) => showConsent(network, consent, call) },
    { method: 'POST', path: consent.path, handle: (call) => decideConsent(network, consent, call) },
  ];
}

function showConsent<A extends SandboxAccount>(
  network: SocialNetwork<A>,
  consent: Consent<A>,
  call: Call,
): SandboxResponse {
  const request = parseAuthorizationRequest(call.query, network, consent);
  if (request instanceof AuthorizationIsRefused) return refusal(network, request);
  return page(200, consentPage(network, consent, request));
}

function decideConsent<A extends SandboxAccount>(
  network: SocialNetwork<A>,
  consent: Consent<A>,
  call: Call,
): SandboxResponse {
  const request = parseAuthorizationRequest(call.form, network, consent);
  if (request instanceof AuthorizationIsRefused) return refusal(network, request);
  const { redirectUri, state } = request;
  if (call.form.get('decision') !== 'authorize') {
    const denied = consent.denied ?? { error: 'access_denied' };
    return redirect(returnTo(redirectUri, { ...denied, state }));
  }
  const account = chosenAccount(network, consent, call.form);
  if (typeof account === 'string') return page(400, consentPage(network, consent, request, account));
  const code = codeFor(network, account, request) + (consent.codeSuffix ?? '');
  return redirect(returnTo(redirectUri, { state, code }));
}

function refusal(network: SocialNetwork, { reason, location }: AuthorizationIsRefused): SandboxResponse {
  return location === undefined ? page(400, refusedPage(network, reason)) : redirect(location);
}

/** An account that exists, or a new one under a new handle; a sentence when it is neither. */
function chosenAccount<A extends SandboxAccount>(
  { accounts, rules }: SocialNetwork<A>,
  { isSelectable = () => true }: Consent<A>,
  form: URLSearchParams,
): A | string {
  const username = (form.get('new_username') ?? '').trim().replace(/^@/, '');
  const known = accounts.byUsername(username === '' ? (form.get('username') ?? '') : username);
  if (known && isSelectable(known)) return known;
  if (username === '') return 'Choose an account, or type a handle for a new one.';
  if (known || !rules.accounts.username.test(username))
    return `A handle has ${rules.accounts.usernameInWords}.`;
  return accounts.create({ username } as Parameters<typeof accounts.create>[0]);
}

function codeFor(network: SocialNetwork, account: SandboxAccount, request: AuthorizationRequest): string {
  const { redirectUri, scopes, challenge, challengeMethod, extras } = request;
  const binding = { redirectUri, scopes, challenge, challengeMethod, extras };
  return network.codes.issue({ accountId: account.id, ...binding });
}
