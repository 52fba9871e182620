const RESULTS = ['refreshed', 'reconnect-needed', 'misconfigured', 'unavailable'] as const;

/**
 * `refreshed`: newer tokens are stored. `reconnect-needed`: the grant is dead, or there is none.
 * `misconfigured`: the network refuses this service, or the API refuses whoever asks it for renewals. `unavailable`: later perhaps; the connection stays as it was.
 */
export type RefreshResult = (typeof RESULTS)[number];

export function isRefreshResult(value: unknown): value is RefreshResult {
  return RESULTS.some((result) => result === value);
}
