import type { Finding, MediaFacts, Platform, PostOptions, RenditionSpec, Target } from '#libs/content';
import type { DeliveryContent, NetworkSearch } from './domain/delivery-outcome.js';
import type {
  AccountFacts,
  AuthorizationRequest,
  CodeExchange,
  Connecting,
  Grant,
  GrantedAccount,
  Renewal,
  RenewalResult,
  RenewableGrant,
  SignedCallbacks,
  Targets,
  Tokens,
} from './domain/provider-grants.js';
import type { ApiVersion, NetworkLimit } from './domain/network-limits.js';
import type {
  Account,
  CommitResponse,
  CommitCall,
  PrepareResponse,
  PrepareCall,
  ReconcileRequest,
} from './domain/provider-publishing.js';

/** How far a network can be used in this installation, computed from its configuration. */
export type Readiness = 'production-ready' | 'sandbox-only' | 'setup-required' | 'planned';

export interface Provider {
  readonly platform: Platform;
  readonly displayName: string;
  readiness(): Readiness;
}

/** Rules of a network that need no call to it. Pure. */
export interface NetworkRules {
  /** In the order of the rules; empty when there is nothing to report. */
  preflight(content: ContentToCheck): Finding[];
  /** What each file of the post has to become, in their order; null: nothing that the network takes can be made of it. */
  renditions(content: ContentToCheck): (RenditionSpec | null)[];
  /** What the text counts on the network. Absent: the network counts in a way that cannot be told. */
  textLength?(content: ContentToCheck): TextLength;
  /** Whether a post can reply to another one of the same author, so that posts form a thread. */
  readonly hasThreads: boolean;
  /** false: the network has accounts only, so that pages, groups and organizations in a target choose nothing. Absent: it may have them. */
  readonly hasPages?: false;
  /** Whether the network could have given this id to a post. */
  isPostId(id: string): boolean;
}

export interface ContentToCheck {
  readonly text: string;
  readonly title?: string | null;
  readonly link?: string | null;
  readonly target: Target;
  readonly options: PostOptions;
  readonly media: readonly MediaFacts[];
  /** null: not chosen yet, or not known. */
  readonly account: Account | null;
  /** The post is about to be sent: what can have changed since its approval only warns. Absent: the post is written or approved. */
  readonly isSent?: true;
}

/** In the unit of the network, links and titles included where they count. */
export interface TextLength {
  readonly length: number;
  readonly limit: number;
}

/**
 * A network whose accounts can be connected and published to. Connecting: `authorizationUrl`, `exchange`, `accounts`, `targets`,
 * `renew`, `revoke`. Publishing: `firstStep`, `prepare` as often as needed, `commit` once; `reconcile` when its answer was lost.
 */
export interface PublishingProvider extends Provider {
  /** For accounts that are connected already, whatever is missing for new connections. */
  connectedReadiness(): 'production-ready' | 'sandbox-only';
  /** Address and credentials of this service at the network; changes when an operator changes them. Contains secrets. */
  setup(): string;
  /** null: the network has no versions. Pure. */
  apiVersion(): ApiVersion | null;
  /** Limits that the network publishes for this account and this service. Pure. */
  limits(account: Account): readonly NetworkLimit[];

  authorizationUrl(request: AuthorizationRequest): string;
  /** @throws AuthorizationFailed: the code is refused; ServiceIsRefused; NetworkIsUnavailable: it cannot be asked */
  exchange(exchange: CodeExchange): Promise<Grant>;
  /**
   * Every account and page that the sign-in may publish as, each with a grant that can be renewed by itself.
   * @param connecting for whom; for calls that are attributed
   * @throws AuthorizationFailed when there is none, ServiceIsRefused, NetworkIsUnavailable
   */
  accounts(grant: Grant, connecting: Connecting): Promise<readonly GrantedAccount[]>;
  /** Pages and groups that a post of the account can name; absent: there are none. @throws ServiceIsRefused, NetworkIsUnavailable */
  targets?(account: Account, grant: Grant): Promise<Targets>;
  /** What rules depend on. @throws NetworkIsUnavailable also when the token is refused: publishing finds that out */
  facts(account: Account, accessToken: string): Promise<AccountFacts>;
  readonly renewal: Renewal;
  renew(grant: RenewableGrant): Promise<RenewalResult>;
  /** What `revoke` ends: this grant alone, or everything the account has allowed this service, whichever grant is shown. */
  readonly revocation: 'token' | 'consent';
  /** Best effort, see `revocation`; never throws. @param consentId null: there is none, or it is not known */
  revoke(grant: Tokens, consentId: string | null): Promise<void>;
  /** Absent: the network does not announce that a person removed this service, or wants their data deleted. */
  readonly signedCallbacks?: SignedCallbacks;

  /** What has to be prepared before this content can be committed; null: nothing. Pure. */
  firstStep(content: DeliveryContent): string | null;
  /** Takes one step that publishes nothing and may be repeated at any time. What it returns is stored before the next step. */
  prepare(call: PrepareCall): Promise<PrepareResponse>;
  /** Makes the one irreversible call, at most once. It ends within NETWORK_TIMEOUT_MS, because leases are checked against that. */
  commit(call: CommitCall): Promise<CommitResponse>;
  reconcile(request: ReconcileRequest): Promise<NetworkSearch>;
}
