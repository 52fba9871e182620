/** Exponential backoff after failed sign-ins. */
export interface DelayPolicy {
  /** Failures without delay: people mistype. */
  readonly freeFailures: number;
  /** Maximum delay: an account is never locked permanently. */
  readonly maxSeconds: number;
}

/**
 * The pair of account and address has the strictest limit. The account alone has a loose limit that known places bypass, so
 * that an attacker cannot lock out the owner. The address alone has a loose limit, because many people can share it. An IPv6
 * address counts as its /64, /56 and /48, because one customer can have all of them.
 */
export const LOGIN_POLICIES = {
  pair: { freeFailures: 5, maxSeconds: 900 },
  account: { freeFailures: 20, maxSeconds: 60 },
  address: { freeFailures: 60, maxSeconds: 900 },
  address56: { freeFailures: 120, maxSeconds: 900 },
  address48: { freeFailures: 240, maxSeconds: 900 },
} as const satisfies Record<string, DelayPolicy>;

/** Seconds until the next attempt after consecutive failures: 0, then 1, 2, 4 … */
export function delayAfter(failures: number, { freeFailures, maxSeconds }: DelayPolicy): number {
  if (failures <= freeFailures) return 0;
  return Math.min(maxSeconds, 2 ** Math.min(30, failures - freeFailures - 1));
}
