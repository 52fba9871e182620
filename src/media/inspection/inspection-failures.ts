import { isOutageOfAService } from '../isolation/outages.js';
import type { ClaimedInspection } from './inspection-claims.store.js';
import { FileEndedItsProcess } from './inspector.js';

/** Once may be the fault of the machine: memory that another process took, a signal of an operator. */
const MAX_FAILURES = 2;
/** About an hour of retries: a full disk is repaired by then. */
const MAX_ERRORS = 20;
/** Workers also end for other reasons, such as a release. */
const MAX_TAKEOVERS = 5;
const FIRST_RETRY_MS = 1_000;
const MAX_RETRY_MS = 300_000;

/** The claim belongs to another worker, or the file was deleted. */
export class ClaimIsLost extends Error {}
/** The worker shuts down. */
export class IsStopping extends Error {}

/** What a failed inspection counts as. `file`: the file ended its process. `outage`: the store or the database failed. */
export type FailureKind = 'none' | 'file' | 'outage' | 'error';

export function kindOfFailure(error: unknown): FailureKind {
  if (error instanceof IsStopping || error instanceof ClaimIsLost) return 'none';
  if (error instanceof FileEndedItsProcess) return 'file';
  return isOutageOfAService(error) ? 'outage' : 'error';
}

export const isHopeless = ({ failures, errors, takeovers }: ClaimedInspection): boolean =>
  failures >= MAX_FAILURES || errors >= MAX_ERRORS || takeovers >= MAX_TAKEOVERS;

/** Milliseconds until the next attempt. */
export function retryDelay(kind: FailureKind, { attempts }: ClaimedInspection): number {
  if (kind === 'none' || kind === 'file') return 0;
  return Math.min(MAX_RETRY_MS, FIRST_RETRY_MS * 2 ** (attempts - 1));
}
