/** Who a credential belongs to, as identity's `/validate` states it. */
export interface Principal {
  readonly id: string;
  readonly type: 'user' | 'service' | 'api_key';
  readonly name: string;
  /** People have one; service principals and keys have none. */
  readonly email: string | null;
}

/** The user payload of identity: what a launcher and its applications show of a principal. */
export interface UserPayload {
  readonly id: string;
  readonly name: string;
  readonly email: string | null;
  /** `user`, `external`, `platform_admin`, `platform_super_admin`, `service` or `api_key`. */
  readonly principalType: string;
  /** Slugs of the services an automation acts for; empty for people, who act for any their organization has. */
  readonly principalServices: readonly string[];
  /** Whether the workspace launcher may be opened. Never for automations, and for external identities only when granted. */
  readonly launcherEligible: boolean;
  /** Set in the personal context of a family profile, null elsewhere. */
  readonly selectedHouseholdId: string | null;
  readonly selectedHousehold: Readonly<Record<string, unknown>> | null;
}

/** What the caller may do in one organization, for the service that asked. */
export interface ValidatedOrganization {
  readonly id: string;
  readonly name: string;
  /** `owner`, `admin`, `member` or `viewer` for people; `service` or `api_key` for automations. */
  readonly role: string;
  /** As `resource.action`, for example `posts.write`. */
  readonly scopes: readonly string[];
  /** null: every brand of the organization; else only these. */
  readonly brandIds: readonly string[] | null;
}

/** A definite yes of identity. */
export interface ValidatedCaller {
  /** RFC 3339 UTC; null when the credential does not expire. */
  readonly expiresAt: string | null;
  readonly principal: Principal;
  readonly user: UserPayload;
  /** The service the scopes are for. The id is identity's and is never stored by clients. */
  readonly service: { readonly id: string; readonly slug: string };
  readonly organizations: readonly ValidatedOrganization[];
}

/** What came with a request, unread. At least one of the two credentials must be there for a yes. */
export interface Credentials {
  /** The whole `Authorization` header, scheme included. */
  readonly authorization?: string;
  /** The whole `X-Api-Key` header. */
  readonly apiKey?: string;
  /** Slug of the service the caller wants to use. */
  readonly service: string;
  /** Sent along as `X-Request-Id`, so that both services' logs show one id. */
  readonly requestId?: string;
  /** W3C trace context, sent along as it is. */
  readonly traceparent?: string;
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

/** What a user may do, everywhere, and why; as identity evaluates it. */
export interface PermissionPayload {
  readonly userId: string;
  /** Each as `serviceId.resource:action`. */
  readonly effectivePermissions: readonly string[];
}
