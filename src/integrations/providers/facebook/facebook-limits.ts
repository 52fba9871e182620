import type { LimitReading, NetworkLimit } from '../../domain/network-limits.js';
import type { NetworkResponse } from '../../domain/provider-publishing.js';
import { usageReadings } from '../graph/graph-usage.js';

/*
 * Facebook publishes no numbers: calls with the token of a page are limited to 4 800 for each person who engaged with the page in 24 hours,
 * calls with the token of a person to 200 for each user of the service in one hour (developers.facebook.com/docs/graph-api/overview/rate-limiting,
 * read 2026-11-21). The headers of each response state how much of both is used, in percent. Reels: 30 in 24 hours for a page
 * (/docs/video-api/guides/reels-publishing); Facebook counts those of other applications too, so it is left to its refusal.
 */

const HOUR_MS = 3_600_000;
const NAMES = { app: 'percent-of-app-calls', account: 'percent-of-page-calls' };

export const FACEBOOK_LIMITS: readonly NetworkLimit[] = [
  {
    name: NAMES.app,
    scope: 'app',
    counts: 'calls',
    max: null,
    isPercent: true,
    window: { kind: 'rolling', windowMs: HOUR_MS },
  },
  {
    name: NAMES.account,
    scope: 'account',
    counts: 'calls',
    max: null,
    isPercent: true,
    window: { kind: 'rolling', windowMs: 24 * HOUR_MS },
  },
];

export const readingsIn = ({ headers }: NetworkResponse, now: Date): LimitReading[] =>
  usageReadings(headers, NAMES, now);
