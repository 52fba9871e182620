import { inDoubt } from '#libs/content';
import type { FailureReport, Instant } from '#libs/content';
import { dueAtOf, hold, recordFailed, recordLost, startAttempt } from './delivery.js';
import { ApprovalIsForOtherContent } from './post.errors.js';
import type { PostEvent } from './post.events.js';
import type { ExistingPost, Post, Scheduled } from './post.js';
import { exists } from './post.js';
import type { ThreadPart } from './thread.js';
import { threadEligibilityOf } from './thread.js';

/** What a claim knows besides the post itself. */
export interface ClaimCircumstances {
  /** By the database's clock. */
  readonly now: Instant;
  readonly attemptId: string;
  readonly fingerprint: string;
  readonly before: ThreadPart | null;
  readonly destination:
    | {
        readonly connectionId: string;
        readonly heldUntil: Instant | null;
        readonly holdReason: string | null;
      }
    | { readonly failure: FailureReport };
  /** The first rule of the network that the content breaks; null when none. */
  readonly violatedRule: { readonly ruleId: string; readonly message: string } | null;
  readonly lateWindowMs: number;
  /** The database may have lost an attempt to send it: it may be live. */
  readonly mayBeLive: boolean;
}

export type ClaimDecision =
  /** Edited, moved, deleted or taken by somebody else meanwhile: nothing to do here. */
  | { readonly kind: 'leave' }
  | { readonly kind: 'settle'; readonly events: readonly PostEvent[] }
  | {
      readonly kind: 'start';
      readonly events: readonly PostEvent[];
      readonly post: Scheduled;
      readonly replyTo: string | null;
    };

/** What becomes of a post that looked due, decided on its latest state: sent, put back, given up, or left alone. */
export function decideClaim(state: Post, so: ClaimCircumstances): ClaimDecision {
  if (!exists(state) || !isWaiting(state)) return { kind: 'leave' };
  if (dueAtOf(state) > so.now)
    return hasHoldEndedEarly(state, so) ? releaseHold(state, so) : { kind: 'leave' };
  const turn = threadEligibilityOf(state.thread, so.before);
  if (!turn.may) return { kind: 'leave' };
  if (so.mayBeLive) return startReconciliation(state, so, turn.replyTo);
  if (isLate(state, turn.since, so)) return settle(recordFailed({ attemptId: null, failure: missed })(state));
  if ('failure' in so.destination)
    return settle(recordFailed({ attemptId: null, failure: so.destination.failure })(state));
  if (so.violatedRule)
    return settle(recordFailed({ attemptId: null, failure: unpublishable(so.violatedRule) })(state));
  const { connectionId, heldUntil, holdReason } = so.destination;
  if (heldUntil && heldUntil > so.now)
    return settle(
      hold({ attemptId: null, until: heldUntil, reason: holdReason ?? 'held_by_network' })(state),
    );
  return start(state, { ...so, connectionId }, turn.replyTo);
}

/** It waits for a hold of its account or network, and that hold has ended early. A hold that an attempt asked for runs its time. */
const hasHoldEndedEarly = (post: Scheduled, { now, destination }: ClaimCircumstances): boolean =>
  post.scheduledAt <= now &&
  post.held?.attemptId === null &&
  'connectionId' in destination &&
  (destination.heldUntil === null || destination.heldUntil <= now);

/** Due now. Sent by a claim of its own, so that nothing but a due post is ever sent. */
const releaseHold = (post: Scheduled, { now }: ClaimCircumstances): ClaimDecision =>
  settle(hold({ attemptId: null, until: now, reason: 'hold_ended' })(post));

/** Begins an attempt that only looks, whatever else speaks against sending: nobody may retry what may be live. */
function startReconciliation(
  state: Scheduled,
  so: ClaimCircumstances,
  replyTo: string | null,
): ClaimDecision {
  const doubt = settle(recordLost(attemptWasLost)(state));
  if ('failure' in so.destination) return doubt;
  const decision = start(state, { ...so, connectionId: so.destination.connectionId }, replyTo);
  return decision.kind === 'start' ? decision : doubt;
}

function start(
  post: Scheduled,
  { attemptId, connectionId, fingerprint, now }: ClaimCircumstances & { readonly connectionId: string },
  replyTo: string | null,
): ClaimDecision {
  try {
    const events = startAttempt({ attemptId, connectionId, fingerprint }, now)(post);
    return { kind: 'start', events, post, replyTo };
  } catch (error) {
    if (!(error instanceof ApprovalIsForOtherContent)) throw error;
    return settle(recordFailed({ attemptId: null, failure: approvalOutdated })(post));
  }
}

function settle(events: readonly PostEvent[]): ClaimDecision {
  return { kind: 'settle', events };
}

const isWaiting = (post: ExistingPost): post is Scheduled =>
  post.status === 'scheduled' && post.attempt === null;

/** Counted from its own time, or from when the part before it was published if that was later. */
function isLate(post: Scheduled, since: Instant | null, { now, lateWindowMs }: ClaimCircumstances): boolean {
  const from = since !== null && since > post.scheduledAt ? since : post.scheduledAt;
  return Date.parse(now) - Date.parse(from) > lateWindowMs;
}

const missed: FailureReport = {
  code: 'publish_window_missed',
  class: 'missed',
  networkCode: null,
  message: 'The time for this post passed long ago while it could not be sent.',
  nextStep: 'Give it a new time if it should still go out.',
};

export const attemptWasLost: FailureReport = inDoubt(
  'The database lost its last changes in a failover or restore, and this post was due by then. It may be live.',
);

const approvalOutdated: FailureReport = {
  code: 'approval_for_other_content',
  class: 'permanent',
  networkCode: null,
  message: 'What would be sent is not what was approved.',
  nextStep: 'Have the post approved as it is now, then schedule it again.',
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
