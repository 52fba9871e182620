import { page, redirect, type SandboxResponse } from '../../../wire/response.js';
import type { Call } from '../../../wire/call.js';
import type { Route } from '../../../wire/router.js';
import type { SandboxAccount } from '../state/accounts.js';
import type { SocialNetwork } from '../network.js';
import {
  AuthorizationIsRefused,
  type AuthorizationRequest,
  parseAuthorizationRequest,
  returnTo,
} from './authorization-request.js';
import type { Consent } from './consent-dialect.js';
import { consentPage, refusedPage } from './consent.page.js';

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
  const request = parseAuthorizationRequest(call.query, network.client, consent);
  if (request instanceof AuthorizationIsRefused) return refusal(network, request);
  return page(200, consentPage(network, consent, request));
}

/** What the person decided on that page. */
function decideConsent<A extends SandboxAccount>(
  network: SocialNetwork<A>,
  consent: Consent<A>,
  call: Call,
): SandboxResponse {
  const request = parseAuthorizationRequest(call.form, network.client, consent);
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
  { accounts }: SocialNetwork<A>,
  { username: pattern, usernameInWords, isSelectable = () => true }: Consent<A>,
  form: URLSearchParams,
): A | string {
  const username = (form.get('new_username') ?? '').trim().replace(/^@/, '');
  const known = accounts.byUsername(username === '' ? (form.get('username') ?? '') : username);
  if (known && isSelectable(known)) return known;
  if (username === '') return 'Choose an account, or type a handle for a new one.';
  if (known || !pattern.test(username)) return `A handle has ${usernameInWords}.`;
  return accounts.create({ username } as Parameters<typeof accounts.create>[0]);
}

function codeFor(network: SocialNetwork, account: SandboxAccount, request: AuthorizationRequest): string {
  const { redirectUri, scopes, challenge, challengeMethod, extras } = request;
  return network.codes.issue({
    accountId: account.id,
    redirectUri,
    scopes,
    challenge,
    challengeMethod,
    extras,
  });
}
