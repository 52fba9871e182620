import type { NetworkLimit } from '../../domain/network-limits.js';

/*
 * developers.tiktok.com/doc, read 2026-11-21: content-posting-api-reference-direct-post ("Each user access_token is limited to 6
 * requests per minute") and content-sharing-guidelines (a cap of posts per creator account and day, shared by all apps; the number is
 * not published, about 15 by reports of clients). The limits of creator_info (20 a minute) and of the status (30 a minute) are not
 * listed: a delivery asks once for the first and rarely for the second. TikTok states no limit in headers.
 */

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

export const TIKTOK_LIMITS: readonly NetworkLimit[] = [
  {
    name: 'posts-per-minute',
    scope: 'account',
    counts: 'posts',
    max: 6,
    window: { kind: 'rolling', windowMs: MINUTE_MS },
  },
  {
    name: 'posts-per-day',
    scope: 'account',
    counts: 'posts',
    max: 15,
    window: { kind: 'rolling', windowMs: DAY_MS },
  },
];
