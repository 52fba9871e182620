import type { Instant } from '#libs/content';
import { mustBePending, mustBePublishable, mustNotBeLive } from './guards.js';
import { SchedulingIsNotAllowed, SuggestionIsYourOwn } from './post.errors.js';
import type { ApprovedVersion, By, PostContent, PostEvent } from './post.events.js';
import type { ExistingPost, Post } from './post.js';
import { mustExist, eventIdsOf } from './post.js';

export interface Approve {
  /** Of the content as it stands when the approval is decided. */
  readonly fingerprint: (content: PostContent) => string;
  readonly reason: string | null;
  readonly by: By;
  /** The version the decision was made on. */
  readonly bound?: ApprovedVersion;
  /** May this caller give posts their time? */
  readonly maySchedule: boolean;
}

/**
 * Clears a suggestion, and schedules it when its proposed time is still ahead; otherwise it needs a time. Asked twice,
 * the second changes nothing.
 */
export const approve =
  ({ fingerprint, reason, by, maySchedule, bound }: Approve, now: Instant) =>
  (state: Post): PostEvent[] => {
    const post = mustExist(state);
    mustNotBeLive(post);
    if (post.approval.state === 'approved') return [];
    mustBePending(post);
    if (hadAPart(post, by)) throw new SuggestionIsYourOwn();
    mustBePublishable(post);
    const approved: PostEvent = {
      type: 'PostApproved',
      data: {
        ...eventIdsOf(post),
        by,
        reason,
        fingerprint: fingerprint(post.content),
        ...(bound && { bound }),
      },
    };
    if (post.proposedTime === null || post.proposedTime <= now) return [approved];
    if (!maySchedule) throw new SchedulingIsNotAllowed();
    return [
      approved,
      { type: 'PostScheduled', data: { ...eventIdsOf(post), scheduledAt: post.proposedTime, by } },
    ];
  };

/**
 * A rotated key has another id, and one automation may hold several keys: to this service all keys are one writer. A service
 * principal keeps its id when its token is rotated.
 */
const hadAPart = ({ suggesters }: ExistingPost, by: By): boolean =>
  suggesters.some(({ type, id }) => id === by.id || (type === 'api_key' && by.type === 'api_key'));

/** Out of the queue until somebody edits it. Asked twice, the second changes nothing. */
export const reject =
  (by: By, reason: string | null) =>
  (state: Post): PostEvent[] => {
    const post = mustExist(state);
    mustNotBeLive(post);
    if (post.approval.state === 'rejected') return [];
    mustBePending(post);
    return [{ type: 'PostRejected', data: { ...eventIdsOf(post), by, reason } }];
  };
