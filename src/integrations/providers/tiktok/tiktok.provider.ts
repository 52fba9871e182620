import { Injectable } from '@nestjs/common';
import { Clock } from '#libs/clock';
import type { NetworkSearch } from '../../domain/delivery-outcome.js';
import type { NetworkLimit } from '../../domain/network-limits.js';
import type { AccountFacts, Grant, GrantedAccount } from '../../domain/provider-grants.js';
import type {
  Account,
  CommitCall,
  CommitResponse,
  PrepareCall,
  PrepareResponse,
  ReconcileRequest,
} from '../../domain/provider-publishing.js';
import type { PublishingProvider } from '../../provider.types.js';
import { commitResponseOf, type ResponseReader } from '../network-responses.js';
import { TikTokApi } from './tiktok-api.js';
import { TikTokCreator } from './tiktok-creator.js';
import { classifyRefusal, isRefusedInside, isTikTokError } from './tiktok-errors.js';
import { TIKTOK_LIMITS } from './tiktok-limits.js';
import { OutboundHttp } from '#libs/outbound-http';
import { OAuthProvider } from '../oauth-provider.js';
import { tiktokOAuth } from './tiktok-oauth.js';
import { FIRST_STATUS_AFTER_MS, TikTokStatus } from './tiktok-status.js';
import { FIRST_STEP } from './tiktok-upload-plan.js';
import { TikTokUpload } from './tiktok-upload.js';
import { dataIn, publishIdIn } from './tiktok-values.js';
import { TikTokConfig } from './tiktok.config.js';

@Injectable()
export class TikTokProvider extends OAuthProvider implements PublishingProvider {
  /** A revoked service disappears from the account's list of permissions (oauth-user-access-token-management). */
  readonly revocation = 'consent';
  /** Tokens last two hours, or a day by an older page. */
  readonly renewal = { by: 'refresh-token', aheadMs: 15 * 60_000 } as const;

  constructor(
    http: OutboundHttp,
    clock: Clock,
    config: TikTokConfig,
    private readonly creator: TikTokCreator,
    private readonly api: TikTokApi,
    private readonly upload: TikTokUpload,
    private readonly statuses: TikTokStatus,
  ) {
    super(http, clock, tiktokOAuth(config));
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

  /** A sign-in is for one account. */
  async accounts(grant: Grant): Promise<GrantedAccount[]> {
    const profile = await this.creator.profile(grant.accessToken);
    return [{ profile, grant, consentId: profile.accountId }];
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
