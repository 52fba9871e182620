/** The owner of a credential, as `/validate` of identity returns it. */
export interface Principal {
  /** For an API key: the id of the first key of its rotation, which all its successors share. */
  readonly id: string;
  readonly type: 'user' | 'service' | 'api_key';
  readonly name: string;
  /** null for service principals and keys. */
  readonly email: string | null;
}

/** The user payload of identity, for display by a launcher and its applications. */
export interface UserPayload {
  readonly id: string;
  readonly name: string;
  readonly email: string | null;
  /** `user`, `external`, `platform_admin`, `platform_super_admin`, `service` or `api_key`. */
  readonly principalType: string;
  /** Slugs of the services of an automation; empty for people, who can use every service of their organization. */
  readonly principalServices: readonly string[];
  /** Whether the principal may open the workspace launcher. Automations never can, external identities only by a grant. */
  readonly launcherEligible: boolean;
  /** Set in the personal context of a family profile, null elsewhere. */
  readonly selectedHouseholdId: string | null;
  readonly selectedHousehold: Readonly<Record<string, unknown>> | null;
}

/** The caller's permissions in one organization, for the requesting service. */
export interface ValidatedOrganization {
  readonly id: string;
  readonly name: string;
  /** `owner`, `admin`, `member` or `viewer` for people; `service` or `api_key` for automations. */
  readonly role: string;
  /** As `resource.action`, for example `posts.write`. */
  readonly scopes: readonly string[];
  /** null: every brand of the organization; else only these. */
  readonly brandIds: readonly string[] | null;
  /** Whether it is the one organization whose platform administrators administer the whole installation. */
  readonly isAdministrative: boolean;
}

/** A caller whose credentials identity accepted. */
export interface ValidatedCaller {
  /** RFC 3339 UTC; null when the credential does not expire. */
  readonly expiresAt: string | null;
  readonly principal: Principal;
  /** The principal of the API key that was sent with a bearer. */
  readonly apiKeyId?: string;
  readonly user: UserPayload;
  /** The service of the scopes. Clients never store the id, which differs between installations. */
  readonly service: { readonly id: string; readonly slug: string };
  readonly organizations: readonly ValidatedOrganization[];
}

/** Maximum of credentials in one exchange with identity. */
export const MAX_VALIDATIONS = 64;

/** Every API key begins with it, so that scanners and services recognise one. */
export const API_KEY_PREFIX = 'cop_live_';

/** Raw request headers. Without both credentials the request is refused. */
export interface Credentials {
  /** The whole `Authorization` header, scheme included. */
  readonly authorization?: string;
  /** The whole `X-Api-Key` header. */
  readonly apiKey?: string;
  /** Slug of the requested service. */
  readonly service: string;
  /** Forwarded as `X-Request-Id`, so that the logs of both services contain the same id. */
  readonly requestId?: string;
  /** W3C trace context, forwarded unchanged. */
  readonly traceparent?: string;
  /** Address that sent them. Not forwarded: addresses whose credentials wait take turns. */
  readonly client?: string;
}

/** An entry of identity's service registry. */
export interface RegisteredService {
  readonly id: string;
  readonly slug: string;
  readonly name: string;
  readonly surface_kind: string;
  readonly surface_group: string;
  readonly launchable: boolean;
  readonly household_capable: boolean;
  readonly supportedContexts: readonly string[];
}

/** The registered identifier of a service; it differs between installations. */
export type Registration = Pick<RegisteredService, 'id' | 'slug'>;

/** Permissions of a user in all organizations, as identity evaluates them. */
export interface PermissionPayload {
  readonly userId: string;
  /** Each as `serviceId.resource:action`. */
  readonly effectivePermissions: readonly string[];
}

/** On whose behalf a service says that it calls. Text that is no UUID matches nothing. */
export interface ClaimedAttribution {
  readonly applicationId?: string;
  readonly organizationId?: string;
  readonly userId?: string;
}

/** What identity says of such a claim. */
export interface VerifiedAttribution {
  /** null: no application has the identifier, or none was sent. */
  readonly application: Registration | null;
  readonly organizationExists: boolean;
  /** Whether the person has an enabled account and is a member of the organization. */
  readonly isMember: boolean;
}
