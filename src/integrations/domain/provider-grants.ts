import type { Instant } from '#libs/content';

/** What rules of a network depend on and differs between its accounts, by a name that the provider chose. Never a secret. */
export type AccountFacts = Readonly<Record<string, string | number | boolean | readonly string[]>>;

export const NO_FACTS: AccountFacts = {};

export interface AuthorizationRequest {
  readonly state: string;
  /** RFC 7636, S256. */
  readonly codeChallenge: string;
  readonly redirectUri: string;
}

export interface CodeExchange {
  readonly code: string;
  readonly codeVerifier: string;
  readonly redirectUri: string;
}

export interface Connecting {
  readonly organizationId: string;
}

export interface Grant {
  readonly accessToken: string;
  /** Null: the network issued none; after a renewal the former one stays valid. */
  readonly refreshToken: string | null;
  /** Expiry of the access token by the network's response; null: not stated. */
  readonly expiresAt: Instant | null;
  /** Expiry of the refresh token by the network's response; null or absent: not stated. */
  readonly refreshExpiresAt?: Instant | null;
  readonly scopes: readonly string[];
}

export type Tokens = Pick<Grant, 'accessToken' | 'refreshToken'>;

export interface AccountProfile {
  readonly accountId: string;
  readonly username: string;
  readonly displayName: string;
  readonly avatarUrl: string | null;
  readonly facts: AccountFacts;
}

export interface GrantedAccount {
  readonly profile: AccountProfile;
  readonly grant: Grant;
  /** The same for accounts whose grants end together, such as pages of one person. null: no other account depends on this grant. */
  readonly consentId: string | null;
}

/** The grant that a newer one of the same connection replaced. */
export interface FormerGrant extends Tokens {
  readonly consentId: string | null;
}

export interface PublishingTarget {
  readonly id: string;
  readonly name: string;
}

export interface Targets {
  readonly pages: readonly PublishingTarget[];
  readonly groups: readonly PublishingTarget[];
}

export interface Renewal {
  /** `access-token`: a long-lived token is exchanged for a newer one while it is valid; there is no refresh token. */
  readonly by: 'refresh-token' | 'access-token';
  /** Whether a refresh token works once, so that each connection needs its own, or stays the same. Default single-use. */
  readonly refreshTokens?: 'single-use' | 'reusable';
  /** Renew this many milliseconds before the expiry. */
  readonly aheadMs: number;
}

export type RenewableGrant = Pick<Grant, 'accessToken' | 'refreshToken' | 'expiresAt'>;

export type RenewalResult =
  | { readonly kind: 'granted'; readonly grant: Grant }
  /** The grant is dead: only its owner can connect again. `networkCode`: the network's name of the error, such as `invalid_grant`. */
  | { readonly kind: 'dead'; readonly networkCode?: string }
  /** The network refuses the request; the grant may be valid. `client`: it refuses this service for every grant. */
  | { readonly kind: 'misconfigured' }
  /** No usable response; the grant may be valid. */
  | { readonly kind: 'unavailable' };

/** Deauthorization and deletion requests of the network. They name the person by an id that is an `accountId` or a `consentId`. */
export interface SignedCallbacks {
  /** Key of their signatures; null: not configured. */
  secret(): string | null;
}
