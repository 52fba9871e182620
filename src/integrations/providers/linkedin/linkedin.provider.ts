import { Injectable } from '@nestjs/common';
import { Clock } from '#libs/clock';
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
  Tokens,
} from '../../domain/provider-grants.js';
import type {
  CommitCall,
  CommitResponse,
  PrepareCall,
  PrepareResponse,
  ReconcileRequest,
} from '../../domain/provider-publishing.js';
import type { PublishingProvider, Readiness } from '../../provider.types.js';
import { FAILURES, PREPARE_AGAIN, refusedHere } from '../failures.js';
import { commitResponseOf, type ResponseReader } from '../network-responses.js';
import { LinkedInCalls } from './linkedin-calls.js';
import { classifyRefusal, isLinkedInError, publishedPost, readLinkedInError } from './linkedin-errors.js';
import { LinkedInFeed } from './linkedin-feed.js';
import { LINKEDIN_LIMITS, readingsIn } from './linkedin-limits.js';
import { fileWait } from './linkedin-media-responses.js';
import { FIRST_STEP, mediaUrnsOf } from './linkedin-media-plan.js';
import { LinkedInMediaUpload } from './linkedin-media-upload.js';
import { LinkedInOAuth } from './linkedin-oauth.js';
import { postBody } from './linkedin-post.js';
import { postUrnIn, waitIn } from './linkedin-values.js';
import type { Variant } from './linkedin-variants.js';
import { apiVersionOf, LinkedInConfig } from './linkedin.config.js';

const DAY_MS = 86_400_000;

/** What members and organizations have in common. */
@Injectable()
export class LinkedInParts {
  constructor(
    readonly config: LinkedInConfig,
    readonly oauth: LinkedInOAuth,
    readonly calls: LinkedInCalls,
    readonly media: LinkedInMediaUpload,
    readonly feed: LinkedInFeed,
    readonly clock: Clock,
  ) {}
}

/** LinkedIn, the professional network. */
export abstract class LinkedInProvider implements PublishingProvider {
  readonly platform: Variant['platform'];
  readonly displayName: string;
  /** Whether the revoke route ends one token or the whole consent is not documented: a consent that is in use stays. */
  readonly revocation = 'consent';
  /** Access tokens last 60 days. Refresh tokens stay the same when they are used. */
  readonly renewal = { by: 'refresh-token', aheadMs: 7 * DAY_MS, refreshTokens: 'reusable' } as const;

  protected constructor(
    private readonly variant: Variant,
    private readonly parts: LinkedInParts,
  ) {
    this.platform = variant.platform;
    this.displayName = variant.displayName;
  }

  abstract accounts(grant: Grant): Promise<readonly GrantedAccount[]>;

  readiness(): Readiness {
    const { clientId, clientSecret } = this.parts.config.credentialsOf(this.variant);
    return clientId && clientSecret ? this.connectedReadiness() : 'setup-required';
  }

  /** Only LinkedIn's own host publishes to real accounts, independent of the credentials. */
  connectedReadiness(): 'production-ready' | 'sandbox-only' {
    const { hostname } = new URL(this.parts.config.apiUrl);
    return hostname === 'api.linkedin.com' ? 'production-ready' : 'sandbox-only';
  }

  setup(): string {
    const { apiUrl, version } = this.parts.config;
    const { clientId, clientSecret } = this.parts.config.credentialsOf(this.variant);
    return JSON.stringify([apiUrl, version, clientId, clientSecret]);
  }

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

  authorizationUrl(request: AuthorizationRequest): string {
    return this.parts.oauth.authorizationUrl(this.variant, request);
  }

  exchange(exchange: CodeExchange): Promise<Grant> {
    return this.parts.oauth.exchangeCode(this.variant, exchange);
  }

  /** A grant without a refresh token cannot be renewed. */
  async renew({ refreshToken }: RenewableGrant): Promise<RenewalResult> {
    return refreshToken ? this.parts.oauth.refresh(this.variant, refreshToken) : { kind: 'dead' };
  }

  revoke(tokens: Tokens): Promise<void> {
    return this.parts.oauth.revoke(this.variant, tokens);
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
    const { clock, config } = this.parts;
    return {
      displayName: this.displayName,
      readingsIn: (response) => readingsIn(response, clock.now()),
      isOwnError: isLinkedInError,
      classify: ({ status, headers, body }) =>
        classifyRefusal(readLinkedInError(status, body), waitIn(headers, clock.now()), config.webUrl),
    };
  }
}
