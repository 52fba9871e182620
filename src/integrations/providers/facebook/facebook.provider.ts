import { Injectable } from '@nestjs/common';
import type { Platform } from '#libs/content';
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
  Targets,
  Tokens,
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
import { missingFile } from '../file-part.js';
import { graphVersion } from '../graph/graph-wire.js';
import { FacebookCalls } from './facebook-calls.js';
import { FacebookFeed } from './facebook-feed.js';
import { FACEBOOK_LIMITS } from './facebook-limits.js';
import { FacebookOAuth } from './facebook-oauth.js';
import { FacebookPages } from './facebook-pages.js';
import { FacebookPhotos, FacebookPosts } from './facebook-posts.js';
import { FIRST_STEP, firstUpload, stepOf, videoOf } from './facebook-plan.js';
import { FacebookReels } from './facebook-reels.js';
import { FacebookVideoStatus } from './facebook-video-status.js';
import { FacebookVideos } from './facebook-videos.js';
import { FacebookConfig } from './facebook.config.js';

const DAY_MS = 86_400_000;

@Injectable()
export class FacebookProvider implements PublishingProvider {
  readonly platform = 'facebook' as Platform;
  readonly displayName = 'Facebook';
  /** The permissions of a person for this service end together, for all their pages. */
  readonly revocation = 'consent';
  /** Tokens of pages have no expiry, so nothing is due; after a refusal the network is asked whether it still accepts the token. */
  readonly renewal = { by: 'access-token', aheadMs: DAY_MS } as const;
  /** They name the person, whose id is the `consentId` of the pages. */
  readonly signedCallbacks = { secret: () => this.config.appSecret ?? null };

  constructor(
    private readonly config: FacebookConfig,
    private readonly oauth: FacebookOAuth,
    private readonly pages: FacebookPages,
    private readonly posts: FacebookPosts,
    private readonly photos: FacebookPhotos,
    private readonly videos: FacebookVideos,
    private readonly reels: FacebookReels,
    private readonly feed: FacebookFeed,
    private readonly videoStatus: FacebookVideoStatus,
    private readonly calls: FacebookCalls,
  ) {}

  readiness(): Readiness {
    return this.config.appId ? this.connectedReadiness() : 'setup-required';
  }

  connectedReadiness(): 'production-ready' | 'sandbox-only' {
    const { hostname } = new URL(this.config.graphUrl);
    return hostname === 'graph.facebook.com' ? 'production-ready' : 'sandbox-only';
  }

  setup(): string {
    const { graphUrl, appId, appSecret } = this.config;
    return JSON.stringify([graphUrl, appId, appSecret]);
  }

  apiVersion(): ApiVersion {
    return graphVersion(this.config.apiVersion);
  }

  limits(): readonly NetworkLimit[] {
    return FACEBOOK_LIMITS;
  }

  facts({ accountId }: Account, accessToken: string): Promise<AccountFacts> {
    return this.pages.facts(accountId, accessToken);
  }

  authorizationUrl(request: AuthorizationRequest): string {
    return this.oauth.authorizationUrl(request);
  }

  exchange(exchange: CodeExchange): Promise<Grant> {
    return this.oauth.exchangeCode(exchange);
  }

  accounts(grant: Grant): Promise<GrantedAccount[]> {
    return this.pages.of(grant);
  }

  /** A page publishes to itself. Facebook has not listed groups since 2024-04-22. */
  targets({ accountId, username, facts }: Account): Promise<Targets> {
    const name = typeof facts.name === 'string' ? facts.name : username;
    return Promise.resolve({ pages: [{ id: accountId, name }], groups: [] });
  }

  renew({ accessToken }: RenewableGrant): Promise<RenewalResult> {
    return this.pages.renew(accessToken);
  }

  revoke(tokens: Tokens, consentId: string | null): Promise<void> {
    return this.oauth.revoke(tokens, consentId);
  }

  firstStep({ mediaIds }: DeliveryContent): string | null {
    return mediaIds.length > 0 ? FIRST_STEP : null;
  }

  async prepare(call: PrepareCall): Promise<PrepareResponse> {
    const { files, content } = call;
    const [file] = files;
    if (!file || files.length < content.mediaIds.length) return missingFile;
    const step = stepOf(call.step);
    switch (step.call) {
      case 'begin':
        return firstUpload(content, files);
      case 'photo':
        return this.photos.upload(call, step.file);
      case 'start-video':
        return this.videos.start(call, file);
      case 'transfer':
        return this.videos.transfer(call, file, step);
      case 'start-reel':
        return this.reels.start(call);
      case 'send-reel':
        return this.reels.send(call, file);
    }
  }

  commit(call: CommitCall): Promise<CommitResponse> {
    const video = videoOf(call.prepared);
    if (video === null) return this.posts.create(call);
    return video.session === null
      ? this.reels.finish(call, video.id)
      : this.videos.finish(call, video.session);
  }

  reconcile(request: ReconcileRequest): Promise<NetworkSearch> {
    const video = request.prepared && videoOf(request.prepared);
    return video ? this.videoStatus.find(request, video.id) : this.feed.find(request);
  }
}
