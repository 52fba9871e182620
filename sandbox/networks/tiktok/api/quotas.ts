import type { TikTokAccount } from '../state/tiktok-accounts.js';
import type { TikTok } from '../state/tiktok.js';

const DAY_MS = 86_400_000;

const isOfToday = (tiktok: TikTok, createdAt: string): boolean =>
  Date.parse(createdAt) > tiktok.clock.now().getTime() - DAY_MS;

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
