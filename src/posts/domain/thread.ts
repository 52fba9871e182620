import type { Instant } from '#libs/content';
import { domainError } from '#libs/errors';
import type { ThreadPosition } from './post.events.js';
import type { Status } from './post.js';

export class ThreadPositionIsTaken extends domainError('conflict', 'thread_position_taken', {
  detail: 'Another post of this thread has this position. Send a free position, or none to append.',
  errors: [{ pointer: '#/threadPosition', code: 'taken', detail: 'must be free in this thread' }],
}) {}

export class ThreadIsOnAnotherPlatform extends domainError(
  'invalid',
  'thread_on_another_platform',
  (platform: string) => ({
    detail: `All parts of a thread are on one platform. Send the platform ${platform}.`,
    errors: [{ pointer: '#/platform', code: 'other_platform', detail: `must be ${platform}` }],
  }),
) {}

/**
 * Posts of this network cannot reply to each other. Posts of threads that exist stay as they are.
 * @param asked what the request names of a thread
 */
export class ThreadsAreNotSupported extends domainError(
  'invalid',
  'threads_not_supported',
  (asked: { readonly id?: string }) => {
    const pointer = asked.id === undefined ? '#/threadPosition' : '#/threadId';
    return {
      detail: 'The network has no threads. Send the post without threadId and threadPosition.',
      errors: [{ pointer, code: 'not_supported', detail: 'must not be sent for this network' }],
    };
  },
) {}

/** The preceding part of a thread, as the next part needs it. */
export interface ThreadPart {
  readonly postId: string;
  readonly status: Status;
  readonly platformPostId: string | null;
  /** When it became published here; for a delivery that a person resolved, the time of that. */
  readonly publishedSince: Instant | null;
}

export type ThreadEligibility =
  | { readonly isEligible: true; readonly replyTo: string | null; readonly since: Instant | null }
  /** `blockedBy` null: the preceding part was deleted or never created. */
  | { readonly isEligible: false; readonly blockedBy: string | null };

/** The position that must be published first; null for a first part and outside of a thread. */
export const predecessorPosition = (thread: ThreadPosition | null): number | null =>
  thread === null || thread.position === 1 ? null : thread.position - 1;

/**
 * A part can be published after the preceding part is published and has an id on the network.
 * `since`: start of its late window if it waited for the preceding part.
 */
export function threadEligibilityOf(
  thread: ThreadPosition | null,
  before: ThreadPart | null,
): ThreadEligibility {
  if (predecessorPosition(thread) === null) return { isEligible: true, replyTo: null, since: null };
  if (before === null) return { isEligible: false, blockedBy: null };
  if (before.status !== 'published' || before.platformPostId === null)
    return { isEligible: false, blockedBy: before.postId };
  return { isEligible: true, replyTo: before.platformPostId, since: before.publishedSince };
}
