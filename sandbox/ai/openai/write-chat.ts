import type { Answer, AnswerEnd } from '../answers/answer.js';
import { partsOf, tokensOf } from '../answers/tokens.js';
import type { MadeCompletion, StreamEvent } from '../completions/completion.js';
import type { BilledUsage } from '../provider/bill.js';

const REASONS: Readonly<Record<AnswerEnd, string>> = {
  stop: 'stop',
  'stop-sequence': 'stop',
  length: 'length',
  tools: 'tool_calls',
  refusal: 'stop',
  filter: 'content_filter',
};

export function chatCompletion(made: MadeCompletion): unknown {
  const { answer, isEmpty, usage } = made;
  const choice = {
    index: 0,
    message: messageOf(made),
    logprobs: null,
    finish_reason: REASONS[answer.end],
  };
  return {
    ...envelope(made, 'chat.completion'),
    choices: isEmpty ? [] : [choice],
    ...(usage && { usage: usageOf(usage, made.reasoningTokens) }),
  };
}

function messageOf({ answer, picture, requestId }: MadeCompletion): unknown {
  const text = answer.tokens.join('');
  const isRefusal = answer.end === 'refusal';
  const calls = answer.toolCalls.map((call, index) => ({
    id: toolCallId(requestId, index),
    type: 'function',
    function: { name: call.name, arguments: JSON.stringify(call.arguments) },
  }));
  const url = picture && `data:${picture.mediaType};base64,${picture.bytes.toString('base64')}`;
  return {
    role: 'assistant',
    content: isRefusal || calls.length > 0 ? null : text,
    refusal: isRefusal ? text : null,
    annotations: [],
    ...(calls.length > 0 && { tool_calls: calls }),
    ...(url && { images: [{ type: 'image_url', image_url: { url } }] }),
  };
}

const envelope = ({ model, requestId, at }: MadeCompletion, object: string): Record<string, unknown> => ({
  id: `chatcmpl-${requestId.slice(4)}`,
  object,
  created: Math.floor(at.getTime() / 1000),
  model: model.snapshot ?? model.id,
  service_tier: 'default',
  system_fingerprint: 'fp_sandbox',
});

const toolCallId = (requestId: string, index: number): string => `call_${requestId.slice(4, 24)}${index}`;

/** Cached tokens are part of the prompt's, reasoning is part of the completion's. */
function usageOf(usage: BilledUsage, reasoningTokens: number): unknown {
  const completion = usage.outputTokens + usage.outputImageTokens;
  const prompt =
    usage.inputTokens +
    usage.cachedInputTokens +
    usage.cacheWriteTokens +
    usage.inputImageTokens +
    usage.inputAudioTokens;
  return {
    prompt_tokens: prompt,
    completion_tokens: completion,
    total_tokens: prompt + completion,
    prompt_tokens_details: { cached_tokens: usage.cachedInputTokens, audio_tokens: usage.inputAudioTokens },
    completion_tokens_details: {
      reasoning_tokens: Math.min(reasoningTokens, usage.outputTokens),
      ...(usage.outputImageTokens > 0 && { image_tokens: usage.outputImageTokens }),
      audio_tokens: 0,
      accepted_prediction_tokens: 0,
      rejected_prediction_tokens: 0,
    },
  };
}

/** Role, content, reason, then the usage with no choices when it was asked for, then `[DONE]`. */
export function* chatEvents(made: MadeCompletion): Generator<StreamEvent> {
  const { asked, usage, isEmpty, answer } = made;
  const head = envelope(made, 'chat.completion.chunk');
  // Every other chunk of a stream that ends with the usage has a usage of null.
  const chunk = (choices: readonly unknown[], of: unknown = null): string =>
    `data: ${JSON.stringify({ ...head, choices, ...(asked.wantsUsage && { usage: of }) })}\n\n`;
  const choice = (delta: unknown, reason: string | null = null): string =>
    chunk([{ index: 0, delta, logprobs: null, finish_reason: reason }]);
  if (!isEmpty) {
    yield { text: choice({ role: 'assistant', content: '', refusal: null }), kind: 'frame', tokens: 0 };
    for (const [delta, tokens] of deltasOf(made)) yield { text: choice(delta), kind: 'content', tokens };
    yield { text: choice({}, REASONS[answer.end]), kind: 'end', tokens: 0 };
  }
  if (asked.wantsUsage && usage)
    yield { text: chunk([], usageOf(usage, made.reasoningTokens)), kind: 'usage', tokens: 0 };
  yield { text: 'data: [DONE]\n\n', kind: 'terminal', tokens: 0 };
}

function* deltasOf({ answer, tokensPerPart, requestId }: MadeCompletion): Generator<[unknown, number]> {
  const member = answer.end === 'refusal' ? 'refusal' : 'content';
  for (const part of partsOf(answer.tokens, tokensPerPart)) yield [{ [member]: part.join('') }, part.length];
  for (const [index, call] of answer.toolCalls.entries())
    yield* toolDeltas(call, index, toolCallId(requestId, index), tokensPerPart);
}

function* toolDeltas(
  call: Answer['toolCalls'][number],
  index: number,
  id: string,
  tokensPerPart: number,
): Generator<[unknown, number]> {
  const begun = { index, id, type: 'function', function: { name: call.name, arguments: '' } };
  yield [{ tool_calls: [begun] }, tokensOf(call.name).length];
  for (const part of partsOf(tokensOf(JSON.stringify(call.arguments)), tokensPerPart))
    yield [{ tool_calls: [{ index, function: { arguments: part.join('') } }] }, part.length];
}
