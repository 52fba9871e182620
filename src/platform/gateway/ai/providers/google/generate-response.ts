import { type Failure, failureOf } from '../wires/failure.js';
import type { Reply } from '../wires/exchange.js';
import { type Brought, broughtBy, finishReasonOf, MAX_TOOL_CALLS } from '../wires/finish.js';
import { LongString } from '../wires/long-strings.js';
import { isRecord, list, type Members, record, text } from '../wires/values.js';
import type { Attempted, Completion, FinishReason, ToolCall } from '../wires/wire.js';
import { callIdOf } from './generate-request.js';
import { googleFailure } from './google-failures.js';
import { googleUsage } from './google-usage.js';

const FINISH: ReadonlyMap<unknown, FinishReason> = new Map([
  ['STOP', 'stop'],
  ['MAX_TOKENS', 'length'],
]);
const BLOCKED = /^(SAFETY|RECITATION|BLOCKLIST|PROHIBITED_CONTENT|SPII|IMAGE_[A-Z_]+)$/;

export const requestIdOf = ({ body }: Reply): string | null => text(record(body).responseId);

/** What a response, or a chunk of a stream, holds for the caller. */
export interface Generated {
  readonly text: string;
  readonly toolCalls: readonly ToolCall[];
  readonly images: readonly (string | LongString)[];
  /** Whether calls of tools were left out, because they are not readable. */
  readonly hasUnread: boolean;
  /** Of the candidate; null: it is not finished. */
  readonly finishReason: string | null;
}

/** null: not readable. A chunk can have no candidate: it carries usage, or the reason of a block. */
export function generatedIn(body: Members): Generated | null {
  const [candidate] = list(body.candidates);
  const { content, finishReason } = record(candidate);
  const parts = list(record(content).parts).map(record);
  const shown = parts.filter(({ thought }) => thought !== true);
  const toolCalls = shown.filter((part) => 'functionCall' in part).map(toolCallOf);
  if (toolCalls.length > MAX_TOOL_CALLS) return null;
  return {
    text: shown.map((part) => text(part.text) ?? '').join(''),
    toolCalls: toolCalls.filter((call) => call !== null),
    hasUnread: toolCalls.includes(null),
    images: shown.map(({ inlineData }) => dataOf(inlineData)).filter((data) => data !== null),
    finishReason: text(finishReason),
  };
}

const dataOf = (inlineData: unknown): string | LongString | null => {
  const { data } = record(inlineData);
  return data instanceof LongString ? data : text(data);
};

function toolCallOf({ functionCall, thoughtSignature }: Members): ToolCall | null {
  const { id, name, args = {} } = record(functionCall);
  if (text(name) === null || !isRecord(args)) return null;
  const callId = callIdOf({ native: text(id), signature: text(thoughtSignature) });
  return { id: callId, name: name as string, arguments: JSON.stringify(args) };
}

export const blockReasonOf = (body: Members): string | null => text(record(body.promptFeedback).blockReason);

/**
 * How a response ends. A blocked response without content is a refusal.
 * @param reason Google's; null: the response has no candidate or does not say
 */
export function endOf(reason: string | null, brought: Brought): FinishReason | 'policy' | 'unreadable' {
  const { hasText, hasCalls } = brought;
  if (reason !== null && BLOCKED.test(reason)) return hasText || hasCalls ? 'content_filter' : 'policy';
  const finishReason = finishReasonOf(FINISH, reason, brought) ?? 'unreadable';
  return hasCalls && finishReason === 'stop' ? 'tool_calls' : finishReason;
}

/** A successful response of `generateContent` for a completion. */
export function completionOf(reply: Reply, secret: string): Attempted<Completion> {
  const { status } = reply;
  const body = record(reply.body);
  const usage = googleUsage(body.usageMetadata);
  const requestId = requestIdOf(reply);
  const failed = (failure: Failure) => ({ kind: 'failed', failure, usage, requestId }) as const;
  if ('error' in body || Array.isArray(reply.body)) return failed(googleFailure(reply, secret));
  const blocked = blockReasonOf(body);
  if (blocked !== null) return failed(failureOf('policy', { status, code: blocked, secret }));
  const generated = generatedIn(body);
  if (generated === null) return failed(failureOf('unreadable', { status, secret }));
  const { text: words, toolCalls, finishReason } = generated;
  const end = endOf(finishReason, broughtBy(generated, generated.hasUnread));
  if (end === 'policy' || end === 'unreadable')
    return failed(failureOf(end, { status, code: finishReason, secret }));
  const value = { text: words, toolCalls, finishReason: end };
  return { kind: 'answered', value, model: text(body.modelVersion), usage, requestId };
}
