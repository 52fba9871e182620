const RESULTS = ['refreshed', 'reconnect-needed', 'misconfigured', 'unavailable'] as const;

/**
 * `refreshed`: newer tokens are stored. `reconnect-needed`: the grant is dead, or there is none.
 * `misconfigured`: the network refuses this service, or the API refuses the worker. `unavailable`: retry later; the connection is
 * unchanged.
 */
export type RefreshResult = (typeof RESULTS)[number];

export function isRefreshResult(value: unknown): value is RefreshResult {
  return RESULTS.some((result) => result === value);
}
