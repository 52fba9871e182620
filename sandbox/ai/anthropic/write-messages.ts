import type { AnswerEnd } from '../answers/answer.js';
import { partsOf, tokensOf } from '../answers/tokens.js';
import type { MadeCompletion, StreamEvent } from '../completions/completion.js';
import type { BilledUsage } from '../provider/bill.js';

const REASONS: Readonly<Record<AnswerEnd, string>> = {
  stop: 'end_turn',
  'stop-sequence': 'stop_sequence',
  length: 'max_tokens',
  tools: 'tool_use',
  refusal: 'refusal',
  filter: 'refusal',
};

export function message(made: MadeCompletion): unknown {
  const { answer, isEmpty } = made;
  const text = answer.tokens.join('');
  const calls = answer.toolCalls.map((call, index) => ({ ...toolUse(made, index), input: call.arguments }));
  const words = text === '' ? [] : [{ type: 'text', text, citations: null }];
  return {
    ...head(made),
    content: isEmpty ? [] : [...words, ...calls],
    ...endOf(made),
    ...(made.usage && { usage: usageOf(made.usage) }),
  };
}

const head = ({ requestId, model }: MadeCompletion): Record<string, unknown> => ({
  id: `msg_${requestId.slice(4)}`,
  type: 'message',
  role: 'assistant',
  model: model.snapshot ?? model.id,
});

const toolUse = ({ requestId, answer }: MadeCompletion, index: number): Record<string, unknown> => ({
  type: 'tool_use',
  id: `toolu_${requestId.slice(4, 26)}${index}`,
  name: answer.toolCalls[index]?.name,
});

const endOf = ({ answer }: MadeCompletion): Record<string, unknown> => ({
  stop_reason: REASONS[answer.end],
  stop_sequence: answer.stopSequence,
  ...(REASONS[answer.end] === 'refusal' && {
    stop_details: { type: 'refusal', category: null, explanation: null },
  }),
});

/** The input excludes what was read from and written to the cache. */
function usageOf(usage: BilledUsage): Record<string, unknown> {
  return {
    input_tokens: usage.inputTokens + usage.inputImageTokens,
    cache_creation_input_tokens: usage.cacheWriteTokens,
    cache_read_input_tokens: usage.cachedInputTokens,
    cache_creation: { ephemeral_5m_input_tokens: usage.cacheWriteTokens, ephemeral_1h_input_tokens: 0 },
    output_tokens: usage.outputTokens,
    service_tier: 'standard',
  };
}

const event = (
  data: Readonly<Record<string, unknown>>,
  kind: StreamEvent['kind'],
  tokens = 0,
): StreamEvent => ({
  text: `event: ${String(data.type)}\ndata: ${JSON.stringify(data)}\n\n`,
  kind,
  tokens,
});

/** The input is counted in the first event, the output cumulatively in the last but one. */
export function* messageEvents(made: MadeCompletion): Generator<StreamEvent> {
  const { usage, answer, isEmpty } = made;
  const begun = usage && { ...usageOf(usage), output_tokens: Math.min(1, usage.outputTokens) };
  const open = { ...head(made), content: [], stop_reason: null, stop_sequence: null };
  yield event({ type: 'message_start', message: { ...open, ...(begun && { usage: begun }) } }, 'frame');
  if (!isEmpty) yield* blocks(made);
  yield event(
    {
      type: 'message_delta',
      delta: endOf(made),
      ...(usage && { usage: { output_tokens: usage.outputTokens } }),
    },
    isEmpty && answer.tokens.length > 0 ? 'frame' : 'end',
  );
  yield event({ type: 'message_stop' }, 'terminal');
}

function* blocks(made: MadeCompletion): Generator<StreamEvent> {
  const { answer, tokensPerPart } = made;
  let index = 0;
  if (answer.tokens.length > 0) {
    yield event({ type: 'content_block_start', index, content_block: { type: 'text', text: '' } }, 'frame');
    yield event({ type: 'ping' }, 'frame');
    for (const part of partsOf(answer.tokens, tokensPerPart))
      yield delta(index, { type: 'text_delta', text: part.join('') }, part.length);
    yield event({ type: 'content_block_stop', index }, 'frame');
    index += 1;
  }
  for (const [call, { name, arguments: input }] of answer.toolCalls.entries()) {
    const block = { ...toolUse(made, call), input: {} };
    yield event(
      { type: 'content_block_start', index, content_block: block },
      'content',
      tokensOf(name).length,
    );
    yield delta(index, { type: 'input_json_delta', partial_json: '' }, 0);
    for (const part of partsOf(tokensOf(JSON.stringify(input)), tokensPerPart))
      yield delta(index, { type: 'input_json_delta', partial_json: part.join('') }, part.length);
    yield event({ type: 'content_block_stop', index }, 'frame');
    index += 1;
  }
}

const delta = (index: number, change: Readonly<Record<string, unknown>>, tokens: number): StreamEvent =>
  event({ type: 'content_block_delta', index, delta: change }, 'content', tokens);
