import type { FailureReport, Instant } from '#libs/content';

/** Automatic retries of a post: since it was scheduled, what it met had no effect and passes by itself. */
export interface Retrying {
  /** Of the first failure. The budget begins then. */
  readonly since: Instant;
  /** Attempts that failed so. */
  readonly failures: number;
  /** The last one. */
  readonly failure: FailureReport;
}

export interface PassingFailure {
  readonly failure: FailureReport;
  /** When it was known, by the database's clock. */
  readonly at: Instant;
  /** The network answers no account: the post waits until any post finds that this is over. */
  readonly endsEarly: boolean;
}

export interface RetryLimits {
  /** Milliseconds from the first failure, after which the post fails; 0: it is not retried. */
  readonly budgetMs: number;
  /** Before the first retry; doubles up to MAX_WAIT_MS. */
  readonly firstWaitMs: number;
  /** End of the late window: an attempt that begins later is `missed`. */
  readonly lateAt: Instant;
  /** The author wants the post in time or not at all. */
  readonly inTimeOnly: boolean;
  /** From 0 to 1, so that posts that failed together are not retried together. */
  readonly jitter: number;
}

/** `until`: the next attempt; when the hold ends early, at the latest. `lateFrom`: see `PostHeld`. */
export type AfterPassingFailure =
  | { readonly kind: 'failed'; readonly failure: FailureReport }
  | {
      readonly kind: 'held';
      readonly until: Instant;
      readonly reason: string;
      readonly failure: FailureReport;
      readonly endsEarly?: true;
      readonly lateFrom?: Instant;
    };

const MAX_WAIT_MS = 300_000;
/** A claim takes place some time after the post is due. */
const CLAIM_MARGIN_MS = 1_000;
/** A post that waits for a repair is decided on again after that, should it not be released before. */
const REPAIR_MS = 86_400_000;

/** The network refuses this service itself, or its configuration is wrong: an operator has to act, not the author. */
const isForOperator = ({ class: failureClass }: FailureReport): boolean => failureClass === 'configuration';

/**
 * Retries within the budget and the late window; after them the post fails with its last failure. A post that waits for an operator
 * has neither: it waits as long as the repair takes, or until it is too late if it is wanted in time only.
 */
export function retryOrFail(
  before: Retrying | null,
  { failure, at, endsEarly }: PassingFailure,
  { budgetMs, firstWaitMs, lateAt, inTimeOnly, jitter }: RetryLimits,
): AfterPassingFailure {
  const now = Date.parse(at);
  if (isForOperator(failure)) return untilRepaired(failure, now, inTimeOnly ? lateAt : null);
  const retrying = sameCause(before, failure);
  const since = Date.parse(retrying?.since ?? at);
  const end = Math.min(since + budgetMs, Date.parse(lateAt) - CLAIM_MARGIN_MS);
  if (end <= now) return { kind: 'failed', failure };
  const wait = Math.min(firstWaitMs * 2 ** (retrying?.failures ?? 0), MAX_WAIT_MS) * (0.5 + jitter / 2);
  const until = new Date(endsEarly ? end : Math.min(now + wait, end)).toISOString();
  return { kind: 'held', until, reason: failure.code, failure, ...(endsEarly && { endsEarly }) };
}

function untilRepaired(failure: FailureReport, now: number, lateAt: Instant | null): AfterPassingFailure {
  const until = new Date(now + REPAIR_MS).toISOString();
  const held = { kind: 'held', reason: failure.code, failure, endsEarly: true } as const;
  if (lateAt === null) return { ...held, until, lateFrom: until };
  const afterWindow = new Date(Date.parse(lateAt) + 1).toISOString();
  return { ...held, until: until < afterWindow ? until : afterWindow };
}

/** The time in which an operator had to act uses up no budget. */
const sameCause = (before: Retrying | null, failure: FailureReport): Retrying | null =>
  before && isForOperator(before.failure) === isForOperator(failure) ? before : null;

/** Pauses of this service: they say nothing about the network. */
const OWN_PAUSES: ReadonlySet<string> = new Set(['interrupted', 'sender_paused', 'media_unreadable']);

export interface RecordedHold {
  readonly attemptId: string | null;
  readonly reason: string;
  readonly failure?: FailureReport;
}

/** After a hold. A network that put the post back by its own answer is no longer the one that failed: the budget ends. */
export function retryingAfter(
  before: Retrying | null,
  { attemptId, reason, failure }: RecordedHold,
  at: Instant,
): Retrying | null {
  if (failure) {
    const { since = at, failures = 0 } = sameCause(before, failure) ?? {};
    return { since, failures: failures + (attemptId === null ? 0 : 1), failure };
  }
  return attemptId === null || OWN_PAUSES.has(reason) ? before : null;
}
