import type { FailureReport, Finding, Instant, Platform } from '#libs/content';
import type { DeliveryContent, NetworkSearch, PublishedPost } from './delivery-outcome.js';

/** How far a network can be used here, computed from configuration; an operator's word, never a secret's name. */
export type Readiness = 'production-ready' | 'sandbox-only' | 'setup-required' | 'planned';

/** What every network has, whether it can be connected yet or not. */
export interface Provider {
  readonly platform: Platform;
  /** As its users call it. */
  readonly displayName: string;
  readiness(): Readiness;
  preflight(content: PreflightInput): Finding[];
  /** Whether ids of its posts look like this. */
  isPostId(id: string): boolean;
}

export interface PreflightInput {
  readonly text: string;
  readonly title?: string | null;
  readonly link?: string | null;
  readonly mediaCount: number;
}

/** A network whose accounts can be connected and published to. */
export interface PublishingProvider extends Provider {
  /** What accounts that are connected already are good for, whatever has to be set up before more can be. */
  connectedReadiness(): 'production-ready' | 'sandbox-only';
  /** Who this service is at the network: another text whenever an operator changes that. Holds secrets. */
  setup(): string;
  /** What `revoke` ends: this grant alone, or all that the account has allowed this service, whichever grant is shown. */
  readonly revocation: 'token' | 'consent';
  authorizationUrl(request: AuthorizationRequest): string;
  /**
   * @throws AuthorizationFailed when the network refuses the code, ServiceIsRefused when it refuses this service,
   *   NetworkIsUnavailable when it cannot be asked.
   */
  exchangeCode(exchange: CodeExchange): Promise<Grant>;
  /** @throws ServiceIsRefused, NetworkIsUnavailable */
  profile(accessToken: string): Promise<AccountProfile>;
  refresh(refreshToken: string): Promise<RefreshAnswer>;
  /** Tells the network to forget this grant, or the consent behind it: see `revocation`. Best effort; never throws. */
  revoke(grant: Pick<Grant, 'accessToken' | 'refreshToken'>): Promise<void>;
  /** Makes the one irreversible call, at most once. */
  publish(call: PublishCall): Promise<PublishAnswer>;
  /** Looks for the post on the network without changing anything. */
  reconcile(request: ReconcileRequest): Promise<NetworkSearch>;
}

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

export interface Grant {
  readonly accessToken: string;
  /** Null when the network gave none; after a refresh that means: keep the old one. */
  readonly refreshToken: string | null;
  /** When the access token ends by the network's answer; null when it does not say. */
  readonly expiresAt: Instant | null;
  readonly scopes: readonly string[];
}

export interface AccountProfile {
  /** The network's stable id of the account. */
  readonly accountId: string;
  readonly username: string;
  readonly displayName: string;
  readonly avatarUrl: string | null;
  readonly pages: readonly PublishingTarget[];
  readonly groups: readonly PublishingTarget[];
}

/** A page or group of the account that may be published to. */
export interface PublishingTarget {
  readonly id: string;
  readonly name: string;
}

export type RefreshAnswer =
  | { readonly kind: 'granted'; readonly grant: Grant }
  /** The grant is dead (`invalid_grant`): only its owner can connect again. */
  | { readonly kind: 'dead' }
  /** What this service sends is refused; the grant may be fine. `client`: whichever grant it would ask for. */
  | { readonly kind: 'misconfigured'; readonly client: boolean }
  /** Try again later; says nothing about the grant. */
  | { readonly kind: 'unavailable' };

export interface Account {
  readonly accountId: string;
  readonly username: string;
}

export interface PublishCall {
  readonly account: Account;
  readonly accessToken: string;
  /** The same for every repeat within an attempt; for networks with idempotency keys. */
  readonly attemptId: string;
  readonly content: DeliveryContent;
  /** Asked at the last moment before the request is written; false: the call must not be made. */
  readonly maySend: () => boolean;
}

export type PublishAnswer =
  | ({ readonly kind: 'published' } & PublishedPost)
  /** It never left this machine: may be repeated. */
  | { readonly kind: 'not-sent'; readonly failure: FailureReport }
  | { readonly kind: 'abandoned' }
  | { readonly kind: 'refused'; readonly refusal: Refusal }
  /** It left, and no readable answer came: never repeat. */
  | { readonly kind: 'unconfirmed'; readonly failure: FailureReport };

/** The network said no, definitely: nothing was published. */
export interface Refusal {
  readonly failure: FailureReport;
  /** What would make a repeat sensible; absent: nothing would. */
  readonly remedy?:
    | { readonly kind: 'refresh' }
    | { readonly kind: 'wait'; readonly milliseconds: number }
    /** No post of the account before that is over. */
    | { readonly kind: 'hold'; readonly milliseconds: number };
  readonly duplicate?: boolean;
}

export interface ReconcileRequest {
  readonly account: Account;
  readonly accessToken: string;
  readonly content: DeliveryContent;
  /** When the attempt began, by our database's clock. */
  readonly since: Instant;
}
