import { inDoubt } from '#libs/content';
import type { FailureReport, Instant } from '#libs/content';
import { dueAtOf, hold, recordFailed, recordLost, startAttempt } from './delivery.js';
import type { MediaReadiness } from './media-readiness.js';
import { MEDIA_PROCESSING, mediaHoldUntil, mediaTookTooLong } from './media-readiness.js';
import { ApprovalIsForOtherContent } from './post.errors.js';
import type { PostEvent } from './post.events.js';
import type { ExistingPost, Post, Scheduled } from './post.js';
import { exists } from './post.js';
import type { ThreadPart } from './thread.js';
import { threadEligibilityOf } from './thread.js';

/** The inputs of a claim other than the post. */
export interface ClaimCircumstances {
  /** From the database's clock. */
  readonly now: Instant;
  readonly attemptId: string;
  readonly fingerprint: string;
  readonly predecessor: ThreadPart | null;
  readonly destination:
    | {
        readonly connectionId: string;
        readonly heldUntil: Instant | null;
        readonly holdReason: string | null;
      }
    | { readonly failure: FailureReport };
  /** The first network rule of severity error that the content violates. */
  readonly violatedRule: { readonly ruleId: string; readonly message: string } | null;
  readonly media: MediaReadiness;
  readonly lateWindowMs: number;
  /** Since when the post may be live by an attempt that the database lost; null: it is not live. */
  readonly maybeLiveSince: Instant | null;
}

export type ClaimDecision =
  /** The post is not due any more, or another worker has it. */
  | { readonly kind: 'leave' }
  | { readonly kind: 'settle'; readonly events: readonly PostEvent[] }
  | {
      readonly kind: 'start';
      readonly events: readonly PostEvent[];
      readonly post: Scheduled;
      readonly replyTo: string | null;
    };

/** Decides on the latest state of a due post: start an attempt, hold it, fail it, or leave it unchanged. */
export function decideClaim(state: Post, circumstances: ClaimCircumstances): ClaimDecision {
  const { now, destination, predecessor, violatedRule, media } = circumstances;
  if (!exists(state) || !isWaiting(state)) return LEAVE;
  if (dueAtOf(state) > now) return hasHoldEndedEarly(state, circumstances) ? releaseHold(state, now) : LEAVE;
  const eligibility = threadEligibilityOf(state.thread, predecessor);
  if (!eligibility.isEligible) return LEAVE;
  const { replyTo, since } = eligibility;
  if (circumstances.maybeLiveSince !== null) return startReconciliation(state, circumstances, replyTo);
  const windowFrom = since !== null && since > state.scheduledAt ? since : state.scheduledAt;
  if (isLate(windowFrom, circumstances)) return fail(state, lateFailure(state, media));
  if ('failure' in destination) return fail(state, destination.failure);
  if (media.kind === 'unusable') return fail(state, media.failure);
  if (violatedRule && media.kind !== 'pending') return fail(state, unpublishable(violatedRule));
  const { connectionId, heldUntil: until, holdReason } = destination;
  if (until && until > now) return postpone(state, until, holdReason ?? 'held_by_network');
  if (media.kind === 'pending')
    return postpone(state, mediaHoldUntil(windowFrom, now, circumstances.lateWindowMs), MEDIA_PROCESSING);
  return start(state, { ...circumstances, connectionId }, replyTo);
}

/**
 * The post waits for its files, which are ready, or for a hold of its account or network that ended early. A hold that an attempt
 * recorded lasts until its end.
 */
const hasHoldEndedEarly = (post: Scheduled, { now, destination, media }: ClaimCircumstances): boolean =>
  post.scheduledAt <= now &&
  post.held?.attemptId === null &&
  !(post.held.reason === MEDIA_PROCESSING && media.kind === 'pending') &&
  'connectionId' in destination &&
  (destination.heldUntil === null || destination.heldUntil <= now);

/** Makes the post due now. A later claim sends it, so that only due posts are ever sent. */
const releaseHold = (post: Scheduled, now: Instant): ClaimDecision => postpone(post, now, 'hold_ended');

/** Starts an attempt that only reconciles, even if the post is late, held or refused by a rule: it may be live. */
function startReconciliation(
  post: Scheduled,
  circumstances: ClaimCircumstances,
  replyTo: string | null,
): ClaimDecision {
  const { destination } = circumstances;
  const unconfirmed = settle(recordLost(attemptWasLost)(post));
  if ('failure' in destination) return unconfirmed;
  const { connectionId } = destination;
  const decision = start(post, { ...circumstances, connectionId }, replyTo);
  return decision.kind === 'start' ? decision : unconfirmed;
}

function start(
  post: Scheduled,
  {
    attemptId,
    connectionId,
    fingerprint,
    maybeLiveSince,
    now,
  }: ClaimCircumstances & { readonly connectionId: string },
  replyTo: string | null,
): ClaimDecision {
  try {
    const attempt = { attemptId, connectionId, fingerprint, ...(maybeLiveSince && { maybeLiveSince }) };
    const events = startAttempt(attempt, now)(post);
    return { kind: 'start', events, post, replyTo };
  } catch (error) {
    if (!(error instanceof ApprovalIsForOtherContent)) throw error;
    return fail(post, approvalOutdated);
  }
}

const LEAVE: ClaimDecision = { kind: 'leave' };

const settle = (events: readonly PostEvent[]): ClaimDecision => ({ kind: 'settle', events });

const fail = (post: Scheduled, failure: FailureReport): ClaimDecision =>
  settle(recordFailed({ attemptId: null, failure })(post));

const postpone = (post: Scheduled, until: Instant, reason: string): ClaimDecision =>
  settle(hold({ attemptId: null, until, reason })(post));

const isWaiting = (post: ExistingPost): post is Scheduled =>
  post.status === 'scheduled' && post.attempt === null;

/** @param from start of the late window: the scheduled time, or the publication of the preceding part if that is later */
const isLate = (from: Instant, { now, lateWindowMs }: ClaimCircumstances): boolean =>
  Date.parse(now) - Date.parse(from) > lateWindowMs;

const lateFailure = ({ held }: Scheduled, media: MediaReadiness): FailureReport =>
  held?.reason === MEDIA_PROCESSING && media.kind === 'pending' ? mediaTookTooLong : lateWindowMissed;

const lateWindowMissed: FailureReport = {
  code: 'publish_window_missed',
  class: 'missed',
  networkCode: null,
  message: 'The post could not be sent within its late window.',
  nextStep: 'Reschedule the post to publish it.',
};

export const attemptWasLost: FailureReport = inDoubt(
  'The database lost its last changes in a failover or restore, and the post was due by then. It may be live.',
);

const approvalOutdated: FailureReport = {
  code: 'approval_for_other_content',
  class: 'permanent',
  networkCode: null,
  message: 'The stored content differs from the approved content.',
  nextStep: 'Have the stored content approved, then schedule the post again.',
};

function unpublishable({ ruleId, message }: { ruleId: string; message: string }): FailureReport {
  return {
    code: 'content_cannot_be_published',
    class: 'permanent',
    networkCode: ruleId,
    message,
    nextStep: 'Edit the post, then retry it.',
  };
}
