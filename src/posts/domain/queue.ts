import type { Instant } from '#libs/content';
import { isPending, isUnconfirmed, needsTime } from './guards.js';
import type { ExistingPost } from './post.js';

export const QUEUE_STATES = ['failed', 'pending', 'needs_time', 'scheduled'] as const;
export type QueueState = (typeof QUEUE_STATES)[number];

/** The ranks of each state: see `QueuePlace.rank`. */
export const QUEUE_RANKS: Readonly<Record<QueueState, readonly QueuePosition['rank'][]>> = {
  failed: [0, 1],
  pending: [2, 4],
  needs_time: [3],
  scheduled: [5],
};

export interface QueuePosition {
  readonly state: QueueState;
  /** 0 is most urgent: unconfirmed delivery, failure, pending with a time, missing time, pending without a time, scheduled. */
  readonly rank: 0 | 1 | 2 | 3 | 4 | 5;
  /** Order within a rank, earliest first. */
  readonly at: Instant;
}

/** The position in the operator's queue; null if the post needs no action. */
export function queuePositionOf(post: ExistingPost): QueuePosition | null {
  if (post.status === 'failed')
    return { state: 'failed', rank: isUnconfirmed(post) ? 0 : 1, at: post.failure.failedAt };
  if (isPending(post))
    return post.proposedTime === null
      ? { state: 'pending', rank: 4, at: post.createdAt }
      : { state: 'pending', rank: 2, at: post.proposedTime };
  if (needsTime(post)) return { state: 'needs_time', rank: 3, at: post.approval.decidedAt };
  if (post.status === 'scheduled') return { state: 'scheduled', rank: 5, at: post.scheduledAt };
  return null;
}
