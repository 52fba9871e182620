import type { SandboxResponse } from '../../../wire/response.js';
import { page, redirect } from '../../../wire/response.js';
import type { Call } from '../../../wire/call.js';
import type { X } from '../x.js';
import type { XAccount } from '../x-accounts.js';
import { USERNAME } from '../x-accounts.js';
import { authorizePage, refusedPage } from './authorize.page.js';
import type { AuthorizationRequest } from './authorization-request.js';
import { parseAuthorizationRequest, returnTo } from './authorization-request.js';

/** GET /i/oauth2/authorize */
export function showAuthorization(x: X, call: Call): SandboxResponse {
  const request = parseAuthorizationRequest(call.query, x.client);
  if (typeof request === 'string') return page(400, refusedPage(request));
  return page(200, authorizePage(x, request));
}

/** What the person decided on that page. */
export function decideAuthorization(x: X, call: Call): SandboxResponse {
  const { form } = call;
  const request = parseAuthorizationRequest(form, x.client);
  if (typeof request === 'string') return page(400, refusedPage(request));
  const { redirectUri, state } = request;
  if (form.get('decision') !== 'authorize') {
    return redirect(returnTo(redirectUri, { error: 'access_denied', state }));
  }
  const account = chosenAccount(x, form);
  if (typeof account === 'string') return page(400, authorizePage(x, request, account));
  return redirect(returnTo(redirectUri, { state, code: codeFor(x, account, request) }));
}

/** An account that exists, or a new one under a new handle; a sentence when it is neither. */
function chosenAccount(x: X, form: URLSearchParams): XAccount | string {
  const username = (form.get('new_username') ?? '').trim().replace(/^@/, '');
  if (username === '') {
    return (
      x.accounts.byUsername(form.get('username') ?? '') ??
      'Choose an account, or type a handle for a new one.'
    );
  }
  if (!USERNAME.test(username)) return 'A handle has 1 to 15 letters, digits or underscores.';
  const known = x.accounts.byUsername(username);
  if (known) return known;
  const account = x.accounts.create({ username });
  x.remember(account);
  return account;
}

function codeFor(x: X, account: XAccount, request: AuthorizationRequest): string {
  const { redirectUri, scopes, challenge, challengeMethod } = request;
  return x.codes.issue({ accountId: account.id, redirectUri, scopes, challenge, challengeMethod });
}
