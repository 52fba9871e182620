import { type Estimated, estimateOf, expectedUsage } from '../../models/domain/estimates.js';
import type { PlannedModel } from '../plan/plan.js';
import type {
  CompletionRequest,
  ImageRequest,
  TranscriptionRequest,
} from '../../providers/wires/requests.js';
import { failureOf } from '../../providers/wires/failure.js';
import type { Attempted, Completion, GeneratedImage, Transcript } from '../../providers/wires/wire.js';
import type { SchemaCheck } from './response-schema.js';
import type { Estimate } from '../settle/settlement.js';
import type { AiOperation } from './unary-calls.js';

/** Of text whose tokens the provider did not count. */
export const BYTES_PER_TOKEN = 3;

/** No model is asked for more than it can answer: a fallback can have a smaller maximum than the chosen model. */
export const requestFor = (
  request: CompletionRequest,
  { maxOutputTokens }: PlannedModel,
): CompletionRequest =>
  maxOutputTokens !== null && request.maxTokens > maxOutputTokens
    ? { ...request, maxTokens: maxOutputTokens }
    : request;

export function estimated({ prices }: PlannedModel, request: Estimated): Estimate {
  return { usage: expectedUsage(prices ?? {}, request), cost: estimateOf(prices, request) };
}

/**
 * As if the maximum of output were what arrived. A model that may reason counts as if it had written the maximum: hidden tokens are billed,
 * and can be many times as many as those that arrived.
 * @param bytes of the output that arrived
 */
export function estimatedOutput(model: PlannedModel, request: CompletionRequest, bytes: number): Estimate {
  const most = requestFor(request, model);
  const maxTokens = model.mayReason ? most.maxTokens : Math.ceil(bytes / BYTES_PER_TOKEN);
  return estimated(model, { capability: 'completions', request: { ...most, maxTokens } });
}

type Fits = (check: SchemaCheck) => Promise<boolean>;

/** @param fits whether the text fits the schema of the request */
export const completionOperation = (request: CompletionRequest, fits: Fits): AiOperation<Completion> => ({
  estimate: (model) =>
    estimated(model, { capability: 'completions', request: requestFor(request, model) }).cost,
  call: async (wire, call, model) => {
    const attempted = await wire.complete(call, requestFor(request, model));
    const isAsAsked = await meetsSchema(attempted, request, fits);
    return isAsAsked ? attempted : schemaNotMet(attempted, call.secret);
  },
  estimateOf: (model, { text, toolCalls }) =>
    estimatedOutput(model, request, Buffer.byteLength(text + JSON.stringify(toolCalls))),
});

/** Only a finished text must fit. */
async function meetsSchema(
  attempted: Attempted<Completion>,
  { responseSchema }: CompletionRequest,
  fits: Fits,
): Promise<boolean> {
  if (attempted.kind === 'failed' || responseSchema === null || responseSchema.check === false) return true;
  const { finishReason, text } = attempted.value;
  return finishReason !== 'stop' || fits({ schema: responseSchema.schema, text });
}

/** A failure that is billed: another model can do better. */
function schemaNotMet(attempted: Attempted<Completion>, secret: string): Attempted<Completion> {
  const failure = failureOf('unreadable', { status: 200, code: 'SCHEMA_NOT_MET', secret });
  return { ...attempted, kind: 'failed', failure };
}

export function imageOperation(request: ImageRequest): AiOperation<readonly GeneratedImage[]> {
  const expected = (model: PlannedModel, count: number) =>
    estimated(model, {
      capability: 'images',
      provider: model.provider,
      imageSizes: model.accepts.imageSizes,
      request: { ...request, count },
    });
  return {
    estimate: (model) => expected(model, request.count).cost,
    call: (wire, call) => wire.generateImages?.(call, request),
    estimateOf: (model, images) => expected(model, images.length),
  };
}

export function transcriptionOperation(request: TranscriptionRequest): AiOperation<Transcript> {
  const expected = (model: PlannedModel) =>
    estimated(model, { capability: 'transcriptions', provider: model.provider, request });
  return {
    estimate: (model) => expected(model).cost,
    call: (wire, call) => wire.transcribe?.(call, request),
    estimateOf: expected,
  };
}
