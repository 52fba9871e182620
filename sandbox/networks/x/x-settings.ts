import { amount, choice, limitsOf, optional, setting, type SettingsOf } from '../kit/state/members.js';
import type { Limit, Usage } from '../kit/state/rate-windows.js';

const QUARTER_HOUR = 900;

/** Per user and route, as X's page on rate limits lists them. */
export const USER_LIMITS: Readonly<Record<string, Limit>> = {
  'POST /2/tweets': { limit: 100, windowSeconds: QUARTER_HOUR },
  'DELETE /2/tweets/:id': { limit: 50, windowSeconds: QUARTER_HOUR },
  'GET /2/tweets/:id': { limit: 900, windowSeconds: QUARTER_HOUR },
  'GET /2/users/:id/tweets': { limit: 900, windowSeconds: QUARTER_HOUR },
  'POST /2/media/upload': { limit: 500, windowSeconds: QUARTER_HOUR },
  'GET /2/media/upload': { limit: 1_000, windowSeconds: QUARTER_HOUR },
  'POST /2/media/upload/initialize': { limit: 1_875, windowSeconds: QUARTER_HOUR },
  'POST /2/media/upload/:id/append': { limit: 1_875, windowSeconds: QUARTER_HOUR },
  'POST /2/media/upload/:id/finalize': { limit: 1_875, windowSeconds: QUARTER_HOUR },
  'POST /2/media/metadata': { limit: 500, windowSeconds: QUARTER_HOUR },
  'GET /2/users/me': { limit: 75, windowSeconds: QUARTER_HOUR },
};

/** Posts of all users of one app together. */
export const APP_POST_LIMIT: Limit = { limit: 10_000, windowSeconds: 86_400 };

const limitHeaders =
  (prefix: string) =>
  ({ limit, remaining, reset }: Omit<Usage, 'allowed'>): Record<string, string> => ({
    [`${prefix}-limit`]: String(limit),
    [`${prefix}-remaining`]: String(remaining),
    [`${prefix}-reset`]: String(reset),
  });
export const userLimitHeaders = limitHeaders('x-rate-limit');
export const appLimitHeaders = limitHeaders('x-app-limit-24hour');

export const X_SETTINGS = {
  /** `off` lets every call pass, without the headers' counters ever reaching zero. */
  rateLimits: choice('on', 'off'),
  /** Calls per window by route, instead of X's own. */
  limits: setting<Readonly<Record<string, number>>>({}, limitsOf(Object.keys(USER_LIMITS))),
  /** How long the same text of one account is refused. X does not publish the number. */
  duplicateWindowSeconds: amount(86_400),
  mediaProcessingSeconds: amount(1),
  /** The name of the error with which every processing ends; null: none. */
  mediaProcessingError: optional(/^[A-Za-z]{1,50}$/, '1 to 50 letters'),
  /** What finalizing an upload again does: the same response as before, or 400. X does not document it. */
  mediaFinalizedAgain: choice('same', 'refused'),
  mediaExpirySeconds: amount(86_400),
  /** The longest video of an account without a subscription. */
  maxVideoMinutes: amount(20),
};
export type XSettings = SettingsOf<typeof X_SETTINGS>;

export const SCOPES: Readonly<Record<string, string>> = {
  'tweet.read': 'See posts, including those of protected accounts you follow.',
  'tweet.write': 'Create and delete posts for you.',
  'tweet.moderate.write': 'Hide and unhide replies to your posts.',
  'users.read': 'See your profile and any account you can view.',
  'users.email': 'See your email address.',
  'follows.read': 'See people who follow you and whom you follow.',
  'follows.write': 'Follow and unfollow people for you.',
  'offline.access': 'Stay connected to your account until you revoke access.',
  'space.read': 'See Spaces you can view.',
  'mute.read': 'See accounts you have muted.',
  'mute.write': 'Mute and unmute accounts for you.',
  'like.read': 'See posts you have liked.',
  'like.write': 'Like and unlike posts for you.',
  'list.read': 'See lists and their members.',
  'list.write': 'Create and manage lists for you.',
  'block.read': 'See accounts you have blocked.',
  'block.write': 'Block and unblock accounts for you.',
  'bookmark.read': 'See your bookmarks.',
  'bookmark.write': 'Bookmark and remove bookmarks for you.',
  'dm.read': 'Read your direct messages.',
  'dm.write': 'Send direct messages for you.',
  'media.write': 'Upload media such as photos and videos for you.',
};
