import type { Call } from '../../wire/call.js';
import { json, type SandboxResponse } from '../../wire/response.js';
import { graphProblem, parameterProblem, permissionProblem, tokenProblem } from '../graph/graph-problems.js';
import { isSame } from '../kit/state/digests.js';
import { type Handle, ownPage } from './signed-in.js';
import type { FacebookAccount } from './facebook-records.js';
import { type Facebook, LONG_SECONDS } from './facebook.js';

/** GET /me, of a person or a page. */
export const me: Handle = (facebook, call, caller) => {
  const { account, grant } = caller;
  if (account.kind === 'page') ownPage(facebook, account.id, caller);
  const asked = call.query.get('fields') ?? '';
  const permissions = Object.keys(facebook.rules.scopes).map((permission) => ({
    permission,
    status: grant.scopes.includes(permission) ? 'granted' : 'declined',
  }));
  return json(200, {
    id: account.id,
    name: account.name,
    ...(asked.includes('permissions') && account.kind === 'person' && { permissions: { data: permissions } }),
  });
};

/** GET /me/accounts: pages on which the person has a task, each with a token of its own. */
export const pages: Handle = (facebook, call, { account, grant }) => {
  if (!grant.scopes.includes('pages_show_list')) return json(200, { data: [] });
  const all = facebook.accounts.pagesOf(account);
  const asked = Number(call.query.get('limit') ?? 25);
  const limit = Math.min(asked, facebook.settings.pagesPerList);
  const after = Number(Buffer.from(call.query.get('after') ?? '', 'base64url').toString() || 0);
  const listed = all.slice(after, after + limit);
  const end = after + listed.length;
  const cursor = Buffer.from(String(end)).toString('base64url');
  const next = `${facebook.baseUrl}/facebook/v25.0/me/accounts?access_token=secret&after=${cursor}`;
  return json(200, {
    data: listed.map((page) => pageView(facebook, page, account, grant.scopes)),
    ...(listed.length > 0 && {
      paging: { cursors: { before: 'MA', after: cursor }, ...(end < all.length && { next }) },
    }),
  });
};

function pageView(
  facebook: Facebook,
  page: FacebookAccount,
  person: FacebookAccount,
  scopes: readonly string[],
): Record<string, unknown> {
  return {
    id: page.id,
    name: page.name,
    username: page.username,
    access_token: facebook.pageToken(page.id, person.id, scopes).accessToken,
    tasks: page.tasks[person.id],
    category: 'Local business',
    picture: { data: { url: facebook.baseUrl + facebook.avatarPath(page), is_silhouette: false } },
  };
}

/** DELETE /{person}/permissions, with the person's token or with the credentials of the app. */
export function endPermissions(facebook: Facebook, call: Call): SandboxResponse {
  const named = call.params.id ?? '';
  const { id, secret } = facebook.client;
  if (isSame(call.bearerToken ?? '', `${id}|${secret ?? ''}`)) {
    const person = facebook.accounts.find(named);
    if (person?.kind !== 'person') return graphProblem(parameterProblem('No such person'));
    facebook.endConsent(person.id, 'revoked');
    return json(200, { success: true });
  }
  const caller = facebook.callerOf(call);
  if (!caller) return graphProblem(tokenProblem('unknown'));
  const isOwn = caller.account.kind === 'person' && (named === 'me' || named === caller.account.id);
  if (!isOwn) return graphProblem(permissionProblem);
  facebook.endConsent(caller.account.id, 'revoked');
  return json(200, { success: true });
}

/** GET or POST /oauth/access_token: a code becomes a short token, and a short token a long one. */
export function accessToken(facebook: Facebook, call: Call): SandboxResponse {
  const field = (name: string): string => call.form.get(name) ?? call.query.get(name) ?? '';
  const { id, secret } = facebook.client;
  if (field('client_id') !== id)
    return problem(101, 'Error validating application. Cannot get application info due to a system error.');
  if (!isSame(field('client_secret'), secret ?? '')) return problem(1, 'Error validating client secret.');
  if (field('grant_type') === 'fb_exchange_token') return exchange(facebook, field('fb_exchange_token'));
  return redeem(facebook, field('code'), field('redirect_uri'));
}

function redeem(facebook: Facebook, code: string, redirectUri: string): SandboxResponse {
  const binding = facebook.codes.redeem(code);
  if (!binding) return problem(100, 'This authorization code has been used or is invalid.', 36_009);
  if (binding.redirectUri !== redirectUri)
    return problem(
      100,
      'Error validating verification code. Please make sure your redirect_uri is identical to the one you used in the OAuth dialog request',
      36_008,
    );
  const scopes = binding.scopes.filter((scope) => !facebook.settings.declinedScopes.includes(scope));
  const { accessToken: token } = facebook.personToken(binding.accountId, scopes, 'short');
  return json(200, { access_token: token, token_type: 'bearer', expires_in: 5_183 });
}

function exchange(facebook: Facebook, token: string): SandboxResponse {
  const grant = facebook.grants.byAccessToken(token);
  if (!grant) return graphProblem(tokenProblem(facebook.grants.endOf(token) ?? 'unknown'));
  const long = facebook.personToken(grant.accountId, grant.scopes, 'long');
  return json(200, { access_token: long.accessToken, token_type: 'bearer', expires_in: LONG_SECONDS });
}

const problem = (code: number, message: string, subcode?: number): SandboxResponse =>
  graphProblem({ code, message, ...(subcode !== undefined && { subcode }) });
