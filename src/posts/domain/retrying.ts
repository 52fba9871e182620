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
  /** From 0 to 1, so that posts that failed together are not retried together. */
  readonly jitter: number;
}

/** `until`: the next attempt; when the hold ends early, at the latest. */
export type AfterPassingFailure =
  | { readonly kind: 'failed'; readonly failure: FailureReport }
  | {
      readonly kind: 'held';
      readonly until: Instant;
      readonly reason: string;
      readonly failure: FailureReport;
      readonly endsEarly?: true;
    };

const MAX_WAIT_MS = 300_000;
/** A claim takes place some time after the post is due. */
const CLAIM_MARGIN_MS = 1_000;

/** Retries within the budget and the late window; after them the post fails with its last failure. */
export function retryOrFail(
  retrying: Retrying | null,
  { failure, at, endsEarly }: PassingFailure,
  { budgetMs, firstWaitMs, lateAt, jitter }: RetryLimits,
): AfterPassingFailure {
  const now = Date.parse(at);
  const since = Date.parse(retrying?.since ?? at);
  const end = Math.min(since + budgetMs, Date.parse(lateAt) - CLAIM_MARGIN_MS);
  if (end <= now) return { kind: 'failed', failure };
  const wait = Math.min(firstWaitMs * 2 ** (retrying?.failures ?? 0), MAX_WAIT_MS) * (0.5 + jitter / 2);
  const until = new Date(endsEarly ? end : Math.min(now + wait, end)).toISOString();
  return { kind: 'held', until, reason: failure.code, failure, ...(endsEarly && { endsEarly }) };
}

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
  if (failure)
    return {
      since: before?.since ?? at,
      failures: (before?.failures ?? 0) + (attemptId === null ? 0 : 1),
      failure,
    };
  return attemptId === null || OWN_PAUSES.has(reason) ? before : null;
}
