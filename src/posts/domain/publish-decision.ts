import { type FailureReport, inDoubt, type Instant } from '#libs/content';
import { dueAtOf, hold, recordFailed, recordLost, startAttempt } from './delivery.js';
import { afterStatedHold, lateAtOf, type StatedHold, windowOf } from './late-window.js';
import {
  MEDIA_PROCESSING,
  mediaHoldUntil,
  type MediaReadiness,
  mediaTookTooLong,
} from './media-readiness.js';
import { ApprovalIsForOtherContent } from './post.errors.js';
import type { PostEvent } from './post.events.js';
import { type ExistingPost, exists, type Post, type Scheduled } from './post.js';
import { type RetryLimits, retryOrFail } from './retrying.js';
import { threadEligibilityOf, type ThreadPart } from './thread.js';

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
  readonly network: {
    /** Why nothing is sent to it now; null: this post is sent. */
    readonly outage: FailureReport | null;
    /** One post may find out whether the outage is over. */
    readonly mayProbe: boolean;
  };
  /** The first network rule of severity error that the content violates. */
  readonly violatedRule: { readonly ruleId: string; readonly message: string } | null;
  readonly media: MediaReadiness;
  readonly lateWindowMs: number;
  readonly retry: Omit<RetryLimits, 'lateAt' | 'inTimeOnly'>;
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
      /** End of the late window. */
      readonly lateAt: Instant;
    };

/** Decides on the latest state of a due post: start an attempt, hold it, fail it, or leave it unchanged. */
export function decideClaim(state: Post, circumstances: ClaimCircumstances): ClaimDecision {
  const { now, destination, predecessor, violatedRule, media } = circumstances;
  if (!exists(state) || !isWaiting(state)) return LEAVE;
  if (dueAtOf(state) > now) return hasHoldEndedEarly(state, circumstances) ? releaseHold(state, now) : LEAVE;
  const eligibility = threadEligibilityOf(state.thread, predecessor);
  if (!eligibility.isEligible) return LEAVE;
  const { replyTo, since } = eligibility;
  if (circumstances.maybeLiveSince !== null) return startReconciliation(state, circumstances, eligibility);
  const windowFrom = windowOf(state, since);
  const lateAt = lateAtOf(state, windowFrom, circumstances.lateWindowMs);
  if (now > lateAt) return fail(state, lateFailure(state, media));
  if ('failure' in destination) return fail(state, destination.failure);
  if (media.kind === 'unusable') return fail(state, media.failure);
  if (violatedRule && media.kind !== 'pending') return fail(state, unpublishable(violatedRule));
  const { connectionId, heldUntil: until, holdReason } = destination;
  if (until && until > now)
    return waitForAccount(state, { until, reason: holdReason ?? 'held_by_network' }, lateAt);
  if (media.kind === 'pending')
    return postpone(state, mediaHoldUntil(windowFrom, now, lateAt), MEDIA_PROCESSING);
  const { outage } = circumstances.network;
  if (outage !== null) return waitForNetwork(state, outage, circumstances, lateAt);
  return start(state, { ...circumstances, connectionId }, { replyTo, since });
}

/** Without a call: the network has stated the hold to an earlier one. */
function waitForAccount(post: Scheduled, stated: StatedHold, lateAt: Instant): ClaimDecision {
  const next = afterStatedHold(post, stated, lateAt);
  if (next.kind === 'failed') return fail(post, next.failure);
  const { kind: _, ...held } = next;
  return settle(hold({ attemptId: null, ...held })(post));
}

/** Without a call: other posts have found that the network answers no account. It counts like a failure of this post. */
function waitForNetwork(
  post: Scheduled,
  failure: FailureReport,
  { now, retry }: ClaimCircumstances,
  lateAt: Instant,
): ClaimDecision {
  const limits = { ...retry, lateAt, inTimeOnly: post.ifLate === 'fail' };
  const next = retryOrFail(post.retrying, { failure, at: now, endsEarly: true }, limits);
  if (next.kind === 'failed') return fail(post, next.failure);
  const { kind: _, ...held } = next;
  return settle(hold({ attemptId: null, ...held })(post));
}

/**
 * The post waits for its files, which are ready, or for a hold of its account or network that ended early. A hold that an attempt
 * recorded lasts until its end.
 */
const hasHoldEndedEarly = (
  post: Scheduled,
  { now, destination, media, network }: ClaimCircumstances,
): boolean =>
  post.scheduledAt <= now &&
  post.held?.attemptId === null &&
  !(post.held.reason === MEDIA_PROCESSING && media.kind === 'pending') &&
  'connectionId' in destination &&
  (destination.heldUntil === null || destination.heldUntil <= now) &&
  (network.outage === null || network.mayProbe);

/** Makes the post due now. A later claim sends it, so that only due posts are ever sent. */
function releaseHold(post: Scheduled, now: Instant): ClaimDecision {
  const moved = post.lateFrom !== null && post.lateFrom > now && { lateFrom: now };
  return settle(hold({ attemptId: null, until: now, reason: 'hold_ended', ...moved })(post));
}

/** Starts an attempt that only reconciles, even if the post is late, held or refused by a rule: it may be live. */
function startReconciliation(
  post: Scheduled,
  circumstances: ClaimCircumstances,
  place: ThreadPlace,
): ClaimDecision {
  const { destination } = circumstances;
  const unconfirmed = settle(recordLost(attemptWasLost)(post));
  if ('failure' in destination) return unconfirmed;
  const { connectionId } = destination;
  const decision = start(post, { ...circumstances, connectionId }, place);
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
    lateWindowMs,
  }: ClaimCircumstances & { readonly connectionId: string },
  { replyTo, since }: ThreadPlace,
): ClaimDecision {
  try {
    const attempt = { attemptId, connectionId, fingerprint, ...(maybeLiveSince && { maybeLiveSince }) };
    const events = startAttempt(attempt, now)(post);
    const lateAt = lateAtOf(post, windowOf(post, since), lateWindowMs);
    return { kind: 'start', events, post, replyTo, lateAt };
  } catch (error) {
    if (!(error instanceof ApprovalIsForOtherContent)) throw error;
    return fail(post, approvalOutdated);
  }
}

/** What the part before it decides; nulls outside of a thread. */
interface ThreadPlace {
  readonly replyTo: string | null;
  readonly since: Instant | null;
}

const LEAVE: ClaimDecision = { kind: 'leave' };

const settle = (events: readonly PostEvent[]): ClaimDecision => ({ kind: 'settle', events });

const fail = (post: Scheduled, failure: FailureReport): ClaimDecision =>
  settle(recordFailed({ attemptId: null, failure })(post));

const postpone = (post: Scheduled, until: Instant, reason: string): ClaimDecision =>
  settle(hold({ attemptId: null, until, reason })(post));

const isWaiting = (post: ExistingPost): post is Scheduled =>
  post.status === 'scheduled' && post.attempt === null;

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
