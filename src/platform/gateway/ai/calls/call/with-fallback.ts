import { Injectable, Logger } from '@nestjs/common';
import { SecretIsUnreadable } from '#libs/encryption';
import { DomainError } from '#libs/errors';
import { Breakers } from '../breakers/breakers.js';
import type { Failure } from '../../providers/wires/failure.js';
import type { AttemptRecord, FailedCandidate } from '../fallback/attempt-record.js';
import { Fallback, type NextAttempt } from '../fallback/fallback.js';
import { NoAttemptSucceeded } from '../fallback/no-attempt-succeeded.js';
import { PlanHasChanged } from '../../usage/spend/spend-ledger.js';
import type { AiCall } from '../admit/ai-requests.js';
import { AttemptTime } from '../reserve/attempt-time.js';
import type { AttemptContext } from '../reserve/attempts.js';

/** The outcome of one attempt, with its record. */
export type AttemptResult<T> =
  | { readonly kind: 'answered'; readonly value: T }
  | { readonly kind: 'failed'; readonly failure: Failure; readonly record: AttemptRecord };

export type Attempt<T> = (context: AttemptContext) => Promise<AttemptResult<T>>;

const JITTER_MS = { least: 50, most: 400 };
const jitter = (): number => JITTER_MS.least + Math.random() * (JITTER_MS.most - JITTER_MS.least);

/** Of the ledger: the candidate may cost too much, others may be cheaper. */
const TOO_EXPENSIVE = new Set(['spend_limit_reached', 'spend_estimate_too_large', 'model_unpriced']);
/** How the fallback goes on without a candidate that may not be used: with the next model, or also with another credential. */
const NOT_USED = { status: null, code: null, detail: '', retryAfterMs: null };
const MODEL_IS_TOO_EXPENSIVE: Failure = { ...NOT_USED, kind: 'model' };
const CREDENTIAL_HAS_CHANGED: Failure = { ...NOT_USED, kind: 'money' };
const PASSED_OVER: ReadonlySet<Failure> = new Set([MODEL_IS_TOO_EXPENSIVE, CREDENTIAL_HAS_CHANGED]);
/** A plan can become outdated right after it was read. */
const MAX_PLANS = 5;
/** No configured key decrypts the stored secret. Another credential of the model may serve it, as after a refusal by the provider. */
const UNREADABLE_SECRET: Failure = {
  kind: 'credential',
  status: null,
  code: 'SECRET_UNREADABLE',
  detail: 'The stored credential cannot be decrypted.',
  retryAfterMs: null,
};

/** Runs the attempts of a request one after another until one succeeds. */
@Injectable()
export class WithFallback {
  private readonly logger = new Logger(WithFallback.name);

  constructor(private readonly breakers: Breakers) {}

  /**
   * A candidate that a spend limit does not allow refuses the request when it is the first one; later ones are passed over. So are later
   * ones whose credential was disabled, deleted or rotated after the plan was read; before the first failure the plan is read again.
   * @throws NoAttemptSucceeded, the reason of the caller's signal, errors of the ledger
   */
  async run<T>(call: AiCall, attempt: Attempt<T>): Promise<T> {
    for (let [planned, plans] = [call, 1]; ; plans += 1) {
      try {
        return await this.byPlan(planned, attempt);
      } catch (error) {
        if (!(error instanceof PlanHasChanged) || plans >= MAX_PLANS) throw error;
        planned = { ...call, plan: await call.readPlan() };
      }
    }
  }

  private async byPlan<T>(call: AiCall, attempt: Attempt<T>): Promise<T> {
    const { deadline, plan } = call;
    const fallback = new Fallback(plan, jitter);
    const records: AttemptRecord[] = [];
    const failed: FailedCandidate[] = [];
    for (let next: NextAttempt | null = fallback.first(); next;) {
      const { candidate, waitMs } = next;
      await deadline.sleep(waitMs);
      deadline.assertCallerIsThere();
      using scope = new DisposableStack();
      const time = scope.use(new AttemptTime(deadline, !fallback.hasOtherModel(candidate)));
      const tried = await this.tried(attempt, { call, candidate, earlier: records, time }, failed);
      if (isAnswer(tried)) {
        call.scope.use(scope.move());
        return tried.value;
      }
      deadline.assertCallerIsThere();
      const { failure, record } = outcomeOf(tried);
      if (record) records.push(record);
      if (!PASSED_OVER.has(failure)) failed.push({ candidate, failure, wasAsked: record !== null });
      next = fallback.after(candidate, failure, deadline.time, record !== null);
    }
    throw new NoAttemptSucceeded(failed, records);
  }

  private async tried<T>(
    attempt: Attempt<T>,
    context: AttemptContext,
    failed: readonly FailedCandidate[],
  ): Promise<AttemptResult<T> | Failure> {
    const { candidate, time } = context;
    try {
      return (await this.breakers.refusal(candidate, time.limitMs)) ?? (await attempt(context));
    } catch (error) {
      return this.withoutAttempt(error, context, failed);
    }
  }

  /** How the fallback goes on after an attempt that could not be opened. @throws the error of one that ends the request */
  private async withoutAttempt(
    error: unknown,
    { call, candidate, earlier }: AttemptContext,
    failed: readonly FailedCandidate[],
  ): Promise<Failure> {
    if (error instanceof SecretIsUnreadable) {
      // The secret of an outdated plan says nothing about that of now.
      if (call.plan.expected && failed.length === 0) throw new PlanHasChanged();
      await this.breakers.note(candidate, UNREADABLE_SECRET);
      return UNREADABLE_SECRET;
    }
    await this.breakers.release(candidate);
    if (failed.length === 0) throw error;
    if (error instanceof PlanHasChanged) return CREDENTIAL_HAS_CHANGED;
    if (error instanceof DomainError && TOO_EXPENSIVE.has(error.code)) return MODEL_IS_TOO_EXPENSIVE;
    if (earlier.length === 0 || !(error instanceof DomainError)) throw error;
    // The error alone would tell the caller that nothing was sent, and earlier attempts may have been billed.
    this.logger.warn(error, 'A further attempt could not begin. The request ends with the earlier ones.');
    throw new NoAttemptSucceeded(failed, earlier);
  }
}

const isAnswer = <T>(
  tried: AttemptResult<T> | Failure,
): tried is Extract<AttemptResult<T>, { kind: 'answered' }> => tried.kind === 'answered';

/** A failure alone is one without an attempt. */
const outcomeOf = (tried: Exclude<AttemptResult<unknown>, { kind: 'answered' }> | Failure) =>
  tried.kind === 'failed' ? tried : { failure: tried, record: null };
