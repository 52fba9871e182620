import type { Failure } from '../failure.js';
import type { Reply } from '../exchange.js';
import { failureOf } from '../failures.js';
import { type Brought, broughtBy, finishReasonOf } from '../finish.js';
import { MAX_TOOL_CALLS } from '../tool-calls.js';
import { isRecord, list, record, text } from '../values.js';
import type { Attempted, Completion, FinishReason, ToolCall } from '../wire.js';
import { anthropicFailure } from './anthropic-failures.js';
import { anthropicUsage } from './anthropic-usage.js';

const FINISH: ReadonlyMap<unknown, FinishReason> = new Map(
  Object.entries({
    end_turn: 'stop',
    stop_sequence: 'stop',
    max_tokens: 'length',
    model_context_window_exceeded: 'length',
    // Only with tools that run at the provider, which are not requested: the response is not finished.
    pause_turn: 'length',
    tool_use: 'tool_calls',
  } satisfies Record<string, FinishReason>),
);

/** null: not readable. */
export const finishOf = (reason: unknown, brought: Brought): FinishReason | null =>
  finishReasonOf(FINISH, reason, brought);

export const requestIdOf = ({ headers, body }: Reply): string | null =>
  headers['request-id'] ?? text(record(body).request_id) ?? text(record(body).id);

/** A refusal is a response of status 200, and billed. */
export const refusalOf = (details: unknown, status: number, secret: string): Failure => {
  const { category, explanation } = record(details);
  return failureOf('policy', { status, code: text(category) ?? 'refusal', message: explanation, secret });
};

/** A successful response of `POST /v1/messages`. */
export function messagesResponseOf(reply: Reply, secret: string): Attempted<Completion> {
  const { status } = reply;
  const body = record(reply.body);
  const usage = anthropicUsage(body.usage);
  const requestId = requestIdOf(reply);
  const failed = (failure: Failure) => ({ kind: 'failed', failure, usage, requestId }) as const;
  if (body.type === 'error' || (body.error ?? null) !== null) return failed(anthropicFailure(reply, secret));
  if (body.stop_reason === 'refusal') return failed(refusalOf(body.stop_details, status, secret));
  const value = completionOf(body.content, body.stop_reason);
  if (value === null) return failed(failureOf('unreadable', { status, secret }));
  return { kind: 'answered', value, model: text(body.model), usage, requestId };
}

/** Blocks of other types, such as thinking, are no part of the response. null: not readable. */
function completionOf(content: unknown, reason: unknown): Completion | null {
  if (!Array.isArray(content)) return null;
  const blocks = list(content).map(record);
  const words = blocks.filter(({ type }) => type === 'text').map((block) => block.text);
  const calls = blocks.filter(({ type }) => type === 'tool_use').map(toolCallOf);
  if (calls.length > MAX_TOOL_CALLS) return null;
  const texts = words.filter((one) => typeof one === 'string');
  const brought = { text: texts.join(''), toolCalls: calls.filter((call) => call !== null) };
  const hasUnread = texts.length < words.length || calls.includes(null);
  const finishReason = finishOf(reason, broughtBy(brought, hasUnread));
  return finishReason && { ...brought, finishReason };
}

function toolCallOf({ id, name, input }: Readonly<Record<string, unknown>>): ToolCall | null {
  const isCall = text(id) !== null && text(name) !== null && isRecord(input);
  return isCall ? { id: id as string, name: name as string, arguments: JSON.stringify(input) } : null;
}
