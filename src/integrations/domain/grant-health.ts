import type { Instant } from '#libs/content';
import type { ConnectionState } from './connection.js';
import type { Renewal } from './provider-grants.js';

export const GRANT_STATES = ['healthy', 'ends-soon', 'ended'] as const;

export interface GrantHealth {
  /** `ends-soon`: only its owner can prolong it, by connecting again. `ended`: nothing can be published. */
  readonly state: (typeof GRANT_STATES)[number];
  /** When the grant ends unless it is renewed before, or when it ended; null: it does not end by time, or the time is not known. */
  readonly endsAt: Instant | null;
  /** Whether it is renewed without its owner. */
  readonly renewable: boolean;
}

export interface GrantEnds {
  readonly state: ConnectionState;
  readonly hasRefreshToken: boolean;
  readonly accessExpiresAt: Instant | null;
  /** null: there is no refresh token, or its end is not stated. */
  readonly refreshExpiresAt: Instant | null;
}

/**
 * With a refresh token the grant ends with that token, else with the access token. A long-lived token that renews itself is renewed
 * `aheadMs` before its end: when half of that time has passed, renewals fail.
 * @param warnMs how long before its end a grant ends soon
 */
export function grantHealthOf(ends: GrantEnds, renewal: Renewal, warnMs: number, now: Instant): GrantHealth {
  const renewable = renewal.by === 'access-token' || ends.hasRefreshToken;
  const endsAt =
    renewal.by === 'refresh-token' && ends.hasRefreshToken ? ends.refreshExpiresAt : ends.accessExpiresAt;
  const leftMs = endsAt === null ? Infinity : Date.parse(endsAt) - Date.parse(now);
  const isEnded = ends.state !== 'active' || leftMs <= 0;
  // Tokens that the network ended before their time keep that time, which is no end any more.
  if (isEnded) return { state: 'ended', endsAt: leftMs <= 0 ? endsAt : null, renewable: false };
  return { state: leftMs <= warningMs(renewal, warnMs) ? 'ends-soon' : 'healthy', endsAt, renewable };
}

/** Milliseconds before the end from which a grant ends soon. */
export const warningMs = ({ by, aheadMs }: Renewal, warnMs: number): number =>
  by === 'access-token' ? Math.min(warnMs, aheadMs / 2) : warnMs;
