import type { Instant } from '#libs/content';
import { mustBePending, mustBePublishable, mustNotBeLive } from './guards.js';
import { SchedulingIsNotAllowed, SuggestionIsYourOwn } from './post.errors.js';
import type { ApprovedVersion, Blocker, By, PostContent, PostEvent } from './post.events.js';
import { eventIdsOf, type ExistingPost, mustExist, type Post } from './post.js';

export interface Approve {
  /** Computes the fingerprint of the content that is approved. */
  readonly fingerprint: (content: PostContent) => string;
  readonly reason: string | null;
  readonly by: By;
  /** `by`, and others whose credentials come with the approval: none of them may have suggested. Default: `by`. */
  readonly principals?: readonly By[];
  /** By the current rules. Default: none. */
  readonly blockers?: readonly Blocker[];
  /** The version that the approval covers. */
  readonly bound?: ApprovedVersion;
  /** Whether the caller may schedule posts. */
  readonly maySchedule: boolean;
}

/** Approves a suggestion, and schedules it if its proposed time is in the future. Idempotent. */
export const approve =
  ({ fingerprint, reason, by, principals = [by], maySchedule, bound, blockers }: Approve, now: Instant) =>
  (state: Post): PostEvent[] => {
    const post = mustExist(state);
    mustNotBeLive(post);
    if (post.approval.state === 'approved') return [];
    mustBePending(post);
    if (principals.some((each) => isSuggester(post, each))) throw new SuggestionIsYourOwn();
    mustBePublishable(post, blockers);
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

/** Whether `by` wrote part of the content or proposed its time. */
const isSuggester = ({ suggesters }: ExistingPost, by: By): boolean =>
  suggesters.some(({ id }) => id === by.id);

/** Removes a suggestion from the queue until it is edited. Idempotent. */
export const reject =
  (by: By, reason: string | null) =>
  (state: Post): PostEvent[] => {
    const post = mustExist(state);
    mustNotBeLive(post);
    if (post.approval.state === 'rejected') return [];
    mustBePending(post);
    return [{ type: 'PostRejected', data: { ...eventIdsOf(post), by, reason } }];
  };
