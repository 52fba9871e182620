import type { Failure, FailureKind } from '../../providers/wires/failure.js';
import { isHeldBack, type PlannedCredential, type PlannedModel, type RoutingPlan } from '../plan/plan.js';

type Windowed = Pick<PlannedModel, 'contextWindow'>;

/** The largest window that an input exceeds, in tokens; null: none so far. A window that is not known counts as the largest. */
export type ExceededWindow = number | null;

export const exceededBy = (exceeded: ExceededWindow, { contextWindow }: Windowed): ExceededWindow =>
  Math.max(exceeded ?? 0, contextWindow ?? Infinity);

/** Of models that can take a longer input. A window that is not known counts as not larger. */
export const isLarger = ({ contextWindow }: Windowed, exceeded: ExceededWindow): boolean =>
  exceeded === null || (contextWindow !== null && contextWindow > exceeded);

/** One model with one credential. */
export interface Candidate {
  readonly model: PlannedModel;
  readonly credential: PlannedCredential;
}

export interface NextAttempt {
  readonly candidate: Candidate;
  /** Before the attempt. */
  readonly waitMs: number;
}

/** Milliseconds of a monotonic clock. No attempt begins at or after the deadline. */
export interface Time {
  readonly now: number;
  readonly deadline: number;
}

interface Waiting {
  readonly candidate: Candidate;
  readonly readyAt: number;
}

/** The same credential once more: the provider did nothing, or it is overloaded. */
const REPEATED: ReadonlySet<FailureKind> = new Set(['overload', 'not-sent']);
/** A longer wait for the same credential is worth it only when nothing else is left. */
const LONGEST_WAIT_MS = 1_000;
/** Of the credential: another one can serve the same model. */
const OF_THE_CREDENTIAL: ReadonlySet<FailureKind> = new Set(['credential', 'money', 'rate']);
/** With any model this credential fails in the same way. */
const SPENDS_THE_CREDENTIAL: ReadonlySet<FailureKind> = new Set(['credential', 'money']);

/**
 * Decides after each failure what is tried next. Every candidate is tried once, and once more after an overload, after a connection
 * that failed; when nothing else is left, also after a rate limit or a longer overload whose Retry-After ends before the deadline.
 */
export class Fallback {
  private readonly candidates: readonly Candidate[];
  private readonly tried = new Set<Candidate>();
  private readonly repeated = new Set<Candidate>();
  private readonly spentCredentials = new Set<string>();
  /** Models that do not take the request, with any credential. */
  private readonly refusing = new Set<PlannedModel>();
  private exceeded: ExceededWindow = null;
  private readonly waiting: Waiting[] = [];

  /** @param jitter milliseconds to wait before the same credential is used again */
  constructor(
    private readonly plan: RoutingPlan,
    private readonly jitter: () => number,
  ) {
    this.candidates = plan.models.flatMap((model) =>
      model.credentials.map((credential) => ({ model, credential })),
    );
  }

  first(): NextAttempt | null {
    return this.take(this.candidates[0]);
  }

  /** @param failed as `first` or `after` returned it @param wasAsked false: a breaker was open; it is not waited for */
  after(failed: Candidate, failure: Failure, time: Time, wasAsked = true): NextAttempt | null {
    const { kind } = failure;
    if (time.now >= time.deadline || this.isFinal(kind)) return null;
    if (SPENDS_THE_CREDENTIAL.has(kind) && !failure.isOfRequest)
      this.spentCredentials.add(failed.credential.id);
    if (kind === 'invalid') this.refusing.add(failed.model);
    if (kind === 'too-long') this.exceeded = exceededBy(this.exceeded, failed.model);
    const canRepeat = wasAsked && REPEATED.has(kind);
    const waitMs = failure.retryAfterMs ?? this.jitter();
    if (canRepeat && waitMs <= LONGEST_WAIT_MS) {
      const again = this.repeat(failed, time.now + waitMs, time);
      if (again) return again;
    }
    if (failure.retryAfterMs !== null && (canRepeat || (wasAsked && kind === 'rate')))
      this.waiting.push({ candidate: failed, readyAt: time.now + failure.retryAfterMs });
    const next = this.candidates.find((each) => this.isUntried(each) && follows(each, failed, failure));
    return this.take(next) ?? this.afterWaiting(time, (each) => staysWithModel(each, failed, failure));
  }

  /** Whether a silent candidate should leave time for another model, one that is not held back. */
  hasOtherModel({ model }: Candidate): boolean {
    return this.candidates.some(
      (each) => each.model !== model && this.isUntried(each) && !isHeldBack(each.credential),
    );
  }

  /** What one model does not take, another one can: only the content itself is refused for all. */
  private isFinal(kind: FailureKind): boolean {
    return kind === 'policy' && !this.plan.fallbackOnPolicy;
  }

  private isUntried(candidate: Candidate): boolean {
    return !this.tried.has(candidate) && this.canServe(candidate);
  }

  private canServe({ model, credential }: Candidate): boolean {
    const isRefused = this.refusing.has(model) || this.spentCredentials.has(credential.id);
    return !isRefused && isLarger(model, this.exceeded);
  }

  private take(candidate: Candidate | undefined): NextAttempt | null {
    if (!candidate) return null;
    this.tried.add(candidate);
    return { candidate, waitMs: 0 };
  }

  private repeat(candidate: Candidate, readyAt: number, { now, deadline }: Time): NextAttempt | null {
    if (readyAt >= deadline || this.repeated.has(candidate)) return null;
    this.repeated.add(candidate);
    return { candidate, waitMs: Math.max(0, readyAt - now) };
  }

  /** Of the candidates whose provider said when to come back, the first one. */
  private afterWaiting(time: Time, mayFollow: (next: Candidate) => boolean): NextAttempt | null {
    const [soonest] = this.waiting
      .filter(({ candidate }) => this.canServe(candidate) && !this.repeated.has(candidate))
      .filter(({ candidate }) => mayFollow(candidate))
      .toSorted((a, b) => a.readyAt - b.readyAt);
    return soonest ? this.repeat(soonest.candidate, soonest.readyAt, time) : null;
  }
}

/** A key that is not accepted for any model is no reason for another model: its operator would not notice. */
const staysWithModel = (next: Candidate, failed: Candidate, { kind, isOfRequest }: Failure): boolean =>
  kind !== 'credential' || isOfRequest === true || next.model === failed.model;

/** Whether a candidate may be tried after a failure of another one. */
const follows = (next: Candidate, failed: Candidate, failure: Failure): boolean =>
  staysWithModel(next, failed, failure) &&
  (next.model !== failed.model || OF_THE_CREDENTIAL.has(failure.kind));
