import { backoffMs, ClaimIsLost, IsStopping } from '#libs/due-work';
import { MAX_TAKEOVERS } from '../claims/claim.js';
import { isOutageOfAService } from '../isolation/outages.js';
import type { ClaimedInspection } from './inspection-claims.store.js';
import { FileEndedItsProcess } from './inspector.js';

/** Once may be the fault of the machine: memory that another process took, a signal of an operator. */
const MAX_FAILURES = 2;
/** About an hour of retries: a full disk is repaired by then. */
const MAX_ERRORS = 20;

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
  return backoffMs(attempts);
}
