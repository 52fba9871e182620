import { Injectable } from '@nestjs/common';
import type { NanoDollars } from '../../usage/spend/spend-ledger.js';
import type { PlannedModel } from '../plan/plan.js';
import type { AiWire, Attempted, WireCall } from '../../providers/wires/wire.js';
import type { AiCall } from '../admit/ai-call.js';
import type { Answered } from './answered.js';
import { type AttemptContext, Attempts } from '../reserve/attempts.js';
import { believable } from '../settle/believable.js';
import { ReturnedModels } from '../settle/returned-models.js';
import { type Estimate, settlementOfAnswer, settlementOfFailure } from '../settle/settlement.js';
import { type AttemptResult, WithFallback } from './with-fallback.js';

/** What is asked of a provider, for a response as a whole. */
export interface AiOperation<T> {
  /** The most that it can cost. */
  estimate(model: PlannedModel): NanoDollars | null;
  call(wire: AiWire, call: WireCall, model: PlannedModel): Promise<Attempted<T>> | undefined;
  /** When the provider did not say what it consumed. null: the response does not show it. */
  estimateOf(model: PlannedModel, value: T): Estimate;
}

export interface UnaryAnswer<T> extends Answered {
  readonly value: T;
}

/** Requests whose response arrives as a whole. */
@Injectable()
export class UnaryCalls {
  constructor(
    private readonly attempts: Attempts,
    private readonly fallback: WithFallback,
    private readonly returned: ReturnedModels,
  ) {}

  /** @throws as `WithFallback.run` */
  run<T>(call: AiCall, operation: AiOperation<T>): Promise<UnaryAnswer<T>> {
    return this.fallback.run(call, (context) => this.attempt(operation, context));
  }

  private async attempt<T>(
    operation: AiOperation<T>,
    context: AttemptContext,
  ): Promise<AttemptResult<UnaryAnswer<T>>> {
    const { call, candidate, earlier } = context;
    const { model } = candidate;
    const attempt = await this.attempts.open(context, operation.estimate(model));
    const said = (await operation.call(attempt.wire, attempt.call, model)) ?? notServed(call);
    const used = { call, model, usageId: attempt.usageId };
    const prices = await this.returned.pricesOf(used, said.model ?? null);
    const outcome = believable(call.capability, { ...model, prices }, said);
    if (outcome.kind === 'failed') {
      const { failure } = outcome;
      const settlement = settlementOfFailure(prices, failure, outcome);
      return { kind: 'failed', failure, record: attempt.end(settlement, failure, failure.status) };
    }
    const estimated = operation.estimateOf({ ...model, prices }, outcome.value);
    const record = attempt.end(settlementOfAnswer(prices, outcome, estimated), null, 200);
    return {
      kind: 'answered',
      value: {
        value: outcome.value,
        model,
        requestedModel: call.plan.chosen,
        providerModel: outcome.model,
        usage: outcome.usage,
        cost: record.cost,
        attempts: [...earlier, record],
      },
    };
  }
}

/** The catalog says that the model can, and its wire cannot. */
const notServed = ({ capability }: AiCall): Extract<Attempted<never>, { kind: 'failed' }> => ({
  kind: 'failed',
  failure: {
    kind: 'model',
    status: null,
    code: null,
    detail: `The provider does not serve ${capability} by its API.`,
    retryAfterMs: null,
  },
  usage: null,
  requestId: null,
});
