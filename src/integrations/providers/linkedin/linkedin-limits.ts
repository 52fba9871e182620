import type { LimitReading, NetworkLimit } from '../../domain/network-limits.js';
import type { NetworkResponse } from '../../domain/provider-publishing.js';
import { waitIn } from './linkedin-values.js';

const DAY = { kind: 'day', timeZone: 'UTC' } as const;
const OF_ACCOUNT = 'posts-per-day';

/**
 * Calls of a route until midnight UTC, for each member and for the whole app. LinkedIn publishes no numbers: each app sees its own in the
 * developer portal (learn.microsoft.com/linkedin/shared/api-guide/concepts/rate-limits, read 2026-11-23); NETWORK_LIMITS takes them.
 */
export const LINKEDIN_LIMITS: readonly NetworkLimit[] = [
  { name: OF_ACCOUNT, scope: 'account', counts: 'posts', max: null, window: DAY },
  { name: 'posts-per-day-of-app', scope: 'app', counts: 'posts', max: null, window: DAY },
];

/** Responses to posts say nothing before a limit is reached, and then not which of both it is: the narrower one is assumed. */
export function readingsIn({ status, headers }: NetworkResponse, now: Date): LimitReading[] {
  if (status !== 429) return [];
  const resetsAt = new Date(now.getTime() + waitIn(headers, now)).toISOString();
  return [{ name: OF_ACCOUNT, remaining: 0, resetsAt, max: null }];
}
