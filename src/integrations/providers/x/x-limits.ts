import type { LimitReading, NetworkLimit } from '../../domain/network-limits.js';
import type { NetworkResponse } from '../../domain/provider-publishing.js';

/*
 * Limits of POST /2/tweets: docs.x.com, "Rate limits" (x-api/fundamentals/rate-limits, read 2026-11-21). An older page of X states
 * 200 in 15 minutes and 300 in 3 hours; the newer, lower one counts.
 */

const QUARTER_HOUR_MS = 900_000;
const DAY_MS = 86_400_000;

export const X_LIMITS: readonly NetworkLimit[] = [
  {
    name: 'posts-per-15-minutes',
    scope: 'account',
    counts: 'posts',
    max: 100,
    window: { kind: 'fixed', windowMs: QUARTER_HOUR_MS },
  },
  {
    name: 'posts-per-day',
    scope: 'app',
    counts: 'posts',
    max: 10_000,
    window: { kind: 'fixed', windowMs: DAY_MS },
  },
  {
    name: 'posts-of-account-per-day',
    scope: 'account',
    counts: 'posts',
    max: null,
    window: { kind: 'fixed', windowMs: DAY_MS },
  },
];

/**
 * Headers of POST /2/tweets: `x-rate-limit-*` and `x-user-limit-24hour-*` of the account, `x-app-limit-24hour-*` of this service; resets
 * in epoch seconds. The second depends on the plan and is not published (node-twitter-api-v2 #553).
 */
export function readingsIn({ headers }: NetworkResponse): LimitReading[] {
  return [
    ...readingOf('posts-per-15-minutes', 'x-rate-limit', headers),
    ...readingOf('posts-per-day', 'x-app-limit-24hour', headers),
    ...readingOf('posts-of-account-per-day', 'x-user-limit-24hour', headers),
  ];
}

function readingOf(name: string, prefix: string, headers: NetworkResponse['headers']): LimitReading[] {
  const remaining = countIn(headers[`${prefix}-remaining`]);
  const reset = countIn(headers[`${prefix}-reset`]);
  if (remaining === null) return [];
  const resetsAt = reset === null || reset > LATEST_RESET ? null : new Date(reset * 1000).toISOString();
  return [{ name, remaining, resetsAt, max: countIn(headers[`${prefix}-limit`]) }];
}

/** Epoch seconds of the year 2100; a later one is an error of the network. */
const LATEST_RESET = 4_102_444_800;

const countIn = (value: string | undefined): number | null =>
  value !== undefined && /^\d{1,12}$/.test(value) ? Number(value) : null;
