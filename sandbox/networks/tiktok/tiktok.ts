import { randomBytes } from 'node:crypto';
import type { AccountName } from '../../ledger/effect.js';
import type { SandboxContext } from '../../outside-service.js';
import type { Call } from '../../wire/call.js';
import type { SandboxResponse } from '../../wire/response.js';
import type { Refusal } from '../../wire/site.js';
import { type NetworkRules, SocialNetwork } from '../kit/network.js';
import type { IssuedTokens } from '../kit/state/grants.js';
import { count, flag } from '../kit/state/members.js';
import { partNames, type Publication, type TikTokAccount, type TikTokPost } from './tiktok-records.js';
import { type ErrorCode, errorOf, isErrorCode } from './tiktok-responses.js';
import { TIKTOK_SETTINGS, type TikTokSettings } from './tiktok-settings.js';

const LONGEST_VIDEO_SECONDS = 3_600;

const RULES: NetworkRules<TikTokAccount, TikTokSettings, Publication> = {
  network: 'tiktok',
  displayName: 'TikTok',
  site: 'www.tiktok.com',
  // Of the products that the sandbox has.
  scopes: {
    'user.info.basic': 'Read your profile info (avatar, display name).',
    'video.publish': 'Post content to TikTok.',
    'video.upload': 'Upload draft content to your account.',
  },
  settings: TIKTOK_SETTINGS,
  accounts: {
    newId: () => `-000${randomBytes(24).toString('base64url')}`,
    username: /^[A-Za-z0-9_.]{2,24}$/,
    usernameInWords: '2 to 24 letters, digits, underscores or dots',
    members: {
      isPrivate: flag,
      commentDisabled: flag,
      duetDisabled: flag,
      stitchDisabled: flag,
      maxVideoSeconds: count(LONGEST_VIDEO_SECONDS, 1),
    },
    defaults: {
      isPrivate: false,
      commentDisabled: false,
      duetDisabled: false,
      stitchDisabled: false,
      maxVideoSeconds: 600,
    },
    demo: [
      { username: 'northwind.coffee', name: 'Northwind Coffee', description: 'Latte art, mostly.' },
      { username: 'harborbooks', name: 'Harbor Books', description: 'Shelf tours.', duetDisabled: true },
      {
        username: 'lumen.private',
        name: 'Lumen Studio (private)',
        description: 'For people we know.',
        isPrivate: true,
        maxVideoSeconds: 180,
      },
    ],
  },
  uploads: {
    kind: 'publication',
    filesOf: (publication) => [...publication.media.map(({ id }) => id), ...partNames(publication)],
  },
  grants: {
    lifetimes: ({ accessTokenSeconds: access, refreshTokenSeconds: refresh }) => ({ access, refresh }),
    token: (kind) => `${kind === 'access' ? 'act' : 'rft'}.${randomBytes(40).toString('base64url')}!6288.va`,
  },
  // TikTok does not publish the lifetime of a code. Its codes have characters that are encoded in addresses.
  codes: { seconds: 300, newCode: () => `${randomBytes(40).toString('base64url')}*0!6288.va` },
};

export class TikTok extends SocialNetwork<TikTokAccount, TikTokSettings, TikTokPost, Publication> {
  constructor(world: SandboxContext) {
    super(world, RULES);
  }

  issue({ id }: Pick<TikTokAccount, 'id'>, scopes: readonly string[]): IssuedTokens {
    return this.grants.issue({ accountId: id, scopes, refreshable: true });
  }

  /** An error of an API route, by the setting `errorStatus`. */
  error(code: ErrorCode, detail = ''): SandboxResponse {
    return errorOf(code, this.settings.errorStatus === 'always-200' ? 200 : undefined, detail);
  }

  /** An upload address has no token of an account: it names the upload. */
  override accountOf(call: Call): AccountName | undefined {
    const upload = this.uploads.find(call.query.get('upload_id') ?? '');
    return upload ? this.accounts.find(upload.accountId) : super.accountOf(call);
  }

  textOf(call: Call): string | undefined {
    const upload = this.uploads.find(call.query.get('upload_id') ?? '');
    if (upload) return upload.info.title;
    const { post_info } = call.record;
    const info = post_info as { title?: unknown; description?: unknown } | null | undefined;
    const text = info?.description ?? info?.title;
    return typeof text === 'string' ? text : undefined;
  }

  refuse(refusal: Refusal): SandboxResponse {
    switch (refusal.kind) {
      case 'rate-limited':
        return this.error('rate_limit_exceeded');
      case 'usage-capped':
        return this.error('reached_active_user_cap');
      case 'unauthorized':
        return this.error('access_token_invalid');
      case 'forbidden':
        return this.error(
          isErrorCode(refusal.reason) ? refusal.reason : 'spam_risk_user_banned_from_posting',
        );
      case 'server-error':
        return errorOf('internal_error', refusal.status);
    }
  }
}
