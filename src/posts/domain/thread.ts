import type { Instant } from '#libs/content';
import type { ThreadPosition } from './post.events.js';
import type { Status } from './post.js';

/** What one part of a thread has to know of the part before it. */
export interface ThreadPart {
  readonly postId: string;
  readonly status: Status;
  readonly platformPostId: string | null;
  /** When it became published here; of a delivery that a person settled, when that was. */
  readonly publishedSince: Instant | null;
}

export type ThreadEligibility =
  | { readonly may: true; readonly replyTo: string | null; readonly since: Instant | null }
  /** `blockedBy` null: the part before it was deleted or never written. */
  | { readonly may: false; readonly blockedBy: string | null };

/** Which position must be live before this one; null for what need not wait. */
export const predecessorPosition = (thread: ThreadPosition | null): number | null =>
  thread === null || thread.position === 1 ? null : thread.position - 1;

/**
 * May this thread post go out yet? Only after the part just before it is published and the network has named it.
 * `since`: from when its late window counts, where it had to wait for another.
 */
export function threadEligibilityOf(
  thread: ThreadPosition | null,
  before: ThreadPart | null,
): ThreadEligibility {
  if (predecessorPosition(thread) === null) return { may: true, replyTo: null, since: null };
  if (before === null) return { may: false, blockedBy: null };
  if (before.status !== 'published' || before.platformPostId === null)
    return { may: false, blockedBy: before.postId };
  return { may: true, replyTo: before.platformPostId, since: before.publishedSince };
}
