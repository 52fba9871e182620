import { isDataError } from '#libs/database';
import { backoffMs, ClaimIsLost, IsStopping } from '#libs/due-work';
import { MAX_TAKEOVERS } from '../../claims/claim.js';
import type { TaskFailureReason } from '../../isolation/media-task.js';
import { isOutageOfAService } from '../../isolation/outages.js';
import { MAX_ERRORS, MAX_FAILURES } from '../domain/retries.js';
import type { RenditionFailure } from '../views/rendition.view.js';
import type { ClaimedRendition } from './rendition-claims.store.js';

/** After the first ended process; four times as long after the second. A shortage of memory has to pass. */
const FAILURE_PAUSE_MS = 30_000;

/** The child process was ended, or ended itself. */
export class RenditionEndedItsProcess extends Error {
  constructor(readonly reason: TaskFailureReason) {
    super(`The rendition ended its process: ${reason}.`);
  }
}

/** What an error counts as. `process`: the child process ended. `outage`: the store or the database failed. */
export type FailureKind = 'none' | 'process' | 'outage' | 'error';

export function kindOfFailure(error: unknown): FailureKind {
  if (error instanceof IsStopping || error instanceof ClaimIsLost) return 'none';
  if (error instanceof RenditionEndedItsProcess) return 'process';
  return isOutageOfAService(error) ? 'outage' : 'error';
}

type Counts = Pick<ClaimedRendition, 'failures' | 'errors' | 'attempts'>;

/** Milliseconds until the next attempt; null: there is none, the error is definite. */
export function retryDelay(error: unknown, { failures, errors, attempts }: Counts): number | null {
  const kind = kindOfFailure(error);
  if (kind === 'none') return 0;
  if (kind === 'process')
    return failures + 1 < MAX_FAILURES ? FAILURE_PAUSE_MS * 4 ** Math.min(failures, 1) : null;
  // What the database refuses as a value, it refuses each time.
  if (isDataError(error) || (kind === 'error' && errors + 1 >= MAX_ERRORS)) return null;
  return backoffMs(attempts);
}

/** A rendition that ends its worker each time is given up. */
export const isHopeless = ({ takeovers }: ClaimedRendition): boolean => takeovers >= MAX_TAKEOVERS;

const REASONS: Readonly<Record<TaskFailureReason, string>> = {
  out_of_memory: 'needs too much memory',
  out_of_time: 'takes too long',
  read_budget: 'has an index that makes the reader read too much',
  died: 'ends the process that reads it',
  error: 'cannot be read',
};

export const notReadable = (reason: TaskFailureReason): RenditionFailure => ({
  code: 'not_readable',
  message: `The file ${REASONS[reason]}. Export it again.`,
});

/** What people read when the rendition is given up after this error. */
export const failureOf = (error: unknown): RenditionFailure =>
  notReadable(error instanceof RenditionEndedItsProcess ? error.reason : 'error');
