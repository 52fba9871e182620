import {
  amount,
  choice,
  limitsOf,
  listOf,
  onOff,
  optional,
  setting,
  type SettingsOf,
  text,
} from '../kit/state/members.js';
import type { Limit } from '../kit/state/rate-windows.js';

const perMinute = (limit: number): Limit => ({ limit, windowSeconds: 60 });

/** Per account and route: reference pages of the content posting API and tiktok-api-v2-rate-limit. */
export const ROUTE_LIMITS: Readonly<Record<string, Limit>> = {
  'GET /v2/user/info/': perMinute(600),
  'POST /v2/post/publish/creator_info/query/': perMinute(20),
  'POST /v2/post/publish/video/init/': perMinute(6),
  'POST /v2/post/publish/content/init/': perMinute(6),
  'POST /v2/post/publish/status/fetch/': perMinute(30),
};

export const TIKTOK_SETTINGS = {
  rateLimits: choice('on', 'off'),
  /** Calls a minute by route, instead of TikTok's own. */
  limits: setting<Readonly<Record<string, number>>>({}, limitsOf(Object.keys(ROUTE_LIMITS))),
  /** Clients report about 15. */
  postsPerDay: amount(15, 1_000_000),
  /** false: posts are private, and of private accounts only. */
  audited: onOff(true),
  /** Accounts that publish on one day by an app that is not audited. */
  activeUserCap: amount(5, 1_000_000),
  /** Prefixes of addresses that TikTok fetches; null: it fetches every address. */
  verifiedUrlPrefixes: setting<readonly string[] | null>(null, (value, name) => {
    if (value !== null) listOf(text)(value, name);
  }),
  /** From the last byte to the decision. */
  processingSeconds: amount(1),
  /** How every processing ends; null: by what the files are. */
  failReason: optional(/^[a-z_]{1,60}$/, '1 to 60 lower-case letters or underscores'),
  /** `empty`: TikTok names no post, as during its moderation. */
  publicPostIds: choice('given', 'empty'),
  uploadUrlSeconds: amount(3_600),
  accessTokenSeconds: amount(7_200),
  refreshTokenSeconds: amount(180 * 86_400),
  /** An older page describes refresh tokens that stay. */
  rotatesRefreshTokens: onOff(true),
  /** `always-200`: errors come with status 200, as clients report. */
  errorStatus: choice('documented', 'always-200'),
};
export type TikTokSettings = SettingsOf<typeof TIKTOK_SETTINGS>;
