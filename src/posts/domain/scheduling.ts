import type { Instant } from '#libs/content';
import {
  isPending,
  mustBeInTheFuture,
  mustBeApprovedIfRequired,
  mustBeEditable,
  mustBeReschedulable,
  mustBePublishable,
  mustHaveFailed,
  mustNotBeLive,
} from './guards.js';
import { SchedulingIsNotAllowed } from './post.errors.js';
import type { By, PostEvent } from './post.events.js';
import type { ExistingPost, Post } from './post.js';
import { mustExist, eventIdsOf } from './post.js';
import { isAutomation } from './writing.js';

/** A post returns to the queue only with a time still ahead, and only if it cannot already be live. */
export const reschedule =
  (scheduledAt: Instant, by: By, now: Instant) =>
  (state: Post): PostEvent[] => {
    const post = mustExist(state);
    mustBeReschedulable(post);
    mustBePublishable(post);
    mustBeInTheFuture(scheduledAt, now);
    return scheduleEvents(post, scheduledAt, by);
  };

const scheduleEvents = (post: ExistingPost, scheduledAt: Instant, by: By): PostEvent[] => {
  if (post.status === 'draft')
    return [{ type: 'PostScheduled', data: { ...eventIdsOf(post), scheduledAt, by } }];
  const previous = post.scheduledAt;
  if (post.status === 'scheduled' && previous === scheduledAt) return [];
  return [{ type: 'PostRescheduled', data: { ...eventIdsOf(post), scheduledAt, previous, by } }];
};

export interface Schedule {
  readonly scheduledAt: Instant;
  readonly by: By;
  /** May this caller give posts their time? A proposal takes less. */
  readonly maySchedule: boolean;
}

/** Gives a draft its time. A program may only propose one for text that nobody has approved. */
export const schedule =
  ({ scheduledAt, by, maySchedule }: Schedule, now: Instant) =>
  (state: Post): PostEvent[] => {
    const post = mustExist(state);
    mustBeEditable(post);
    if (post.status === 'scheduled' && post.scheduledAt === scheduledAt) return [];
    mustBeInTheFuture(scheduledAt, now);
    if (isAutomation(by) && isProposalOnly(post)) return proposalEvents(post, scheduledAt, by);
    mustBeApprovedIfRequired(post);
    mustBePublishable(post);
    if (!maySchedule) throw new SchedulingIsNotAllowed();
    return scheduleEvents(post, scheduledAt, by);
  };

const isProposalOnly = (post: ExistingPost): boolean =>
  isPending(post) || (post.status === 'draft' && post.approval.state === 'not_required');

const proposalEvents = (post: ExistingPost, proposedTime: Instant, by: By): PostEvent[] => {
  if (isPending(post) && post.proposedTime === proposedTime) return [];
  return [{ type: 'PostReturnedForApproval', data: { ...eventIdsOf(post), by, proposedTime } }];
};

/**
 * A suggestion asks for no time any more; whoever may propose one may take it back. A rejected one stays rejected, and has
 * none when an edit sends it back for approval.
 */
export const withdrawTime =
  (by: By) =>
  (state: Post): PostEvent[] => {
    const post = mustExist(state);
    mustBeEditable(post);
    if (post.status !== 'draft' || post.proposedTime === null) return [];
    if (!isPending(post)) return [{ type: 'PostRevertedToDraft', data: { ...eventIdsOf(post), by } }];
    return [{ type: 'PostReturnedForApproval', data: { ...eventIdsOf(post), by, proposedTime: null } }];
  };

/** Back to a draft, its time and its failure cleared; an approval stays with the text it was given for. */
export const revert =
  (by: By) =>
  (state: Post): PostEvent[] => {
    const post = mustExist(state);
    mustBeEditable(post);
    if (post.status === 'draft') return [];
    return [{ type: 'PostRevertedToDraft', data: { ...eventIdsOf(post), by } }];
  };

/** Due again at once. Asked twice, the second changes nothing, unless the first is being sent already. */
export const retry =
  (by: By, reason: string | null, now: Instant) =>
  (state: Post): PostEvent[] => {
    const post = mustExist(state);
    mustNotBeLive(post);
    if (post.status === 'scheduled' && post.isRetry) return [];
    mustHaveFailed(post);
    mustBePublishable(post);
    return [{ type: 'PostRetried', data: { ...eventIdsOf(post), scheduledAt: now, by, reason } }];
  };

/** Gone here; what is live on a network stays there, and what happened stays in the audit. */
export const remove =
  (by: By) =>
  (state: Post): PostEvent[] => {
    const post = mustExist(state);
    mustNotBeLive(post);
    return [{ type: 'PostDeleted', data: { ...eventIdsOf(post), by, status: post.status } }];
  };
