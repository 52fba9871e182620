import { Injectable } from '@nestjs/common';
import { Clock } from '#libs/clock';
import type { DeliveryContent, NetworkSearch } from '../../domain/delivery-outcome.js';
import type { ApiVersion, NetworkLimit } from '../../domain/network-limits.js';
import type { AccountFacts, Grant, GrantedAccount } from '../../domain/provider-grants.js';
import type {
  CommitCall,
  CommitResponse,
  PrepareCall,
  PrepareResponse,
  ReconcileRequest,
} from '../../domain/provider-publishing.js';
import type { PublishingProvider } from '../../provider.types.js';
import { FAILURES, PREPARE_AGAIN, refusedHere } from '../failures.js';
import { commitResponseOf, type ResponseReader } from '../network-responses.js';
import { LinkedInCalls } from './linkedin-calls.js';
import { classifyRefusal, isLinkedInError, publishedPost, readLinkedInError } from './linkedin-errors.js';
import { LinkedInFeed } from './linkedin-feed.js';
import { LINKEDIN_LIMITS, readingsIn } from './linkedin-limits.js';
import { fileWait } from './linkedin-media-responses.js';
import { FIRST_STEP, mediaUrnsOf } from './linkedin-media-plan.js';
import { LinkedInMediaUpload } from './linkedin-media-upload.js';
import { OutboundHttp } from '#libs/outbound-http';
import { OAuthProvider } from '../oauth-provider.js';
import { linkedInOAuth } from './linkedin-oauth.js';
import { postBody } from './linkedin-post.js';
import { postUrnIn, waitIn } from './linkedin-values.js';
import type { Variant } from './linkedin-variants.js';
import { apiVersionOf, LinkedInConfig } from './linkedin.config.js';

const DAY_MS = 86_400_000;

@Injectable()
export class LinkedInParts {
  constructor(
    readonly http: OutboundHttp,
    readonly config: LinkedInConfig,
    readonly calls: LinkedInCalls,
    readonly media: LinkedInMediaUpload,
    readonly feed: LinkedInFeed,
    readonly clock: Clock,
  ) {}
}

export abstract class LinkedInProvider extends OAuthProvider implements PublishingProvider {
  /** Whether the revoke route ends one token or the whole consent is not documented: a consent that is in use stays. */
  readonly revocation = 'consent';
  /** Access tokens last 60 days. Refresh tokens stay the same when they are used. */
  readonly renewal = { by: 'refresh-token', aheadMs: 7 * DAY_MS, refreshTokens: 'reusable' } as const;

  protected constructor(
    private readonly variant: Variant,
    private readonly parts: LinkedInParts,
  ) {
    super(parts.http, parts.clock, linkedInOAuth(variant, parts.config));
  }

  abstract accounts(grant: Grant): Promise<readonly GrantedAccount[]>;

  apiVersion(): ApiVersion {
    return apiVersionOf(this.parts.config.version);
  }

  limits(): readonly NetworkLimit[] {
    return LINKEDIN_LIMITS;
  }

  /** No rule depends on the account. */
  facts(): Promise<AccountFacts> {
    return Promise.resolve({});
  }

  /** Files are uploaded before; text and links need no preparation. */
  firstStep({ mediaIds }: DeliveryContent): string | null {
    return mediaIds.length > 0 ? FIRST_STEP : null;
  }

  prepare(call: PrepareCall): Promise<PrepareResponse> {
    return this.parts.media.prepare(this.variant, call);
  }

  async commit(call: CommitCall): Promise<CommitResponse> {
    const media = mediaUrnsOf(call.prepared, call.content.mediaIds.length);
    if (media === null) return refusedHere('LinkedIn', FAILURES.mediaExpired, PREPARE_AGAIN);
    const { accessToken, maySend } = call;
    const body = postBody(this.variant, call, media);
    const response = await this.parts.calls.post({ accessToken, path: '/rest/posts', body, maySend });
    const committed = commitResponseOf(this.reader(), response, ({ headers }) => {
      const urn = postUrnIn(headers['x-restli-id']);
      return urn === null ? null : publishedPost(urn, this.parts.config.webUrl);
    });
    return fileWait(committed, call.prepared.ageMs);
  }

  reconcile(request: ReconcileRequest): Promise<NetworkSearch> {
    return this.parts.feed.find(this.variant, request);
  }

  private reader(): ResponseReader {
    const {
      clock,
      parts: { config },
    } = this;
    return {
      displayName: this.displayName,
      readingsIn: (response) => readingsIn(response, clock.now()),
      isOwnError: isLinkedInError,
      classify: ({ status, headers, body }) =>
        classifyRefusal(readLinkedInError(status, body), waitIn(headers, clock.now()), config.webUrl),
    };
  }
}
