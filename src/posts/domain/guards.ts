import type { Instant } from '#libs/content';
import type { DomainError } from '#libs/errors';
import { DeliveryIsNotUnconfirmed, DeliveryIsUnconfirmed, PublishingInProgress } from './delivery.errors.js';
import {
  ApprovalIsMissing,
  ContentCannotBePublished,
  PostHasNotFailed,
  PostIsNotPending,
  PostIsNotQueued,
  PostIsPublished,
  ScheduleIsInThePast,
  ScheduleIsTooFarAhead,
} from './post.errors.js';
import type { Blocker } from './post.events.js';
import {
  type ApprovalSatisfied,
  type Approved,
  type Draft,
  type ExistingPost,
  exists,
  type Failed,
  type Pending,
  type Post,
  type Scheduled,
} from './post.js';

/** A time further ahead is a typing error: no network keeps an interface for that long. */
const LATEST_YEARS_AHEAD = 5;

export const isUnconfirmed = (post: ExistingPost): post is Failed =>
  post.status === 'failed' && post.failure.class === 'unconfirmed';

export const isBeingSent = (post: ExistingPost): boolean =>
  post.status === 'scheduled' && post.attempt !== null;

export type DraftWithoutTime = Draft & { readonly approval: Approved };
/** Approved after its proposed time, or without one: it stays in the queue until it gets a time. */
export const needsTime = (post: ExistingPost): post is DraftWithoutTime =>
  post.status === 'draft' && post.approval.state === 'approved';

export type PendingDraft = Draft & { readonly approval: Pending };
export const isPending = (post: ExistingPost): post is PendingDraft =>
  post.status === 'draft' && post.approval.state === 'pending';

/** Creates the error that refuses an action, null if it is allowed. Lazy: the view evaluates every refusal at every change. */
export type Refusal = (() => DomainError) | null;

export function throwIfRefused(refusal: Refusal): void {
  if (refusal !== null) throw refusal();
}

/**
 * Every change of a post passes this guard (retry, reschedule, edit, revert, approve, reject, delete): refuses a post with
 * an open attempt or an unconfirmed delivery.
 */
function livenessRefusal(post: ExistingPost): Refusal {
  if (isBeingSent(post)) return () => new PublishingInProgress();
  return isUnconfirmed(post) ? () => new DeliveryIsUnconfirmed() : null;
}

const editRefusal = (post: ExistingPost): Refusal =>
  livenessRefusal(post) ?? (post.status === 'published' ? () => new PostIsPublished() : null);

const rescheduleRefusal = (post: ExistingPost): Refusal => {
  const isQueued = post.status === 'scheduled' || post.status === 'failed' || needsTime(post);
  return livenessRefusal(post) ?? (isQueued ? null : () => new PostIsNotQueued(post.status));
};

const retryRefusal = (post: ExistingPost): Refusal =>
  livenessRefusal(post) ?? (post.status === 'failed' ? null : () => new PostHasNotFailed(post.status));

const decisionRefusal = (post: ExistingPost): Refusal =>
  livenessRefusal(post) ?? (isPending(post) ? null : () => new PostIsNotPending());

const resolveRefusal = (post: ExistingPost): Refusal => {
  if (isBeingSent(post)) return () => new PublishingInProgress();
  return isUnconfirmed(post) ? null : () => new DeliveryIsNotUnconfirmed();
};

const contentRefusal = ({ blockers }: Pick<ExistingPost, 'blockers'>): Refusal =>
  blockers.length > 0 ? () => new ContentCannotBePublished(blockers) : null;

/** @throws PublishingInProgress, DeliveryIsUnconfirmed */
export function mustNotBeLive(post: ExistingPost): void {
  throwIfRefused(livenessRefusal(post));
}

/** @throws PublishingInProgress, DeliveryIsUnconfirmed, PostIsPublished */
export function mustBeEditable(post: ExistingPost): asserts post is Draft | Scheduled | Failed {
  throwIfRefused(editRefusal(post));
}

/** @throws ApprovalIsMissing if a suggestion is pending or rejected */
export function mustBeApprovedIfRequired(
  post: ExistingPost,
): asserts post is ExistingPost & { readonly approval: ApprovalSatisfied } {
  const { state } = post.approval;
  if (state === 'pending' || state === 'rejected') throw new ApprovalIsMissing(state);
}

/** @throws PostIsNotQueued unless the post is scheduled, failed, or approved without a time */
export function mustBeReschedulable(
  post: ExistingPost,
): asserts post is Scheduled | Failed | DraftWithoutTime {
  throwIfRefused(rescheduleRefusal(post));
}

/** @throws PostHasNotFailed */
export function mustHaveFailed(post: ExistingPost): asserts post is Failed {
  throwIfRefused(retryRefusal(post));
}

/** @throws PostIsNotPending */
export function mustBePending(post: ExistingPost): asserts post is PendingDraft {
  throwIfRefused(decisionRefusal(post));
}

/** @throws PublishingInProgress, DeliveryIsNotUnconfirmed */
export function mustBeUnconfirmed(post: ExistingPost): asserts post is Failed {
  throwIfRefused(resolveRefusal(post));
}

/**
 * @param blockers by the current rules, of a post that enters the queue
 * @throws ContentCannotBePublished with every rule that the stored content violates
 */
export function mustBePublishable(post: ExistingPost, blockers: readonly Blocker[] = []): void {
  throwIfRefused(contentRefusal(post) ?? contentRefusal({ blockers }));
}

/** @throws ScheduleIsInThePast, ScheduleIsTooFarAhead */
export function mustBeInTheFuture(scheduledAt: Instant, now: Instant): void {
  throwIfRefused(timeRefusal(scheduledAt, now));
}

export function timeRefusal(scheduledAt: Instant, now: Instant): Refusal {
  if (scheduledAt <= now) return () => new ScheduleIsInThePast(scheduledAt);
  const latest = yearsAfter(now, LATEST_YEARS_AHEAD);
  return scheduledAt > latest ? () => new ScheduleIsTooFarAhead(latest) : null;
}

/** The same calendar day as text: instants of one format sort as text. 29 February becomes 28. */
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
  edit: editRefusal,
  revert: (post) =>
    editRefusal(post) ?? (post.status === 'draft' ? () => new PostIsNotQueued('draft') : null),
  approve: (post) => decisionRefusal(post) ?? contentRefusal(post),
  reject: decisionRefusal,
  reschedule: (post) => rescheduleRefusal(post) ?? contentRefusal(post),
  retry: (post) => retryRefusal(post) ?? contentRefusal(post),
  resolve: resolveRefusal,
  delete: livenessRefusal,
};

/** The actions that the decisions would accept now: both use the same guards. */
export function allowedActions(post: Post): PostAction[] {
  return exists(post) ? ACTIONS.filter((action) => refusals[action](post) === null) : [];
}
