import {
  count,
  flag,
  limitsOf,
  listOf,
  type MemberCheck,
  type MemberChecks,
  nullableText,
  oneOf,
  text,
} from '../../kit/state/members.js';
import { ROUTE_LIMITS } from './tiktok-limits.js';

/** What TikTok does by default and a test may change. */
export interface TikTokSettings {
  readonly rateLimits: 'on' | 'off';
  /** Calls a minute by route, instead of TikTok's own. */
  readonly limits: Readonly<Record<string, number>>;
  /** Clients report about 15. */
  readonly postsPerDay: number;
  /** false: posts are private, and of private accounts only. */
  readonly audited: boolean;
  /** Accounts that publish on one day by an app that is not audited. */
  readonly activeUserCap: number;
  /** Prefixes of addresses that TikTok fetches; null: it fetches every address. */
  readonly verifiedUrlPrefixes: readonly string[] | null;
  /** From the last byte to the decision. */
  readonly processingSeconds: number;
  /** How every processing ends; null: by what the files are. */
  readonly failReason: string | null;
  /** `empty`: TikTok names no post, as during its moderation. */
  readonly publicPostIds: 'given' | 'empty';
  readonly uploadUrlSeconds: number;
  readonly accessTokenSeconds: number;
  readonly refreshTokenSeconds: number;
  /** An older page describes refresh tokens that stay. */
  readonly rotatesRefreshTokens: boolean;
  /** `always-200`: errors come with status 200, as clients report. */
  readonly errorStatus: 'documented' | 'always-200';
}

export const TIKTOK_DEFAULTS: TikTokSettings = {
  rateLimits: 'on',
  limits: {},
  postsPerDay: 15,
  audited: true,
  activeUserCap: 5,
  verifiedUrlPrefixes: null,
  processingSeconds: 1,
  failReason: null,
  publicPostIds: 'given',
  uploadUrlSeconds: 3_600,
  accessTokenSeconds: 7_200,
  refreshTokenSeconds: 180 * 86_400,
  rotatesRefreshTokens: true,
  errorStatus: 'documented',
};

const prefixes: MemberCheck = (value, name) => {
  if (value !== null) listOf(text)(value, name);
};

export const TIKTOK_SETTINGS: MemberChecks<TikTokSettings> = {
  rateLimits: oneOf('on', 'off'),
  limits: limitsOf(Object.keys(ROUTE_LIMITS)),
  postsPerDay: count(1_000_000),
  audited: flag,
  activeUserCap: count(1_000_000),
  verifiedUrlPrefixes: prefixes,
  processingSeconds: count(),
  failReason: nullableText(/^[a-z_]{1,60}$/, '1 to 60 lower-case letters or underscores'),
  publicPostIds: oneOf('given', 'empty'),
  uploadUrlSeconds: count(),
  accessTokenSeconds: count(),
  refreshTokenSeconds: count(),
  rotatesRefreshTokens: flag,
  errorStatus: oneOf('documented', 'always-200'),
};
