import { CallIsRefused, type SandboxResponse } from '../../wire/response.js';
import { type Caller, hasPostsLeft, isBelowUserCap } from './creator.js';
import { levelsOf, type PostInfo } from './tiktok-records.js';
import type { TikTok } from './tiktok.js';

/** UTF-16 units. */
const MAX_TITLE = { video: 2_200, photos: 90 };
const MAX_DESCRIPTION = 4_000;

const MEMBERS = {
  video: [
    'title',
    'privacy_level',
    'disable_comment',
    'disable_duet',
    'disable_stitch',
    'video_cover_timestamp_ms',
    'brand_content_toggle',
    'brand_organic_toggle',
    'is_aigc',
  ],
  photos: [
    'title',
    'description',
    'privacy_level',
    'disable_comment',
    'auto_add_music',
    'brand_content_toggle',
    'brand_organic_toggle',
  ],
};
const NUMBERS = ['video_cover_timestamp_ms'];
const TEXTS = ['title', 'description', 'privacy_level'];

/** `post_info` of a body. @throws CallIsRefused */
export function readPostInfo(tiktok: TikTok, value: unknown, kind: 'video' | 'photos'): PostInfo {
  const invalid = (detail: string) => new CallIsRefused(tiktok.error('invalid_params', detail));
  if (typeof value !== 'object' || value === null) throw invalid('post_info');
  const info = value as Record<string, unknown>;
  const wrong = Object.entries(info).find(
    ([name, each]) => !MEMBERS[kind].includes(name) || typeof each !== typeOf(name),
  );
  if (wrong) throw invalid(wrong[0]);
  const { title = '', description = '', privacy_level: level = '', is_aigc: isAigc = false } = info;
  if (String(title).length > MAX_TITLE[kind]) throw invalid('title is too long');
  if (String(description).length > MAX_DESCRIPTION) throw invalid('description is too long');
  if (info.brand_content_toggle === true && level === 'SELF_ONLY')
    throw invalid('Branded content cannot be private.');
  return {
    title: String(title),
    description: String(description),
    privacyLevel: String(level),
    isAigc: isAigc === true,
  };
}

function typeOf(name: string): string {
  if (NUMBERS.includes(name)) return 'number';
  return TEXTS.includes(name) ? 'string' : 'boolean';
}

/** What the state of the account and of the app refuses; undefined: nothing. */
export function refusedPost(
  tiktok: TikTok,
  { account }: Caller,
  { privacyLevel }: PostInfo,
): SandboxResponse | undefined {
  if (account.suspended) return tiktok.error('spam_risk_user_banned_from_posting');
  if (!hasPostsLeft(tiktok, account)) return tiktok.error('spam_risk_too_many_posts');
  if (!levelsOf(account).includes(privacyLevel)) return tiktok.error('privacy_level_option_mismatch');
  if (tiktok.settings.audited) return undefined;
  if (privacyLevel !== 'SELF_ONLY' || !account.isPrivate)
    return tiktok.error('unaudited_client_can_only_post_to_private_accounts');
  return isBelowUserCap(tiktok, account) ? undefined : tiktok.error('reached_active_user_cap');
}
