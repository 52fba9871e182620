import { actsOn } from '#libs/http';
import type { ValidatedCaller, ValidatedOrganization } from '#libs/platform-client';
import { ScopeIsMissing } from './auth.errors.js';

/** `resource.action`, for example `posts.write`. The catalog is identity's. */
export type Scope = string;

/** Principal types that administer the installation, as members of the administrative organization. */
export type PlatformPrincipal = 'platform_admin' | 'platform_super_admin';

export type CallerOrganization = ValidatedOrganization;

/** The organization and brand of an action; without a brand, the action concerns the whole organization. */
export interface Place {
  readonly organizationId: string;
  readonly brandId?: string;
}

/** The caller of one request, as validated by identity. */
export class Caller {
  private constructor(
    readonly id: string,
    readonly type: 'user' | 'service' | 'api_key',
    readonly name: string,
    readonly email: string | null,
    /** The credential of the request; `bearer` if both were sent. */
    readonly channel: 'bearer' | 'api_key',
    readonly organizations: readonly CallerOrganization[],
    /** `user`, `external`, `platform_admin`, `platform_super_admin`, `service` or `api_key`. */
    readonly principalType: string,
    /** The principal of the API key that was sent with the bearer. */
    readonly apiKeyId?: string,
  ) {}

  static of(validated: ValidatedCaller, channel: 'bearer' | 'api_key'): Caller {
    const { id, type, name, email } = validated.principal;
    const { organizations, user, apiKeyId } = validated;
    return new Caller(id, type, name, email, channel, organizations, user.principalType, apiKeyId);
  }

  /**
   * `unknown`: the place is outside the caller's organizations, or is a brand the caller is not bound to. Respond as if it did
   * not exist. `forbidden` also for actions on the whole organization by a caller bound to brands.
   */
  may(scope: Scope, place: Place): 'yes' | 'forbidden' | 'unknown' {
    const organization = this.organizations.find(({ id }) => id === place.organizationId.toLowerCase());
    if (!organization) return 'unknown';
    const { brandIds, scopes } = organization;
    if (brandIds && place.brandId && !brandIds.includes(place.brandId.toLowerCase())) return 'unknown';
    if (brandIds && !place.brandId) return 'forbidden';
    return scopes.includes(scope) ? 'yes' : 'forbidden';
  }

  /**
   * Requires the permission.
   * @param unknown creates the error for a place that the caller may not know of
   * @throws ScopeIsMissing if the place is the caller's but the scope is missing
   */
  must(scope: Scope, place: Place, unknown: () => Error): void {
    const answer = this.may(scope, place);
    if (answer === 'unknown') throw unknown();
    actsOn(place.organizationId);
    if (answer === 'forbidden') throw new ScopeIsMissing([scope]);
  }

  /** Whether identity reports that the caller is a person with the role owner for the whole organization. */
  isOwnerOf(organizationId: string): boolean {
    return this.hasRoleIn(organizationId, ['owner']);
  }

  /** Whether identity reports that the caller is a person with the role owner or admin for the whole organization. */
  isAdministratorOf(organizationId: string): boolean {
    return this.hasRoleIn(organizationId, ['owner', 'admin']);
  }

  /** Whether the caller is a person with one of the principal types and a member of the administrative organization. */
  isPlatformAdministrator(types: readonly PlatformPrincipal[]): boolean {
    const isMember = this.organizations.some(({ isAdministrative }) => isAdministrative);
    return this.type === 'user' && isMember && types.some((type) => type === this.principalType);
  }

  private hasRoleIn(organizationId: string, roles: readonly string[]): boolean {
    if (this.isAutomation) return false;
    const organization = this.organizations.find(({ id }) => id === organizationId.toLowerCase());
    return organization?.brandIds === null && roles.includes(organization.role);
  }

  /** A service principal or an API key: what it creates or edits is a suggestion. */
  get isAutomation(): boolean {
    return this.type !== 'user';
  }
}
