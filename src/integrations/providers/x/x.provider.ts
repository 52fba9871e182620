import { Injectable } from '@nestjs/common';
import { Clock } from '#libs/clock';
import type { Platform } from '#libs/content';
import type { DeliveryContent, NetworkSearch } from '../../domain/delivery-outcome.js';
import type { NetworkLimit } from '../../domain/network-limits.js';
import type {
  AccountFacts,
  AuthorizationRequest,
  CodeExchange,
  Grant,
  GrantedAccount,
  RenewableGrant,
  RenewalResult,
  Tokens,
} from '../../domain/provider-grants.js';
import type {
  Account,
  CommitResponse,
  CommitCall,
  PrepareCall,
  PrepareResponse,
  ReconcileRequest,
} from '../../domain/provider-publishing.js';
import type { PublishingProvider, Readiness } from '../../provider.types.js';
import { FAILURES, PREPARE_AGAIN, refusedHere } from '../failures.js';
import { commitResponseOf, type ResponseReader } from '../network-responses.js';
import { XApi } from './x-api.js';
import { classifyRefusal, isXError, readXError } from './x-errors.js';
import { FIRST_STEP, mediaIdsOf } from './x-media-plan.js';
import { XMediaUpload } from './x-media-upload.js';
import { X_LIMITS, readingsIn } from './x-limits.js';
import { XOAuth } from './x-oauth.js';
import { XProfile } from './x-profile.js';
import { XTimeline } from './x-timeline.js';
import { waitIn } from './x-values.js';
import { XConfig } from './x.config.js';

/** X, the short-post network. */
@Injectable()
export class XProvider implements PublishingProvider {
  readonly platform = 'x' as Platform;
  readonly displayName = 'X';
  /** `POST /2/oauth2/revoke` takes one token; another sign-in of the same account keeps its own. */
  readonly revocation = 'token';
  /** Tokens last two hours. Some renewals may fail before a post at that minute needs the next one. */
  readonly renewal = { by: 'refresh-token', aheadMs: 15 * 60_000 } as const;

  constructor(
    private readonly config: XConfig,
    private readonly oauth: XOAuth,
    private readonly api: XApi,
    private readonly media: XMediaUpload,
    private readonly profiles: XProfile,
    private readonly timeline: XTimeline,
    private readonly clock: Clock,
  ) {}

  readiness(): Readiness {
    return this.config.clientId ? this.connectedReadiness() : 'setup-required';
  }

  /** Only X's own host publishes to real accounts, independent of the credentials. */
  connectedReadiness(): 'production-ready' | 'sandbox-only' {
    return new URL(this.config.apiUrl).hostname === 'api.x.com' ? 'production-ready' : 'sandbox-only';
  }

  setup(): string {
    const { apiUrl, clientId, clientSecret } = this.config;
    return JSON.stringify([apiUrl, clientId, clientSecret]);
  }

  /** X has had one version for all clients since 2021. */
  apiVersion(): null {
    return null;
  }

  limits(): readonly NetworkLimit[] {
    return X_LIMITS;
  }

  async facts(_account: Account, accessToken: string): Promise<AccountFacts> {
    return (await this.profiles.read(accessToken)).facts;
  }

  authorizationUrl(request: AuthorizationRequest): string {
    return this.oauth.authorizationUrl(request);
  }

  exchange(exchange: CodeExchange): Promise<Grant> {
    return this.oauth.exchangeCode(exchange);
  }

  /** A sign-in is for one account. */
  async accounts(grant: Grant): Promise<GrantedAccount[]> {
    return [{ profile: await this.profiles.read(grant.accessToken), grant, consentId: null }];
  }

  /** A grant without a refresh token cannot be renewed. */
  async renew({ refreshToken }: RenewableGrant): Promise<RenewalResult> {
    return refreshToken ? this.oauth.refresh(refreshToken) : { kind: 'dead' };
  }

  revoke(tokens: Tokens): Promise<void> {
    return this.oauth.revoke(tokens);
  }

  /** Files are uploaded before; text and links need no preparation. */
  firstStep({ mediaIds }: DeliveryContent): string | null {
    return mediaIds.length > 0 ? FIRST_STEP : null;
  }

  prepare(call: PrepareCall): Promise<PrepareResponse> {
    return this.media.prepare(call);
  }

  async commit(call: CommitCall): Promise<CommitResponse> {
    const mediaIds = mediaIdsOf(call.prepared, call.content.mediaIds.length);
    if (mediaIds === null) return refusedHere('X', FAILURES.mediaExpired, PREPARE_AGAIN);
    const response = await this.api.createPost(call, mediaIds);
    return commitResponseOf(this.reader, response, (created) => this.api.postIn(created, call.account));
  }

  reconcile(request: ReconcileRequest): Promise<NetworkSearch> {
    return this.timeline.find(request);
  }

  private readonly reader: ResponseReader = {
    displayName: 'X',
    readingsIn,
    isOwnError: isXError,
    classify: ({ status, headers, body }) =>
      classifyRefusal(readXError(status, body), waitIn(headers, this.clock.now())),
  };
}
