import type { Instant } from '#libs/content';
import type { DomainError } from '#libs/errors';
import {
  ApprovalIsMissing,
  ContentCannotBePublished,
  DeliveryIsNotUnconfirmed,
  DeliveryIsUnconfirmed,
  PostHasNotFailed,
  PostIsNotPending,
  PostIsNotQueued,
  PostIsPublished,
  PublishingInProgress,
  ScheduleIsInThePast,
  ScheduleIsTooFarAhead,
} from './post.errors.js';
import type { Approved, Cleared, Draft, Failed, ExistingPost, Pending, Post, Scheduled } from './post.js';
import { exists } from './post.js';

/** 5 years: further ahead is a slip of the keyboard, and no network promises an interface for that long. */
const LATEST_YEARS_AHEAD = 5;

export const isUnconfirmed = (post: ExistingPost): post is Failed =>
  post.status === 'failed' && post.failure.class === 'unconfirmed';

export const isBeingSent = (post: ExistingPost): boolean =>
  post.status === 'scheduled' && post.attempt !== null;

export type NeedsATime = Draft & { readonly approval: Approved };
/** Approved, but its proposed time had passed or there was none: it stays in the queue until it gets one. */
export const needsATime = (post: ExistingPost): post is NeedsATime =>
  post.status === 'draft' && post.approval.state === 'approved';

export type PendingDraft = Draft & { readonly approval: Pending };
export const isPending = (post: ExistingPost): post is PendingDraft =>
  post.status === 'draft' && post.approval.state === 'pending';

/** Why not: makes the error only where it is thrown, because the view asks these questions at every change. */
type Refusal = (() => DomainError) | null;

function must(refusal: Refusal): void {
  if (refusal !== null) throw refusal();
}

/**
 * The one guard for retry, reschedule, edit, revert, approve, reject and delete: neither on its way to the network
 * right now nor perhaps there already.
 */
function liveness(post: ExistingPost): Refusal {
  if (isBeingSent(post)) return () => new PublishingInProgress();
  return isUnconfirmed(post) ? () => new DeliveryIsUnconfirmed() : null;
}

const editing = (post: ExistingPost): Refusal =>
  liveness(post) ?? (post.status === 'published' ? () => new PostIsPublished() : null);

const moving = (post: ExistingPost): Refusal => {
  const isQueued = post.status === 'scheduled' || post.status === 'failed' || needsATime(post);
  return liveness(post) ?? (isQueued ? null : () => new PostIsNotQueued(post.status));
};

const retrying = (post: ExistingPost): Refusal =>
  liveness(post) ?? (post.status === 'failed' ? null : () => new PostHasNotFailed(post.status));

const deciding = (post: ExistingPost): Refusal =>
  liveness(post) ?? (isPending(post) ? null : () => new PostIsNotPending());

const resolving = (post: ExistingPost): Refusal => {
  if (isBeingSent(post)) return () => new PublishingInProgress();
  return isUnconfirmed(post) ? null : () => new DeliveryIsNotUnconfirmed();
};

const publishing = (post: ExistingPost): Refusal =>
  post.blockers.length > 0 ? () => new ContentCannotBePublished(post.blockers) : null;

/** @throws PublishingInProgress, DeliveryIsUnconfirmed */
export function mustNotBeLive(post: ExistingPost): void {
  must(liveness(post));
}

/** @throws PublishingInProgress, DeliveryIsUnconfirmed, PostIsPublished */
export function mustBeEditable(post: ExistingPost): asserts post is Draft | Scheduled | Failed {
  must(editing(post));
}

/** @throws ApprovalIsMissing when a suggestion is pending or rejected. */
export function mustBeCleared(
  post: ExistingPost,
): asserts post is ExistingPost & { readonly approval: Cleared } {
  const { state } = post.approval;
  if (state === 'pending' || state === 'rejected') throw new ApprovalIsMissing(state);
}

/** @throws PostIsNotQueued unless it is scheduled, failed, or approved and without a time. */
export function mustBeMovable(post: ExistingPost): asserts post is Scheduled | Failed | NeedsATime {
  must(moving(post));
}

/** @throws PostHasNotFailed */
export function mustHaveFailed(post: ExistingPost): asserts post is Failed {
  must(retrying(post));
}

/** @throws PostIsNotPending */
export function mustBePending(post: ExistingPost): asserts post is PendingDraft {
  must(deciding(post));
}

/** @throws PublishingInProgress, DeliveryIsNotUnconfirmed */
export function mustBeUnconfirmed(post: ExistingPost): asserts post is Failed {
  must(resolving(post));
}

/** @throws ContentCannotBePublished with every rule the stored text breaks. */
export function mustBePublishable(post: ExistingPost): void {
  must(publishing(post));
}

/** @throws ScheduleIsInThePast, ScheduleIsTooFarAhead */
export function mustBeAhead(scheduledAt: Instant, now: Instant): void {
  if (scheduledAt <= now) throw new ScheduleIsInThePast(scheduledAt);
  const latest = yearsAfter(now, LATEST_YEARS_AHEAD);
  if (scheduledAt > latest) throw new ScheduleIsTooFarAhead(latest);
}

/** The same calendar day, as text: instants of one form order like their text. 29 February becomes 28. */
function yearsAfter(instant: Instant, years: number): Instant {
  const year = String(Number(instant.slice(0, 4)) + years).padStart(4, '0');
  return `${year}${instant.slice(4).replace('-02-29', '-02-28')}`;
}

export const ACTIONS = [
  'edit',
  'revert',
  'approve',
  'reject',
  'reschedule',
  'retry',
  'resolve',
  'delete',
] as const;
export type PostAction = (typeof ACTIONS)[number];

const refusals: Record<PostAction, (post: ExistingPost) => Refusal> = {
  edit: editing,
  revert: (post) => editing(post) ?? (post.status === 'draft' ? () => new PostIsNotQueued('draft') : null),
  approve: (post) => deciding(post) ?? publishing(post),
  reject: deciding,
  reschedule: (post) => moving(post) ?? publishing(post),
  retry: (post) => retrying(post) ?? publishing(post),
  resolve: resolving,
  delete: liveness,
};

/** What may be asked of this post now, by the guards the decisions themselves use. */
export function allowedActions(post: Post): PostAction[] {
  return exists(post) ? ACTIONS.filter((action) => refusals[action](post) === null) : [];
}
