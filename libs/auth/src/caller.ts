import type { ValidatedCaller, ValidatedOrganization } from '#libs/platform-client';
import { ScopeIsMissing } from './auth.errors.js';

/** `resource.action`, for example `posts.write`. The catalog is identity's. */
export type Scope = string;

export type CallerOrganization = ValidatedOrganization;

/** Where something is to be done. Leave the brand out for what concerns the organization as a whole. */
export interface Place {
  readonly organizationId: string;
  readonly brandId?: string;
}

/** Who is calling, as identity said for this very request. */
export class Caller {
  private constructor(
    readonly id: string,
    readonly type: 'user' | 'service' | 'api_key',
    readonly name: string,
    readonly email: string | null,
    /** What carried the call; `bearer` when both credentials came. */
    readonly channel: 'bearer' | 'api_key',
    readonly organizations: readonly CallerOrganization[],
  ) {}

  static of(validated: ValidatedCaller, channel: 'bearer' | 'api_key'): Caller {
    const { id, type, name, email } = validated.principal;
    return new Caller(id, type, name, email, channel, validated.organizations);
  }

  /**
   * `unknown` must be answered exactly like something that does not exist: the place is outside the caller's
   * organizations, or is a brand the caller is not bound to. A caller bound to brands has no part in what concerns
   * the organization as a whole (`forbidden`).
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
   * Goes on only when the caller may.
   * @param unknown the error that says the thing does not exist.
   * @throws ScopeIsMissing when the place is the caller's but the scope is not.
   */
  must(scope: Scope, place: Place, unknown: () => Error): void {
    const answer = this.may(scope, place);
    if (answer === 'unknown') throw unknown();
    if (answer === 'forbidden') throw new ScopeIsMissing([scope]);
  }

  /** Whether identity says, in exactly this word, that the caller is a person who owns the whole organization. */
  isOwnerOf(organizationId: string): boolean {
    return this.hasRoleIn(organizationId, ['owner']);
  }

  /** Whether identity says, in exactly these words, that the caller is a person who owns or administers the whole organization. */
  isAdministratorOf(organizationId: string): boolean {
    return this.hasRoleIn(organizationId, ['owner', 'admin']);
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
