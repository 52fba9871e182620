import type { ValidatedCaller, ValidatedOrganization } from '../identity.types.js';

/** Every scope of the business API; the default of a grant. */
export const ALL_SCOPES = [
  'accounts.read',
  'accounts.write',
  'analytics.read',
  'api_keys.write',
  'calendar.read',
  'calendar.write',
  'dashboard.read',
  'posts.read',
  'posts.write',
  'contacts.read',
  'contacts.write',
  'pipelines.read',
  'pipelines.write',
] as const;

/** Permissions of a test caller in one organization. */
export interface FakeGrant {
  readonly id: string;
  readonly name?: string;
  readonly role?: string;
  /** Default: all of them. */
  readonly scopes?: readonly string[];
  /** Default null: all brands. */
  readonly brandIds?: readonly string[] | null;
  /** Default false. */
  readonly isAdministrative?: boolean;
}

export interface FakePerson {
  readonly id?: string;
  readonly name?: string;
  readonly email?: string;
  /** Default `user`. */
  readonly principalType?: 'user' | 'platform_admin' | 'platform_super_admin';
  /** Default: none. */
  readonly organizations?: readonly FakeGrant[];
}

export interface FakeAutomation {
  readonly id?: string;
  readonly name?: string;
  readonly organization: FakeGrant;
}

export type FakeCaller = Omit<ValidatedCaller, 'service'>;

export function bearerToken(authorization: string): string | undefined {
  return /^Bearer ([^ ]+)$/i.exec(authorization)?.[1];
}

export function callerOf(
  type: 'user' | 'service' | 'api_key',
  id: string,
  name: string,
  email: string | null,
) {
  return {
    expiresAt: null,
    principal: { id, type, name, email },
    user: {
      id,
      name,
      email,
      principalType: type,
      principalServices: [],
      launcherEligible: type === 'user',
      selectedHouseholdId: null,
      selectedHousehold: null,
    },
  };
}

export function organizationOf(grant: FakeGrant, role: string): ValidatedOrganization {
  return {
    id: grant.id.toLowerCase(),
    name: grant.name ?? 'Example Organization',
    role: grant.role ?? role,
    scopes: [...(grant.scopes ?? ALL_SCOPES)],
    brandIds: grant.brandIds ?? null,
    isAdministrative: grant.isAdministrative ?? false,
  };
}
