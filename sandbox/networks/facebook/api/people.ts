import { json, type SandboxResponse } from '../../../wire/response.js';
import type { Call } from '../../../wire/call.js';
import {
  graphProblem,
  parameterProblem,
  permissionProblem,
  tokenProblem,
} from '../../graph/graph-problems.js';
import { isSame } from '../../kit/state/digests.js';
import type { FacebookAccount } from '../state/facebook-accounts.js';
import type { Facebook } from '../state/facebook.js';
import { isRefused, ownPage } from './own-page.js';
import { SCOPES } from './scopes.js';
import type { Caller } from './signed-in.js';

/** GET /me, of a person or a page. */
export function me(facebook: Facebook, call: Call, caller: Caller): SandboxResponse {
  const { account, grant } = caller;
  const page = account.kind === 'page' ? ownPage(facebook, account.id, caller) : account;
  if (isRefused(page)) return page;
  const asked = call.query.get('fields') ?? '';
  const permissions = Object.keys(SCOPES).map((permission) => ({
    permission,
    status: grant.scopes.includes(permission) ? 'granted' : 'declined',
  }));
  return json(200, {
    id: account.id,
    name: account.name,
    ...(asked.includes('permissions') && account.kind === 'person' && { permissions: { data: permissions } }),
  });
}

/** GET /me/accounts: pages on which the person has a task, each with a token of its own. */
export function pages(facebook: Facebook, call: Call, { account, grant }: Caller): SandboxResponse {
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
}

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
