import type { AccountFacts } from '../../domain/provider-grants.js';
import type { LimitReading, NetworkLimit } from '../../domain/network-limits.js';
import type { NetworkResponse } from '../../domain/provider-publishing.js';
import { usageLimit, usageReadings } from '../graph/graph-usage.js';
import { listIn, memberOf } from '../values.js';
import { QUOTA } from './container-network.js';

const DAY_MS = 86_400_000;
/** Far above every documented one; a larger number is an error of the network. */
const MAX_QUOTA = 1_000_000;

/** Names of limits whose headers state percent. */
const USAGE = { app: 'percent-of-app-calls', account: 'percent-of-account-calls' };

/** Headers of each answer, and the body of the quota call. */
export function readingsIn({ headers, body }: NetworkResponse, now: Date): LimitReading[] {
  return [...quotaReadings(body), ...usageReadings(headers, USAGE, now)];
}

/** What the quota call says: `{data: [{quota_usage, config: {quota_total, quota_duration}}]}`; empty for anything else. */
export function quotaReadings(body: unknown): LimitReading[] {
  const [quota] = listIn(memberOf(body, 'data'));
  const used = countIn(memberOf(quota, 'quota_usage'));
  const max = countIn(memberOf(quota, 'config', 'quota_total'));
  if (used === null || max === null) return [];
  return [{ name: QUOTA, remaining: Math.max(0, max - used), resetsAt: null, max }];
}

export function quotaFact(body: unknown): AccountFacts {
  const [reading] = quotaReadings(body);
  return reading?.max ? { postsPerDay: reading.max } : {};
}

/** @param documented posts within any 24 hours, where the account has no fact */
export function containerLimits({ postsPerDay: own }: AccountFacts, documented: number): NetworkLimit[] {
  const max = typeof own === 'number' ? own : documented;
  return [
    { name: QUOTA, scope: 'account', counts: 'posts', max, window: { kind: 'rolling', windowMs: DAY_MS } },
    // The number of calls behind 100 % depends on how many people see the account.
    usageLimit('account', USAGE.account),
    usageLimit('app', USAGE.app),
  ];
}

const countIn = (value: unknown): number | null =>
  typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= MAX_QUOTA ? value : null;
