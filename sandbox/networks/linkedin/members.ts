import type { Call } from '../../wire/call.js';
import { answered, type Handled, json } from '../../wire/response.js';
import type { Route } from '../../wire/router.js';
import type { Caller as CallerOf } from '../kit/network.js';
import { type LinkedInAccount, mayPost, rolesOf, urnOf } from './linkedin-records.js';
import type { LinkedIn } from './linkedin.js';
import { denied, invalid, unauthorized, versionMissing, versionRetired } from './problems.js';

export type Caller = CallerOf<LinkedInAccount>;

export type Handle = (linkedin: LinkedIn, call: Call, caller: Caller) => Handled;

/** A route of /rest: a token, a version that is served, and the protocol version. */
export const versioned = (
  linkedin: LinkedIn,
  method: Route['method'],
  path: string,
  handle: Handle,
): Route => ({
  method,
  path,
  handle(call) {
    const version = call.headers['linkedin-version'];
    const { oldestVersion } = linkedin.settings;
    if (typeof version !== 'string' || version === '') return versionMissing();
    if (!/^\d{6}$/.test(version) || version < (oldestVersion ?? '')) return versionRetired(version);
    if (call.headers['x-restli-protocol-version'] !== '2.0.0')
      return invalid('X-RestLi-Protocol-Version must be 2.0.0');
    return signedIn(linkedin, call, handle);
  },
});

export function signedIn(linkedin: LinkedIn, call: Call, handle: Handle): Handled {
  const caller = call.bearerToken === null ? undefined : linkedin.callerOf(call);
  if (!caller) return unauthorized(linkedin.grants.endOf(call.bearerToken ?? '') ?? 'unknown');
  if (caller.account.suspended) return denied('the member is restricted');
  return answered(() => handle(linkedin, call, caller));
}

/** Whether the caller may act as this author: itself, or an organization in which it has a role that allows posts. */
export function mayActAs({ account, grant }: Caller, author: LinkedInAccount): boolean {
  return author.kind === 'member'
    ? author.id === account.id && grant.scopes.includes('w_member_social')
    : !author.suspended && grant.scopes.includes('w_organization_social') && mayPost(author, account);
}

/** GET /v2/userinfo */
export const userInfo: Handle = (linkedin, _call, { account, grant }) => {
  if (!grant.scopes.includes('openid')) return denied('userinfo.GET.NO_VERSION');
  const [given = account.name, ...family] = account.name.split(' ');
  return json(200, {
    sub: account.id,
    name: account.name,
    given_name: given,
    family_name: family.join(' '),
    picture: linkedin.baseUrl + linkedin.avatarPath(account),
    locale: { country: 'US', language: 'en' },
    email: `${account.username}@example.org`,
    email_verified: true,
  });
};

/** GET /rest/organizationAcls?q=roleAssignee */
export const organizationAcls: Handle = (linkedin, call, { account, grant }) => {
  if (!grant.scopes.includes('rw_organization_admin')) return denied('organizationAcls.FINDER-roleAssignee');
  const { query } = call;
  if (query.get('q') !== 'roleAssignee') return invalid('Unknown finder');
  const [role, state] = [query.get('role'), query.get('state')];
  const [start, count] = [Number(query.get('start') ?? 0), Number(query.get('count') ?? 10)];
  const elements = [...linkedin.accounts.all].flatMap((organization) =>
    rolesOf(organization)
      .filter((each) => each.member === account.username)
      .filter((each) => (role === null || each.role === role) && (state === null || each.state === state))
      .map((each) => ({
        organization: urnOf(organization),
        roleAssignee: urnOf(account),
        role: each.role,
        state: each.state,
      })),
  );
  const paging = { start, count, links: [], total: elements.length };
  return json(200, { elements: elements.slice(start, start + count), paging });
};

/** GET /rest/organizationsLookup?ids=List(1,2) */
export const organizationsLookup: Handle = (linkedin, call) => {
  const [, list] = /^List\(([\d,]*)\)$/.exec(call.query.get('ids') ?? '') ?? [];
  if (list === undefined) return invalid("Parameter 'ids' is invalid");
  const found = list.split(',').flatMap((id) => linkedin.accounts.find(id) ?? []);
  const results = found
    .filter(({ kind }) => kind === 'organization')
    .map(({ id, name, username }) => [id, { id: Number(id), localizedName: name, vanityName: username }]);
  return json(200, { results: Object.fromEntries(results) as object, statuses: {}, errors: {} });
};
