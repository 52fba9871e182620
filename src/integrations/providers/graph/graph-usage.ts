import { retryAfterIn } from '#libs/outbound-http';
import type { LimitReading, NetworkLimit } from '../../domain/network-limits.js';
import type { NetworkResponse } from '../../domain/provider-publishing.js';
import { memberOf } from '../values.js';

/*
 * Headers that state how much of a limit is used, in percent: developers.facebook.com/docs/graph-api/overview/rate-limiting (read
 * 2026-11-21). The number of calls behind 100 % is not published: it depends on how many people use the service, or the account.
 */

const HOUR_MS = 3_600_000;

/** The limit of the calls of this service within an hour, or of the account within a day. */
export const usageLimit = (scope: NetworkLimit['scope'], name: string): NetworkLimit => ({
  name,
  scope,
  counts: 'calls',
  max: null,
  isPercent: true,
  window: { kind: 'rolling', windowMs: scope === 'app' ? HOUR_MS : 24 * HOUR_MS },
});

type Headers = NetworkResponse['headers'];

interface Usage {
  /** Highest of the percentages; calls are refused above 100. */
  readonly percent: number;
  /** `estimated_time_to_regain_access`, stated in minutes; 0: calls are accepted. */
  readonly waitMs: number;
}

/** Longer than any header of Meta; a longer one is ignored. */
const MAX_HEADER = 20_000;
/** The longest window of these limits. */
const LONGEST_WAIT_MS = 24 * 60 * 60_000;
const SHARES = ['call_count', 'total_cputime', 'total_time'];

/** Milliseconds until calls are accepted again; null: not stated. */
export function waitIn(headers: Headers): number | null {
  const stated = Math.max(0, ...businessUsages(headers).map(({ waitMs }) => waitMs));
  return [stated, retryAfterIn(headers) ?? 0].find((wait) => wait > 0 && wait <= LONGEST_WAIT_MS) ?? null;
}

/**
 * Remaining percent of the calls of this service (`X-App-Usage`) and of the account (`X-Business-Use-Case-Usage`, former
 * `X-Page-Usage`), as readings of two limits with a maximum of 100.
 */
export function usageReadings(
  headers: Headers,
  names: { readonly app: string; readonly account: string },
  now: Date,
): LimitReading[] {
  const app = usageIn(parsed(headers['x-app-usage']));
  const account = [...businessUsages(headers), usageIn(parsed(headers['x-page-usage']))];
  return [...readingOf(names.app, [app], now), ...readingOf(names.account, account, now)];
}

/** `{"<id>": [{type, call_count, total_cputime, total_time, estimated_time_to_regain_access}]}` */
function businessUsages(headers: Headers): Usage[] {
  const body = parsed(headers['x-business-use-case-usage']);
  if (typeof body !== 'object' || body === null) return [];
  return Object.values(body)
    .flat()
    .map(usageIn)
    .filter((usage) => usage !== null);
}

function usageIn(value: unknown): Usage | null {
  const shares = SHARES.map((name) => memberOf(value, name)).filter(isAmount);
  if (shares.length === 0) return null;
  const minutes = memberOf(value, 'estimated_time_to_regain_access');
  return { percent: Math.max(...shares), waitMs: isAmount(minutes) ? minutes * 60_000 : 0 };
}

/** Among several usages, the one with the least left counts. */
function readingOf(name: string, usages: readonly (Usage | null)[], now: Date): LimitReading[] {
  const known = usages.filter((usage) => usage !== null);
  if (known.length === 0) return [];
  const used = Math.max(...known.map(({ percent }) => percent));
  const waitMs = Math.max(...known.map((usage) => usage.waitMs));
  const resetsAt = waitMs > 0 && waitMs <= LONGEST_WAIT_MS ? new Date(now.getTime() + waitMs) : null;
  return [
    {
      name,
      remaining: Math.max(0, Math.floor(100 - used)),
      resetsAt: resetsAt?.toISOString() ?? null,
      max: 100,
    },
  ];
}

const isAmount = (value: unknown): value is number =>
  typeof value === 'number' && value >= 0 && value <= 1_000_000;

function parsed(header: string | undefined): unknown {
  if (header === undefined || header.length > MAX_HEADER) return undefined;
  try {
    return JSON.parse(header);
  } catch {
    return undefined;
  }
}
