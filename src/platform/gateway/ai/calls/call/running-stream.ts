import type { Failure } from '../../providers/wires/failure.js';
import type { AttemptRecord, NamedAttempt } from '../fallback/attempt-record.js';
import { NoAttemptSucceeded } from '../fallback/no-attempt-succeeded.js';
import type { Prices } from '../../models/domain/prices.js';
import type { PlannedModel } from '../plan/plan.js';
import type { CompletionRequest } from '../../providers/wires/requests.js';
import type { CompletionPart, FinishReason } from '../../providers/wires/wire.js';
import type { Answered } from './unary-calls.js';
import type { OpenAttempt } from '../reserve/attempts.js';
import {
  believable,
  type Ended,
  type Estimate,
  settlementOfAnswer,
  settlementOfCut,
} from '../settle/settlement.js';
import { estimatedOutput } from './operations.js';

export type Parts = AsyncIterator<CompletionPart, undefined>;

export interface Opening {
  readonly attempt: OpenAttempt;
  readonly model: PlannedModel;
  readonly requestedModel: string;
  readonly request: CompletionRequest;
  readonly earlier: readonly AttemptRecord[];
  readonly first: CompletionPart;
  /** Those after `first`. */
  readonly parts: Parts;
  /** What the provider has counted, once `parts` has ended; null: it says nothing. */
  readonly counted: () => Ended | null;
  /** Of the model that the provider names at the end. */
  readonly pricesOf: (returned: string | null) => Promise<Prices | null>;
}

type Part<Kind> = Extract<CompletionPart, { kind: Kind }>;
export type StreamEvent =
  | Part<'text'>
  | Part<'tool'>
  | ({ readonly kind: 'end'; readonly finishReason: FinishReason } & Answered)
  | { readonly kind: 'error'; readonly error: NoAttemptSucceeded };

/** A stream that has content. No other model can take over any more. */
export class RunningStream implements AsyncDisposable {
  private bytes = 0;
  private record: AttemptRecord | undefined;

  constructor(private readonly opening: Opening) {
    this.measure(opening.first);
  }

  get model(): PlannedModel {
    return this.opening.model;
  }

  /** With this one, as it began. */
  get attempts(): readonly NamedAttempt[] {
    const { provider, model } = this.model;
    return [...this.opening.earlier, { provider, model, outcome: 'begun' }];
  }

  /** Iterable once. Leaving it early ends the request to the provider and settles what was received so far. */
  async *events(): AsyncGenerator<StreamEvent, undefined> {
    const { first, parts } = this.opening;
    try {
      for (let part: CompletionPart | undefined = first; part; part = await next(parts)) {
        if (part !== first) this.measure(part);
        if (part.kind === 'end' || part.kind === 'failed') {
          yield part.kind === 'end' ? await this.finished(part) : this.failed(part);
          return;
        }
        yield part;
      }
      yield this.failed({ kind: 'failed', failure: ENDED_EARLY, usage: null, requestId: null });
    } finally {
      await this[Symbol.asyncDispose]();
    }
  }

  /** Ends the request to the provider and settles what was received so far, once. Also for a stream whose events were not read. */
  async [Symbol.asyncDispose](): Promise<void> {
    try {
      await this.opening.parts.return?.();
    } finally {
      if (!this.record) this.settleCut(null, this.opening.counted() ?? { usage: null, requestId: null });
    }
  }

  private measure(part: CompletionPart): void {
    if (part.kind === 'text') this.bytes += Buffer.byteLength(part.text);
    if (part.kind === 'tool') this.bytes += Buffer.byteLength(part.arguments);
  }

  private async finished(part: Part<'end'>): Promise<StreamEvent> {
    const { attempt, model, requestedModel, earlier, pricesOf } = this.opening;
    const { requestId, model: providerModel, finishReason } = part;
    const prices = await pricesOf(providerModel);
    const said = { usage: part.usage, billed: part.billed, requestId, model: providerModel };
    const outcome = believable('completions', { ...model, prices }, said);
    const { usage } = outcome;
    const settlement = settlementOfAnswer(prices, outcome, this.estimate(prices));
    this.record ??= attempt.end(settlement, null, 200);
    const { cost } = this.record;
    const attempts = [...earlier, this.record];
    return { kind: 'end', finishReason, model, requestedModel, providerModel, usage, cost, attempts };
  }

  private failed({ failure, ...ended }: Part<'failed'>): StreamEvent {
    const record = this.settleCut(failure, ended);
    const { model } = this.opening;
    const [credential] = model.credentials;
    const failed = credential ? [{ candidate: { model, credential }, failure, wasAsked: true }] : [];
    return { kind: 'error', error: new NoAttemptSucceeded(failed, [...this.opening.earlier, record]) };
  }

  /** Nothing when it is settled already. */
  private settleCut(failure: Failure | null, said: Ended): AttemptRecord {
    const { attempt, model } = this.opening;
    const ended = believable('completions', model, said);
    const estimate = this.estimate(model.prices, ended.isOutputCounted);
    const settlement = settlementOfCut(model.prices, failure, ended, estimate);
    return (this.record ??= attempt.end(settlement, failure, 200));
  }

  /** @param isOutputCounted nothing hidden is missing in the provider's count */
  private estimate(prices: PlannedModel['prices'], isOutputCounted = false): Estimate {
    const { model, request } = this.opening;
    const mayReason = model.mayReason && !isOutputCounted;
    return estimatedOutput({ ...model, prices, mayReason }, request, this.bytes);
  }
}

export const ENDED_EARLY: Failure = {
  kind: 'unreadable',
  status: 200,
  code: null,
  detail: 'The stream of the provider ended early.',
  retryAfterMs: null,
};

export async function next(parts: Parts): Promise<CompletionPart | undefined> {
  const { done, value } = await parts.next();
  return done ? undefined : value;
}
