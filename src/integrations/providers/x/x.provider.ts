import { Injectable } from '@nestjs/common';
import { Clock } from '#libs/clock';
import type { DeliveryContent, NetworkSearch } from '../../domain/delivery-outcome.js';
import type { NetworkLimit } from '../../domain/network-limits.js';
import type { AccountFacts, Grant, GrantedAccount } from '../../domain/provider-grants.js';
import type {
  Account,
  CommitResponse,
  CommitCall,
  PrepareCall,
  PrepareResponse,
  ReconcileRequest,
} from '../../domain/provider-publishing.js';
import type { PublishingProvider } from '../../provider.types.js';
import { FAILURES, PREPARE_AGAIN, refusedHere } from '../failures.js';
import { commitResponseOf, type ResponseReader } from '../network-responses.js';
import { XApi } from './x-api.js';
import { classifyRefusal, isXError, readXError } from './x-errors.js';
import { FIRST_STEP, mediaIdsOf } from './x-media-plan.js';
import { XMediaUpload } from './x-media-upload.js';
import { X_LIMITS, readingsIn } from './x-limits.js';
import { OutboundHttp } from '#libs/outbound-http';
import { OAuthProvider } from '../oauth-provider.js';
import { xOAuth } from './x-oauth.js';
import { XProfile } from './x-profile.js';
import { XTimeline } from './x-timeline.js';
import { waitIn } from './x-values.js';
import { XConfig } from './x.config.js';

@Injectable()
export class XProvider extends OAuthProvider implements PublishingProvider {
  /** `POST /2/oauth2/revoke` takes one token; another sign-in of the same account keeps its own. */
  readonly revocation = 'token';
  /** Tokens last two hours. Some renewals may fail before a post at that minute needs the next one. */
  readonly renewal = { by: 'refresh-token', aheadMs: 15 * 60_000 } as const;

  constructor(
    http: OutboundHttp,
    clock: Clock,
    config: XConfig,
    private readonly api: XApi,
    private readonly media: XMediaUpload,
    private readonly profiles: XProfile,
    private readonly timeline: XTimeline,
  ) {
    super(http, clock, xOAuth(config));
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

  /** A sign-in is for one account. */
  async accounts(grant: Grant): Promise<GrantedAccount[]> {
    return [{ profile: await this.profiles.read(grant.accessToken), grant, consentId: null }];
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
