import type { Reply } from '../wires/exchange.js';
import { type Failure, failureOf } from '../wires/failure.js';
import { type Brought, broughtBy, finishReasonOf, MAX_TOOL_CALLS } from '../wires/finish.js';
import { isRecord, list, record, text } from '../wires/values.js';
import type { Attempted, Completion, FinishReason, ToolCall } from '../wires/wire.js';
import { openAiFailure } from './openai-failures.js';
import { billedIn, chatUsage } from './openai-usage.js';

/** What the content of a message, or of a part of a streamed one, holds for the caller. */
interface Content {
  readonly text: string;
  readonly refusal: string | null;
  /** Whether parts were left out, such as thoughts. */
  readonly hasUnread: boolean;
}

/** Content is text, or a list of typed parts; providers other than OpenAI send the latter too. */
export function contentIn(content: unknown): Content {
  if (typeof content === 'string') return { text: content, refusal: null, hasUnread: false };
  const parts = list(content).map(record);
  const words = parts.filter(({ type }) => type === 'text').flatMap((part) => text(part.text) ?? []);
  const refusals = parts.filter(({ type }) => type === 'refusal').flatMap((part) => text(part.refusal) ?? []);
  const hasUnread = Array.isArray(content) ? words.length < parts.length : (content ?? null) !== null;
  return { text: words.join(''), refusal: text(refusals.join('')), hasUnread };
}

const FINISH: ReadonlyMap<unknown, FinishReason> = new Map(
  Object.entries({
    stop: 'stop',
    length: 'length',
    tool_calls: 'tool_calls',
    function_call: 'tool_calls',
    content_filter: 'content_filter',
  } satisfies Record<string, FinishReason>),
);

/** null: not readable. */
export const finishOf = (reason: unknown, brought: Brought): FinishReason | null =>
  finishReasonOf(FINISH, reason, brought);

/** The provider's id of the request: a header of OpenAI, a member of the body elsewhere. */
export const requestIdOf = ({ headers, body }: Reply): string | null =>
  headers['x-request-id'] ?? text(record(body).id);

/** A successful response of `POST /v1/chat/completions`. */
export function chatResponseOf(reply: Reply, secret: string): Attempted<Completion> {
  const body = record(reply.body);
  const usage = chatUsage(body.usage);
  const billed = billedIn(body.usage);
  const requestId = requestIdOf(reply);
  const failed = (failure: Failure) => ({ kind: 'failed', failure, usage, ...billed, requestId }) as const;
  const { status } = reply;
  const [choice] = list(body.choices);
  if (body.error !== undefined && body.error !== null) return failed(openAiFailure(reply, secret));
  const failure = choiceFailure(choice, reply, secret);
  if (failure) return failed(failure);
  const { message, finish_reason: reason } = record(choice);
  const value = completionOf(message, reason);
  if (value === null) return failed(failureOf('unreadable', { status, secret }));
  const isRefused = value.finishReason === 'content_filter' && isEmpty(value);
  if (isRefused) return failed(failureOf('policy', { status, code: 'content_filter', secret }));
  return { kind: 'answered', value, model: text(body.model), usage, ...billed, requestId };
}

/** An error or a refusal that stands in the place of a message. */
function choiceFailure(choice: unknown, { status, headers }: Reply, secret: string): Failure | null {
  if (!isRecord(choice)) return failureOf('unreadable', { status, secret });
  if (choice.finish_reason === 'error' || isRecord(choice.error))
    return openAiFailure({ status, headers, body: { error: choice.error } }, secret);
  const { refusal, content } = record(choice.message);
  const message = text(refusal) ?? contentIn(content).refusal;
  return message === null ? null : failureOf('policy', { status, code: 'refusal', message, secret });
}

const isEmpty = ({ text: words, toolCalls }: Completion) => words === '' && toolCalls.length === 0;

/** null: not readable. */
function completionOf(message: unknown, reason: unknown): Completion | null {
  if (!isRecord(message)) return null;
  const { text: words, hasUnread } = contentIn(message.content);
  const calls = list(message.tool_calls);
  if (calls.length > MAX_TOOL_CALLS) return null;
  const toolCalls = calls.map(toolCallOf).filter((call) => call !== null);
  const brought = { text: words, toolCalls };
  const finishReason = finishOf(reason, broughtBy(brought, hasUnread || toolCalls.length < calls.length));
  return finishReason && { ...brought, finishReason };
}

/** null: of a call of another type, or not readable. */
function toolCallOf(call: unknown): ToolCall | null {
  const { id, function: called } = record(call);
  const { name, arguments: source } = record(called);
  const isCall = text(id) !== null && text(name) !== null && typeof source === 'string';
  return isCall ? { id: id as string, name: name as string, arguments: source } : null;
}
