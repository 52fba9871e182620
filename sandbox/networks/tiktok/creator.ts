import type { Call } from '../../wire/call.js';
import { answered, type Handled } from '../../wire/response.js';
import type { Route } from '../../wire/router.js';
import type { Caller as CallerOf } from '../kit/network.js';
import { levelsOf, type TikTokAccount } from './tiktok-records.js';
import { ROUTE_LIMITS } from './tiktok-settings.js';
import { data } from './tiktok-responses.js';
import type { TikTok } from './tiktok.js';

export type Caller = CallerOf<TikTokAccount>;

export type Handle = (tiktok: TikTok, call: Call, caller: Caller) => Handled;

/** A route for a user's access token, under that user's rate limit. */
export function signedIn(
  tiktok: TikTok,
  method: Route['method'],
  path: string,
  scopes: readonly string[],
  handle: Handle,
): Route {
  const name = `${method} ${path}`;
  return {
    method,
    path,
    async handle(call) {
      const caller = call.bearerToken === null ? undefined : tiktok.callerOf(call);
      if (!caller) return tiktok.error('access_token_invalid');
      if (isLimited(tiktok, name, caller)) return tiktok.error('rate_limit_exceeded');
      const isAllowed = scopes.some((scope) => caller.grant.scopes.includes(scope));
      if (!isAllowed) return tiktok.error('scope_not_authorized');
      return answered(() => handle(tiktok, call, caller));
    },
  };
}

function isLimited({ windows, settings }: TikTok, route: string, { account }: Caller): boolean {
  const usual = ROUTE_LIMITS[route];
  if (!usual || settings.rateLimits === 'off') return false;
  const limit = { ...usual, limit: settings.limits[route] ?? usual.limit };
  return !windows.take(`${route} ${account.id}`, limit).allowed;
}

const DAY_MS = 86_400_000;

const isOfToday = (tiktok: TikTok, createdAt: string): boolean => Date.parse(createdAt) > tiktok.now - DAY_MS;

/** The cap of posts of an account within 24 hours. */
export function hasPostsLeft(tiktok: TikTok, account: TikTokAccount): boolean {
  const { postsPerDay } = tiktok.settings;
  const newest = tiktok.posts.by(account.id).slice(-postsPerDay);
  return newest.length < postsPerDay || !newest.every(({ createdAt }) => isOfToday(tiktok, createdAt));
}

/** The cap of accounts that publish with an app that is not audited. */
export function isBelowUserCap(tiktok: TikTok, account: TikTokAccount): boolean {
  const today = [...tiktok.posts.all].filter(({ createdAt }) => isOfToday(tiktok, createdAt));
  const others = new Set(today.map(({ authorId }) => authorId).filter((id) => id !== account.id));
  return others.size < tiktok.settings.activeUserCap;
}

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
