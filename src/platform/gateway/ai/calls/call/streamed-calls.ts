import { Injectable } from '@nestjs/common';
import { estimateOf } from '../../models/domain/estimates.js';
import type { CompletionRequest } from '../../providers/wires/requests.js';
import type { CompletionPart } from '../../providers/wires/wire.js';
import type { AiCall } from '../admit/ai-requests.js';
import { type AttemptContext, Attempts } from '../reserve/attempts.js';
import { believable, type Ended, settlementOfFailure } from '../settle/settlement.js';
import { ReturnedModels } from '../settle/returned-models.js';
import { ENDED_EARLY, next, type Parts, RunningStream } from './running-stream.js';
import { requestFor } from './operations.js';
import { type AttemptResult, WithFallback } from './with-fallback.js';

/** Completions whose response arrives in parts. */
@Injectable()
export class StreamedCalls {
  constructor(
    private readonly attempts: Attempts,
    private readonly fallback: WithFallback,
    private readonly returned: ReturnedModels,
  ) {}

  /** Resolves with the first content: until then another model can take over. @throws as `WithFallback.run` */
  begin(call: AiCall, request: CompletionRequest): Promise<RunningStream> {
    return this.fallback.run(call, (context) => this.attempt(request, context));
  }

  private async attempt(
    request: CompletionRequest,
    context: AttemptContext,
  ): Promise<AttemptResult<RunningStream>> {
    const { model } = context.candidate;
    const { call: ofRequest } = context;
    const asked = requestFor(request, model);
    const estimate = estimateOf(model.prices, { capability: 'completions', request: asked });
    const attempt = await this.attempts.open(context, estimate);
    let ended: Ended | null = null;
    const call = { ...attempt.call, counted: (counted: Ended) => (ended = counted) };
    const parts = attempt.wire.streamCompletion(call, asked)[Symbol.asyncIterator]() as Parts;
    const first = await firstContent(parts);
    if (first.kind !== 'failed') {
      attempt.begun();
      const { earlier } = context;
      const used = { call: ofRequest, model, usageId: attempt.usageId };
      const pricesOf = (returned: string | null) => this.returned.pricesOf(used, returned);
      const { chosen: requestedModel } = ofRequest.plan;
      const counted = () => ended;
      const begun = { attempt, model, requestedModel, request: asked, earlier, first, parts };
      const value = new RunningStream({ ...begun, counted, pricesOf });
      return { kind: 'answered', value };
    }
    await parts.return?.();
    const settlement = settlementOfFailure(
      model.prices,
      first.failure,
      believable(ofRequest.capability, model, first),
    );
    const record = attempt.end(settlement, first.failure, first.failure.status);
    return { kind: 'failed', failure: first.failure, record };
  }
}

/** Empty texts are no content. */
async function firstContent(parts: Parts): Promise<CompletionPart> {
  for (;;) {
    const part = (await next(parts)) ?? CUT;
    if (part.kind !== 'text' || part.text !== '') return part;
  }
}

/** An adapter ends with `end` or `failed`; this is for one that does not. */
const CUT: CompletionPart = { kind: 'failed', failure: ENDED_EARLY, usage: null, requestId: null };
