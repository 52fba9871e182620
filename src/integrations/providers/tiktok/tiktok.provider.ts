import { Injectable } from '@nestjs/common';
import { Clock } from '#libs/clock';
import type { Platform } from '#libs/content';
import type { NetworkSearch } from '../../domain/delivery-outcome.js';
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
  CommitCall,
  CommitResponse,
  PrepareCall,
  PrepareResponse,
  ReconcileRequest,
} from '../../domain/provider-publishing.js';
import type { PublishingProvider, Readiness } from '../../provider.types.js';
import { commitResponseOf, type ResponseReader } from '../network-responses.js';
import { TikTokApi } from './tiktok-api.js';
import { TikTokCreator } from './tiktok-creator.js';
import { classifyRefusal, isRefusedInside, isTikTokError } from './tiktok-errors.js';
import { TIKTOK_LIMITS } from './tiktok-limits.js';
import { TikTokOAuth } from './tiktok-oauth.js';
import { FIRST_STATUS_AFTER_MS, TikTokStatus } from './tiktok-status.js';
import { FIRST_STEP } from './tiktok-upload-plan.js';
import { TikTokUpload } from './tiktok-upload.js';
import { dataIn, publishIdIn } from './tiktok-values.js';
import { TikTokConfig } from './tiktok.config.js';

/** TikTok, the short-video network. */
@Injectable()
export class TikTokProvider implements PublishingProvider {
  readonly platform = 'tiktok' as Platform;
  readonly displayName = 'TikTok';
  /** A revoked service disappears from the account's list of permissions (oauth-user-access-token-management). */
  readonly revocation = 'consent';
  /** Tokens last two hours, or a day by an older page. */
  readonly renewal = { by: 'refresh-token', aheadMs: 15 * 60_000 } as const;

  constructor(
    private readonly config: TikTokConfig,
    private readonly oauth: TikTokOAuth,
    private readonly creator: TikTokCreator,
    private readonly api: TikTokApi,
    private readonly upload: TikTokUpload,
    private readonly statuses: TikTokStatus,
    private readonly clock: Clock,
  ) {}

  readiness(): Readiness {
    const { clientKey, clientSecret } = this.config;
    return clientKey && clientSecret ? this.connectedReadiness() : 'setup-required';
  }

  connectedReadiness(): 'production-ready' | 'sandbox-only' {
    const { apiUrl, isSandbox } = this.config;
    return new URL(apiUrl).hostname === 'open.tiktokapis.com' && !isSandbox
      ? 'production-ready'
      : 'sandbox-only';
  }

  setup(): string {
    const { apiUrl, clientKey, clientSecret } = this.config;
    return JSON.stringify([apiUrl, clientKey, clientSecret]);
  }

  /** Paths begin with `/v2/`; TikTok has announced no other version. */
  apiVersion(): null {
    return null;
  }

  limits(): readonly NetworkLimit[] {
    return TIKTOK_LIMITS;
  }

  facts(_account: Account, accessToken: string): Promise<AccountFacts> {
    return this.creator.facts(accessToken);
  }

  authorizationUrl(request: AuthorizationRequest): string {
    return this.oauth.authorizationUrl(request);
  }

  exchange(exchange: CodeExchange): Promise<Grant> {
    return this.oauth.exchangeCode(exchange);
  }

  /** A sign-in is for one account. */
  async accounts(grant: Grant): Promise<GrantedAccount[]> {
    const profile = await this.creator.profile(grant.accessToken);
    return [{ profile, grant, consentId: profile.accountId }];
  }

  async renew({ refreshToken }: RenewableGrant): Promise<RenewalResult> {
    return refreshToken ? this.oauth.refresh(refreshToken) : { kind: 'dead' };
  }

  revoke(tokens: Tokens): Promise<void> {
    return this.oauth.revoke(tokens);
  }

  firstStep(): string {
    return FIRST_STEP;
  }

  prepare(call: PrepareCall): Promise<PrepareResponse> {
    return this.upload.prepare(call);
  }

  /** The last part of a video, or all photos. TikTok decides afterwards; the status tells how. */
  async commit(call: CommitCall): Promise<CommitResponse> {
    const [file] = call.files;
    if (file?.kind === 'video') return this.upload.commit(call, file, FIRST_STATUS_AFTER_MS);
    const response = await this.api.publishPhotos(call);
    return commitResponseOf(this.reader, response, ({ body }) => {
      if (isRefusedInside(body)) return 'refused';
      const publish = publishIdIn(dataIn(body)?.publish_id);
      if (publish === null) return null;
      return { kind: 'accepted', milliseconds: FIRST_STATUS_AFTER_MS, ids: { publish, committed: publish } };
    });
  }

  reconcile(request: ReconcileRequest): Promise<NetworkSearch> {
    return this.statuses.find(request);
  }

  private readonly reader: ResponseReader = {
    displayName: 'TikTok',
    // TikTok sends no headers about limits.
    readingsIn: () => [],
    isOwnError: isTikTokError,
    classify: (response) => classifyRefusal(response, this.clock.now()),
  };
}
