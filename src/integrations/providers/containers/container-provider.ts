import type { Clock } from '#libs/clock';
import type { Platform } from '#libs/content';
import type { OutboundHttp, OutboundHttpConfig } from '#libs/outbound-http';
import type { DeliveryContent, NetworkSearch } from '../../domain/delivery-outcome.js';
import type { ApiVersion, NetworkLimit } from '../../domain/network-limits.js';
import type {
  AccountFacts,
  AuthorizationRequest,
  CodeExchange,
  Grant,
  GrantedAccount,
  RenewableGrant,
  RenewalResult,
  SignedCallbacks,
} from '../../domain/provider-grants.js';
import type {
  Account,
  CommitCall,
  CommitResponse,
  PrepareCall,
  PrepareResponse,
  ReconcileRequest,
} from '../../domain/provider-publishing.js';
import type { PublishingProvider, Readiness } from '../../provider.types.js';
import { ContainerApi } from './container-api.js';
import type { ContainerNetwork } from './container-network.js';
import { firstContainer, stepName } from './container-plan.js';
import { ContainerPreparation } from './container-preparation.js';
import { type ProfileSource, readProfile, type ReadProfile } from './container-profile.js';
import { ContainerPublication } from './container-publication.js';
import { ContainerSearch } from './container-search.js';
import { publishingIsNotAllowed } from '../token-endpoint.js';
import { LongLivedTokens, type TokenSettings } from './long-lived-tokens.js';

const DAY_MS = 86_400_000;

export interface ContainerProviderParts {
  readonly platform: string;
  readonly network: ContainerNetwork;
  readonly tokens: TokenSettings;
  readonly profile: ProfileSource;
  readonly isReal: boolean;
}

/** Instagram and Threads: long-lived tokens and containers. */
export abstract class ContainerProvider implements PublishingProvider {
  readonly platform: Platform;
  readonly displayName: string;
  /** Neither network documents a call that ends a token; it ends with its 60 days, or in the settings of the account. */
  readonly revocation = 'token';
  /** A token of 60 days is renewed in its last third: an outage of some days harms no account. */
  readonly renewal = { by: 'access-token', aheadMs: 20 * DAY_MS } as const;

  /** Signed with the secret of the app. */
  readonly signedCallbacks: SignedCallbacks = { secret: () => this.parts.tokens.clientSecret || null };

  private readonly tokens: LongLivedTokens;
  private readonly api: ContainerApi;
  private readonly preparation: ContainerPreparation;
  private readonly publication: ContainerPublication;
  private readonly search: ContainerSearch;

  constructor(
    private readonly http: OutboundHttp,
    { timeoutMs }: OutboundHttpConfig,
    clock: Clock,
    private readonly parts: ContainerProviderParts,
  ) {
    const { network } = parts;
    this.platform = parts.platform as Platform;
    this.displayName = network.displayName;
    this.tokens = new LongLivedTokens(http, clock, parts.tokens);
    this.api = new ContainerApi(http, network);
    this.preparation = new ContainerPreparation(network, this.api);
    this.publication = new ContainerPublication(network, this.api, clock, timeoutMs);
    this.search = new ContainerSearch(network, this.api, clock);
  }

  abstract apiVersion(): ApiVersion | null;
  abstract limits(account: Account): readonly NetworkLimit[];

  readiness(): Readiness {
    const { clientId, clientSecret } = this.parts.tokens;
    return clientId !== '' && clientSecret !== '' ? this.connectedReadiness() : 'setup-required';
  }

  connectedReadiness(): 'production-ready' | 'sandbox-only' {
    return this.parts.isReal ? 'production-ready' : 'sandbox-only';
  }

  setup(): string {
    const { graphUrl, tokenUrl, clientId, clientSecret } = this.parts.tokens;
    return JSON.stringify([graphUrl, tokenUrl, clientId, clientSecret]);
  }

  async facts(_account: Account, accessToken: string): Promise<AccountFacts> {
    return (await this.profile(accessToken)).facts;
  }

  authorizationUrl(request: AuthorizationRequest): string {
    return this.tokens.authorizationUrl(request);
  }

  exchange(exchange: CodeExchange): Promise<Grant> {
    return this.tokens.exchange(exchange);
  }

  /** A sign-in is for one account. Callbacks of the network may name it by another id than publishing does. */
  async accounts(grant: Grant): Promise<GrantedAccount[]> {
    const { consentId, mayPublish, ...profile } = await this.profile(grant.accessToken);
    if (!mayPublish) throw publishingIsNotAllowed(this.displayName, this.parts.tokens.scopes);
    return [{ profile, grant, consentId }];
  }

  renew(grant: RenewableGrant): Promise<RenewalResult> {
    return this.tokens.renew(grant);
  }

  revoke(): Promise<void> {
    return Promise.resolve();
  }

  firstStep(content: DeliveryContent): string {
    const first = firstContainer(content.mediaIds.length);
    return stepName(this.parts.network.hasQuota(content) ? { call: 'quota' } : first);
  }

  prepare(call: PrepareCall): Promise<PrepareResponse> {
    return this.preparation.prepare(call);
  }

  commit(call: CommitCall): Promise<CommitResponse> {
    return this.publication.commit(call);
  }

  reconcile(request: ReconcileRequest): Promise<NetworkSearch> {
    return this.search.find(request);
  }

  private profile(accessToken: string): Promise<ReadProfile> {
    return readProfile(this.http, this.api, this.parts.profile, accessToken);
  }
}
