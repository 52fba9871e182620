import type { Estimated } from '../../models/estimates.js';
import { estimateOf, expectedUsage } from '../../models/estimates.js';
import type { PlannedModel } from '../plans/plan.js';
import type { CompletionRequest, ImageRequest, TranscriptionRequest } from '../../ai-providers/requests.js';
import type { Completion, GeneratedImage, Transcript } from '../../ai-providers/wires/wire.js';
import type { Estimate } from './settlement.js';
import type { Work } from './whole-calls.js';

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

/** As if the maximum of output were what arrived. */
export const completionOfBytes = (request: CompletionRequest, bytes: number): Estimated => ({
  capability: 'completions',
  request: { ...request, maxTokens: Math.ceil(bytes / BYTES_PER_TOKEN) },
});

export const completionWork = (request: CompletionRequest): Work<Completion> => ({
  estimate: (model) =>
    estimated(model, { capability: 'completions', request: requestFor(request, model) }).cost,
  call: (wire, call, model) => wire.complete(call, requestFor(request, model)),
  estimateOf: (model, { text, toolCalls }) =>
    estimated(model, completionOfBytes(request, Buffer.byteLength(text + JSON.stringify(toolCalls)))),
});

export function imageWork(request: ImageRequest): Work<readonly GeneratedImage[]> {
  const expected = (model: PlannedModel, count: number) =>
    estimated(model, {
      capability: 'images',
      provider: model.provider,
      request: { ...request, count },
    });
  return {
    estimate: (model) => expected(model, request.count).cost,
    call: (wire, call) => wire.generateImages?.(call, request),
    estimateOf: (model, images) => expected(model, images.length),
  };
}

export function transcriptionWork(request: TranscriptionRequest): Work<Transcript> {
  const expected = (model: PlannedModel) =>
    estimated(model, { capability: 'transcriptions', provider: model.provider, request });
  return {
    estimate: (model) => expected(model).cost,
    call: (wire, call) => wire.transcribe?.(call, request),
    estimateOf: expected,
  };
}
