import { levelsOf } from '../state/tiktok-accounts.js';
import { data } from '../state/tiktok-responses.js';
import { hasPostsLeft } from './quotas.js';
import type { Handle } from './signed-in.js';

const FIELDS = ['open_id', 'union_id', 'avatar_url', 'avatar_url_100', 'avatar_large_url', 'display_name'];

/** GET /v2/user/info/ */
export const userInfo: Handle = (tiktok, call, { account }) => {
  const fields = (call.query.get('fields') ?? '').split(',').filter(Boolean);
  const unknown = fields.find((field) => !FIELDS.includes(field));
  if (fields.length === 0 || unknown !== undefined) return tiktok.error('invalid_params', unknown);
  const avatar = tiktok.baseUrl + tiktok.avatarPath(account);
  const all: Readonly<Record<string, string>> = {
    open_id: account.id,
    union_id: `u${account.id}`,
    avatar_url: avatar,
    avatar_url_100: avatar,
    avatar_large_url: avatar,
    display_name: account.name,
  };
  return data({ user: Object.fromEntries(fields.map((field) => [field, all[field]])) });
};

/** POST /v2/post/publish/creator_info/query/ */
export const creatorInfo: Handle = (tiktok, _call, { account }) => {
  if (account.suspended) return tiktok.error('spam_risk_user_banned_from_posting');
  if (!hasPostsLeft(tiktok, account)) return tiktok.error('spam_risk_too_many_posts');
  return data({
    creator_avatar_url: tiktok.baseUrl + tiktok.avatarPath(account),
    creator_username: account.username,
    creator_nickname: account.name,
    privacy_level_options: levelsOf(account),
    comment_disabled: account.commentDisabled,
    duet_disabled: account.duetDisabled,
    stitch_disabled: account.stitchDisabled,
    max_video_post_duration_sec: account.maxVideoSeconds,
  });
};
