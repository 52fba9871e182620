import { json, type SandboxResponse } from '../../../wire/response.js';
import type { Call } from '../../../wire/call.js';
import { rolesOf, urnOf } from '../state/linkedin-accounts.js';
import type { LinkedIn } from '../state/linkedin.js';
import { denied, invalid } from '../state/problems.js';
import type { Caller } from './signed-in.js';

/** GET /v2/userinfo */
export function userInfo(linkedin: LinkedIn, { account, grant }: Caller): SandboxResponse {
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
}

/** GET /rest/organizationAcls?q=roleAssignee */
export function organizationAcls(
  linkedin: LinkedIn,
  call: Call,
  { account, grant }: Caller,
): SandboxResponse {
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
}

/** GET /rest/organizationsLookup?ids=List(1,2) */
export function organizationsLookup(linkedin: LinkedIn, call: Call): SandboxResponse {
  const [, list] = /^List\(([\d,]*)\)$/.exec(call.query.get('ids') ?? '') ?? [];
  if (list === undefined) return invalid("Parameter 'ids' is invalid");
  const found = list.split(',').flatMap((id) => linkedin.accounts.find(id) ?? []);
  const results = found
    .filter(({ kind }) => kind === 'organization')
    .map(({ id, name, username }) => [id, { id: Number(id), localizedName: name, vanityName: username }]);
  return json(200, { results: Object.fromEntries(results) as object, statuses: {}, errors: {} });
}
