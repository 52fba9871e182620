/** How failed sign-ins slow further ones down. */
export interface DelayPolicy {
  /** Failures that cost nothing: people mistype. */
  readonly free: number;
  /** However many there were, one more try is possible after this long: nobody is locked out for good. */
  readonly maxSeconds: number;
}

/**
 * The pair of account and address is held tightest. The account alone is held loosely, and not for where it was signed
 * in to before, so that a stranger cannot keep its owner out; the address alone, because many people may share one. Of IPv6 the
 * /64 counts as the address, and the /56 and /48 around it too: one customer may have all of them.
 */
export const LOGIN_POLICIES = {
  pair: { free: 5, maxSeconds: 900 },
  account: { free: 20, maxSeconds: 60 },
  address: { free: 60, maxSeconds: 900 },
  address56: { free: 120, maxSeconds: 900 },
  address48: { free: 240, maxSeconds: 900 },
} as const satisfies Record<string, DelayPolicy>;

/** Seconds until the next try after this many failures in a row: none, then 1, 2, 4 … */
export function delayAfter(failures: number, { free, maxSeconds }: DelayPolicy): number {
  if (failures <= free) return 0;
  return Math.min(maxSeconds, 2 ** Math.min(30, failures - free - 1));
}
