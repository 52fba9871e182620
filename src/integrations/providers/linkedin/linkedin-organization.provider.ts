import { Injectable } from '@nestjs/common';
import {
  AuthorizationFailed,
  NetworkIsUnavailable,
  ServiceIsRefused,
} from '../../domain/integration.errors.js';
import type { Grant, GrantedAccount } from '../../domain/provider-grants.js';
import { memberOf, wordsIn } from '../values.js';
import { LinkedInCalls } from './linkedin-calls.js';
import { isLinkedInError, readLinkedInError, refusesVersion } from './linkedin-errors.js';
import { organizationIdIn, personIdIn } from './linkedin-values.js';
import { ORGANIZATION } from './linkedin-variants.js';
import { LinkedInParts, LinkedInProvider } from './linkedin.provider.js';

/** Roles that may post (learn.microsoft.com/linkedin/marketing/community-management/shares/posts-api, "Permissions"; both spellings occur). */
const POSTING_ROLES = new Set([
  'ADMINISTRATOR',
  'CONTENT_ADMIN',
  'CONTENT_ADMINISTRATOR',
  'DIRECT_SPONSORED_CONTENT_POSTER',
]);
const PAGE_SIZE = 100;
/** Pages of roles; a member with more than a thousand is not one person's account. */
const MAX_PAGES = 10;
const NAMES_AT_ONCE = 50;
/** UTF-16 units. */
const MAX_NAME = 200;

interface Role {
  readonly organizationId: string;
  readonly memberId: string;
}

/**
 * The organizations that a member may post for: GET /rest/organizationAcls and GET /rest/organizationsLookup
 * (learn.microsoft.com/linkedin/marketing/community-management/organizations/organization-access-control-by-role and
 * …/organization-lookup-api, read 2026-11-23).
 */
@Injectable()
export class LinkedInOrganizations {
  constructor(private readonly calls: LinkedInCalls) {}

  /** One connection for each organization, by the consent of one member. @throws AuthorizationFailed when there is none */
  async of(grant: Grant): Promise<GrantedAccount[]> {
    const roles = await this.roles(grant.accessToken);
    if (roles.length === 0) throw new AuthorizationFailed(NO_ROLE);
    const names = await this.names(
      grant.accessToken,
      roles.map(({ organizationId }) => organizationId),
    );
    return roles.map(({ organizationId, memberId }) => {
      const { name, vanityName } = names.get(organizationId) ?? NAMELESS;
      const displayName = name ?? `Organization ${organizationId}`;
      const profile = { accountId: organizationId, username: vanityName ?? displayName, displayName };
      return { profile: { ...profile, avatarUrl: null, facts: {} }, grant, consentId: memberId };
    });
  }

  private async roles(accessToken: string): Promise<Role[]> {
    const roles = new Map<string, Role>();
    for (let page = 0; page < MAX_PAGES; page += 1) {
      const query = `q=roleAssignee&state=APPROVED&start=${page * PAGE_SIZE}&count=${PAGE_SIZE}`;
      const elements = memberOf(await this.read(accessToken, `/rest/organizationAcls?${query}`), 'elements');
      if (!Array.isArray(elements)) throw new NetworkIsUnavailable(ORGANIZATION.displayName);
      for (const role of elements.flatMap(postingRoleIn)) roles.set(role.organizationId, role);
      if (elements.length < PAGE_SIZE) break;
    }
    return [...roles.values()];
  }

  private async names(accessToken: string, ids: readonly string[]): Promise<Map<string, Names>> {
    const names = new Map<string, Names>();
    for (let from = 0; from < ids.length; from += NAMES_AT_ONCE) {
      const batch = ids.slice(from, from + NAMES_AT_ONCE);
      for (const [id, found] of await this.named(accessToken, batch)) names.set(id, found);
    }
    return names;
  }

  /** LinkedIn refuses a list for one of its organizations: then each is asked for by itself, and a refused one has no name. */
  private async named(accessToken: string, ids: readonly string[]): Promise<[string, Names][]> {
    try {
      const body = await this.read(accessToken, `/rest/organizationsLookup?ids=List(${ids.join(',')})`);
      return ids.map((id) => [id, namesIn(memberOf(body, 'results', id))]);
    } catch (error) {
      if (!(error instanceof AuthorizationFailed)) throw error;
      if (ids.length === 1) return [];
      const each = await Promise.all(ids.map((id) => this.named(accessToken, [id])));
      return each.flat();
    }
  }

  private async read(accessToken: string, path: string): Promise<unknown> {
    const response = await this.calls.get(accessToken, path);
    if (response.kind !== 'answered') throw new NetworkIsUnavailable(ORGANIZATION.displayName);
    if (response.status === 200) return response.body;
    const error = readLinkedInError(response.status, response.body);
    if (refusesVersion(error)) throw new ServiceIsRefused(ORGANIZATION.displayName, 'client_forbidden');
    if (REFUSALS.includes(response.status) && isLinkedInError(response))
      throw new AuthorizationFailed(NO_ACCESS);
    throw new NetworkIsUnavailable(ORGANIZATION.displayName);
  }
}

interface Names {
  readonly name: string | null;
  readonly vanityName: string | null;
}
const namesIn = (organization: unknown): Names => ({
  name: wordsIn(memberOf(organization, 'localizedName'), MAX_NAME),
  vanityName: wordsIn(memberOf(organization, 'vanityName'), MAX_NAME),
});
const NAMELESS: Names = { name: null, vanityName: null };

/** LinkedIn's own, of an organization that is gone or that the member may not see. */
const REFUSALS = [400, 403, 404];

const NO_ROLE =
  'You have no role on a LinkedIn page that allows posts. Ask an administrator of the page for one, such as content administrator; then connect again.';
const NO_ACCESS =
  'LinkedIn does not let this service read your pages. Allow all permissions; if you did, an operator has to check the products of the app at LinkedIn.';

/** The state is checked although it was asked for. `organizationTarget` is the name in older versions. */
function postingRoleIn(element: unknown): Role[] {
  const organizationId = organizationIdIn(
    memberOf(element, 'organization') ?? memberOf(element, 'organizationTarget'),
  );
  const memberId = personIdIn(memberOf(element, 'roleAssignee'));
  const isPosting =
    memberOf(element, 'state') === 'APPROVED' && POSTING_ROLES.has(String(memberOf(element, 'role')));
  return isPosting && organizationId !== null && memberId !== null ? [{ organizationId, memberId }] : [];
}

@Injectable()
export class LinkedInOrganizationProvider extends LinkedInProvider {
  constructor(
    parts: LinkedInParts,
    private readonly organizations: LinkedInOrganizations,
  ) {
    super(ORGANIZATION, parts);
  }

  accounts(grant: Grant): Promise<GrantedAccount[]> {
    return this.organizations.of(grant);
  }
}
