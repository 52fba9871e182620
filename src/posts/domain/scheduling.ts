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
import type { IfLate } from './late-window.js';
import { SchedulingIsNotAllowed } from './post.errors.js';
import type { Blocker, By, PostEvent } from './post.events.js';
import { eventIdsOf, type ExistingPost, mustExist, type Post } from './post.js';
import { isAutomation } from './writing.js';

/**
 * A post can be rescheduled to a future time only, and only if it cannot already be live.
 * @param blockers by the current rules, of a draft
 */
export const reschedule =
  (scheduledAt: Instant, by: By, now: Instant, blockers: readonly Blocker[] = []) =>
  (state: Post): PostEvent[] => {
    const post = mustExist(state);
    mustBeReschedulable(post);
    mustBePublishable(post, blockers);
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
  /** Whether the caller may schedule posts. A proposal does not need it. */
  readonly maySchedule: boolean;
  /** By the current rules, of a draft or of an edit. Default: none. */
  readonly blockers?: readonly Blocker[];
}

/** Schedules a draft. For content without approval, an automation's time is only a proposal. */
export const schedule =
  ({ scheduledAt, by, maySchedule, blockers }: Schedule, now: Instant) =>
  (state: Post): PostEvent[] => {
    const post = mustExist(state);
    mustBeEditable(post);
    if (post.status === 'scheduled' && post.scheduledAt === scheduledAt) return [];
    mustBeInTheFuture(scheduledAt, now);
    if (isAutomation(by) && isProposalOnly(post)) return proposalEvents(post, scheduledAt, by);
    mustBeApprovedIfRequired(post);
    mustBePublishable(post, blockers);
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
 * Removes the proposed time of a suggestion; needs the same scope as proposing. A rejected suggestion stays rejected, and
 * has no proposed time when an edit makes it pending again.
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

/** Back to a draft without time and failure; an approval stays. */
export const revert =
  (by: By) =>
  (state: Post): PostEvent[] => {
    const post = mustExist(state);
    mustBeEditable(post);
    if (post.status === 'draft') return [];
    return [{ type: 'PostRevertedToDraft', data: { ...eventIdsOf(post), by } }];
  };

/** Makes a failed post due now. Idempotent until its attempt starts. */
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

/** What becomes of the post when it cannot be sent in its late window. @param ifLate null: the usual */
export const chooseLateness =
  (ifLate: IfLate | null, by: By) =>
  (state: Post): PostEvent[] => {
    const post = mustExist(state);
    mustBeEditable(post);
    if ((post.ifLate ?? null) === ifLate) return [];
    return [{ type: 'PostLatenessChosen', data: { ...eventIdsOf(post), ifLate, by } }];
  };

/** Deletes the post here; a post on the network and the history in the audit stay. */
export const remove =
  (by: By) =>
  (state: Post): PostEvent[] => {
    const post = mustExist(state);
    mustNotBeLive(post);
    return [{ type: 'PostDeleted', data: { ...eventIdsOf(post), by, status: post.status } }];
  };
