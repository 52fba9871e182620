import { Injectable } from '@nestjs/common';
import type { AiWire, Attempted, WireCall } from '../../providers/wires/wire.js';
import type { Usage } from '../../usage/spend/quantities.js';
import type { NanoDollars } from '../../usage/spend/spend-ledger.js';
import type { AiCall } from '../admit/ai-requests.js';
import type { AttemptRecord } from '../fallback/attempt-record.js';
import type { PlannedModel } from '../plan/plan.js';
import { type AttemptContext, Attempts } from '../reserve/attempts.js';
import { believable, type Estimate, settlementOfAnswer, settlementOfFailure } from '../settle/settlement.js';
import { ReturnedModels } from '../settle/returned-models.js';
import { type AttemptResult, WithFallback } from './with-fallback.js';

/** What a caller gets besides the value itself. */
export interface Answered {
  /** The model that served the request. */
  readonly model: PlannedModel;
  /** `provider/model` that the request names, or the default of the organization. */
  readonly requestedModel: string;
  /** The name that the provider gave for it; null: none. */
  readonly providerModel: string | null;
  /** null: the provider did not say. */
  readonly usage: Usage | null;
  /** null: not known, or the model has no price. */
  readonly cost: NanoDollars | null;
  /** All attempts of the request; the last one succeeded. */
  readonly attempts: readonly AttemptRecord[];
}

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
