const RESULTS = ['refreshed', 'reconnect-needed', 'misconfigured', 'unavailable'] as const;

export interface RefreshResult {
  /**
   * `refreshed`: newer tokens are stored. `reconnect-needed`: the grant is dead, or there is none.
   * `misconfigured`: the network refuses this service, or the API refuses the worker. `unavailable`: retry later; the connection is
   * unchanged.
   */
  readonly result: (typeof RESULTS)[number];
  /** The network's name of the error that ended the grant. Absent: the network was not asked, or did not name it. */
  readonly networkCode?: string;
}

/** Longer than any network's name of an error. */
const MAX_CODE = 100;

/** @returns null for a response without a result */
export function refreshResultIn(body: unknown): RefreshResult | null {
  const { result, networkCode } = (body ?? {}) as Readonly<Record<string, unknown>>;
  const known = RESULTS.find((each) => each === result);
  if (known === undefined) return null;
  return typeof networkCode === 'string' && networkCode.length <= MAX_CODE
    ? { result: known, networkCode }
    : { result: known };
}
