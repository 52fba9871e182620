import { Injectable } from '@nestjs/common';
import { Clock } from '#libs/clock';
import { GatewayClient } from '#libs/platform-client';
import {
  type AccountFacts,
  type Connecting,
  type Grant,
  type GrantedAccount,
  NO_FACTS,
} from '../../domain/provider-grants.js';
import type { NetworkSearch } from '../../domain/delivery-outcome.js';
import type { ApiVersion, NetworkLimit } from '../../domain/network-limits.js';
import type {
  CommitCall,
  CommitResponse,
  PrepareCall,
  PrepareResponse,
  ReconcileRequest,
} from '../../domain/provider-publishing.js';
import type { PublishingProvider } from '../../provider.types.js';
import { mayStillRun } from '../network-responses.js';
import { YoutubeChannel } from './youtube-channel.js';
import { OutboundHttp } from '#libs/outbound-http';
import { OAuthProvider } from '../oauth-provider.js';
import { youtubeOAuth } from './youtube-oauth.js';
import { FIRST_STEP, uploadOf } from './youtube-plan.js';
import { channelOf, YoutubeUpload } from './youtube-upload.js';
import { isVideoId } from './youtube-rules.js';
import { YoutubeConfig } from './youtube.config.js';

const pending: NetworkSearch = { kind: 'pending', milliseconds: 30_000 };

/** YouTube, the video platform. Everything about channels and videos goes through the provider gateway, which counts the quota. */
@Injectable()
export class YoutubeProvider extends OAuthProvider implements PublishingProvider {
  /** Google ends every token that the account gave to this client. */
  readonly revocation = 'consent';
  /** Tokens last an hour. */
  readonly renewal = { by: 'refresh-token', aheadMs: 10 * 60_000 } as const;

  constructor(
    http: OutboundHttp,
    clock: Clock,
    config: YoutubeConfig,
    gateway: GatewayClient,
    private readonly channels: YoutubeChannel,
    private readonly uploads: YoutubeUpload,
  ) {
    super(http, clock, youtubeOAuth(config, gateway.isConfigured));
  }

  /** The version is part of the paths; v4 is not announced. */
  apiVersion(): ApiVersion {
    return { name: 'v3', endsAt: null };
  }

  /** None here: the gateway's ledger counts the quota of the Google project, which an operator may have had raised. */
  limits(): readonly NetworkLimit[] {
    return [];
  }

  /** A sign-in is for one channel: the person chooses it on Google's page. */
  async accounts(grant: Grant, connecting: Connecting): Promise<GrantedAccount[]> {
    const profile = await this.channels.read(grant.accessToken, connecting);
    return [{ profile, grant, consentId: null }];
  }

  facts(): Promise<AccountFacts> {
    return Promise.resolve(NO_FACTS);
  }

  firstStep(): string {
    return FIRST_STEP;
  }

  prepare(call: PrepareCall): Promise<PrepareResponse> {
    return this.uploads.prepare(call);
  }

  commit(call: CommitCall): Promise<CommitResponse> {
    return this.uploads.commit(call);
  }

  /**
   * By the upload: complete, it names the video; incomplete, there is none once the last bytes cannot be on their way any more. A
   * next attempt of the same content continues the same upload, which makes one video; of other content it begins another one. An
   * upload that ended tells nothing.
   */
  async reconcile(request: ReconcileRequest): Promise<NetworkSearch> {
    const uploadId = request.prepared && uploadOf(request.prepared);
    if (!uploadId) return { kind: 'unknown' };
    const state = await this.uploads.state(channelOf(request), uploadId);
    if (state === null) return { kind: 'unknown' };
    if (state.state === 'incomplete')
      return mayStillRun(request, this.clock) ? pending : { kind: 'not-delivered' };
    if (!isVideoId(state.video.id)) return { kind: 'unknown' };
    return { kind: 'found', posts: [{ ...this.uploads.postOf(state.video.id), mayBeOf: () => false }] };
  }
}
