import type { FailureReport, Instant } from '#libs/content';
import { isUnconfirmed, mustBeUnconfirmed } from './guards.js';
import {
  AttemptIsNotOpen,
  PostIsNotDue,
  PostIsNotScheduled,
  PublishingInProgress,
} from './delivery.errors.js';
import { ApprovalIsForOtherContent } from './post.errors.js';
import type { By, PostEvent } from './post.events.js';
import { eventIdsOf, type ExistingPost, type Failed, mustExist, type Post, type Scheduled } from './post.js';

export interface AttemptStart {
  /** Also the idempotency key for networks that support one. */
  readonly attemptId: string;
  readonly connectionId: string;
  /** Of the content that will be sent, computed like the fingerprint of an approval. */
  readonly fingerprint: string;
  /** The attempt only looks for the post, which may be on the network since then. */
  readonly maybeLiveSince?: Instant;
}

/** Claims the post before the call: only one attempt can start on a version of the post. */
export const startAttempt =
  (attempt: AttemptStart, now: Instant) =>
  (state: Post): PostEvent[] => {
    const post = mustBeWaiting(mustExist(state));
    const dueAt = dueAtOf(post);
    if (dueAt > now) throw new PostIsNotDue(dueAt);
    if (post.approval.state === 'approved' && post.approval.fingerprint !== attempt.fingerprint)
      throw new ApprovalIsForOtherContent();
    return [{ type: 'PublishAttemptStarted', data: { ...eventIdsOf(post), ...attempt } }];
  };

/** The earliest start of an attempt: the scheduled time, or the end of a hold. */
export const dueAtOf = (post: Scheduled): Instant =>
  post.held !== null && post.held.until > post.scheduledAt ? post.held.until : post.scheduledAt;

/** Records an id that the network returned before publication (a container, an upload), so that a takeover resumes. */
export const recordStep =
  (step: { readonly attemptId: string; readonly step: string; readonly networkId: string }) =>
  (state: Post): PostEvent[] => {
    const post = mustMatchOpenAttempt(mustExist(state), step.attemptId);
    return [{ type: 'PublishStepRecorded', data: { ...eventIdsOf(post), ...step } }];
  };

export interface Hold {
  /** The attempt that ends without effect; null if no attempt has started. */
  readonly attemptId: string | null;
  readonly until: Instant;
  /** Stable, snake_case, such as `rate_limited`. */
  readonly reason: string;
  /** What is tried again within a budget. */
  readonly failure?: FailureReport;
  readonly endsEarly?: true;
  readonly lateFrom?: Instant;
}

export const hold =
  (held: Hold) =>
  (state: Post): PostEvent[] => {
    const post = mustMatchOpenAttempt(mustExist(state), held.attemptId);
    return [{ type: 'PostHeld', data: { ...eventIdsOf(post), ...held } }];
  };

export interface DeliveredPost {
  readonly platformPostId: string;
  readonly platformPostUrl: string | null;
}

export const recordPublished =
  ({ attemptId, platformPostId, platformPostUrl }: DeliveredPost & { readonly attemptId: string }) =>
  (state: Post): PostEvent[] => {
    const post = mustMatchOpenAttempt(mustExist(state), attemptId);
    return [
      { type: 'PostPublished', data: { ...eventIdsOf(post), attemptId, platformPostId, platformPostUrl } },
    ];
  };

/** `attemptId` null: it failed before an attempt started, for example because no account is connected or the late window ended. */
export const recordFailed =
  ({ attemptId, failure }: { readonly attemptId: string | null; readonly failure: FailureReport }) =>
  (state: Post): PostEvent[] => {
    const post = mustMatchOpenAttempt(mustExist(state), attemptId);
    if (attemptId === null && failure.class === 'unconfirmed') throw new AttemptIsNotOpen(attemptId);
    return [{ type: 'PostPublishFailed', data: { ...eventIdsOf(post), attemptId, failure } }];
  };

/** The database may have lost an attempt that cannot be reconciled. @param failure of the class `unconfirmed` */
export const recordLost =
  (failure: FailureReport) =>
  (state: Post): PostEvent[] => {
    const post = mustMatchOpenAttempt(mustExist(state), null);
    return [{ type: 'PostPublishFailed', data: { ...eventIdsOf(post), attemptId: null, failure } }];
  };

export type Resolution = ({ readonly delivered: true } & DeliveredPost) | { readonly delivered: false };

const NOT_DELIVERED: FailureReport = {
  code: 'not_delivered',
  class: 'permanent',
  networkCode: null,
  message: 'The network did not publish this post.',
  nextStep: 'Retry, reschedule or edit the post.',
};

/**
 * Resolves an unconfirmed delivery with what a person or a reconciliation found. Idempotent for the same resolution.
 * @throws DeliveryIsNotUnconfirmed also if it was resolved differently before
 */
export const resolve =
  (resolution: Resolution, by: By) =>
  (state: Post): PostEvent[] => {
    const post = mustExist(state);
    if (isResolvedAs(resolution, post)) return [];
    mustBeUnconfirmed(post);
    return [{ type: 'DeliveryResolved', data: { ...eventIdsOf(post), by, ...outcomeOf(resolution, post) } }];
  };

const outcomeOf = (resolution: Resolution, post: Failed) =>
  resolution.delivered
    ? {
        delivered: true as const,
        platformPostId: resolution.platformPostId,
        platformPostUrl: resolution.platformPostUrl,
        publishedAt: post.failure.failedAt,
      }
    : { delivered: false as const, failure: NOT_DELIVERED };

const isResolvedAs = (resolution: Resolution, post: ExistingPost): boolean =>
  resolution.delivered
    ? post.status === 'published' && post.platformPostId === resolution.platformPostId
    : post.status === 'failed' && post.failure.code === NOT_DELIVERED.code && !isUnconfirmed(post);

function mustBeWaiting(post: ExistingPost): Scheduled {
  if (post.status !== 'scheduled') throw new PostIsNotScheduled(post.status);
  if (post.attempt !== null) throw new PublishingInProgress();
  return post;
}

export function mustMatchOpenAttempt(post: ExistingPost, attemptId: string | null): Scheduled {
  if (post.status !== 'scheduled') throw new PostIsNotScheduled(post.status);
  if ((post.attempt?.attemptId ?? null) !== attemptId) throw new AttemptIsNotOpen(attemptId);
  return post;
}
