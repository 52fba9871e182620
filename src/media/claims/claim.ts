/** The claim belongs to another worker, or its row was deleted. */
export class ClaimIsLost extends Error {}
/** The worker shuts down. */
export class IsStopping extends Error {}

/** The lease outlives a pause of the process; a dead worker delays its file by it. */
const LEASE_MS = 30_000;
/** Three chances before the lease ends. */
export const RENEW_EVERY_MS = LEASE_MS / 4;
/** In SQL, when a claim that begins or is renewed now ends. */
export const LEASE_END = `now() + interval '${LEASE_MS} milliseconds'`;

/** Workers also end for other reasons, such as a release. */
export const MAX_TAKEOVERS = 5;

const FIRST_RETRY_MS = 1_000;
const MAX_RETRY_MS = 300_000;

/** Milliseconds until the next attempt after an outage or an unexpected error. @param attempts so far, at least 1 */
export const backoffMs = (attempts: number): number =>
  Math.min(MAX_RETRY_MS, FIRST_RETRY_MS * 2 ** (attempts - 1));

/** How a claim ends without an outcome. */
export interface Release {
  /** Milliseconds until the row is due again. */
  readonly dueInMs: number;
  /** Added to those of the row. */
  readonly failures: number;
  readonly errors: number;
}
