import { credible, NO_USAGE, type Usage } from '../../usage/spend/quantities.js';
import { isSuccess, type Reply } from '../wires/exchange.js';
import { type Failure, type FailureKind, failureOf, kindOfStatus, retryAfterOf } from '../wires/failure.js';
import { type Brought, broughtBy, finishReasonOf, MAX_TOOL_CALLS } from '../wires/finish.js';
import { count, isRecord, list, type Members, record, text } from '../wires/values.js';
import type { Attempted, Completion, FinishReason, ToolCall } from '../wires/wire.js';

/** platform.claude.com docs: errors, rate-limits. */
const BY_TYPE: ReadonlyMap<unknown, FailureKind> = new Map(
  Object.entries({
    rate_limit_error: 'rate',
    billing_error: 'money',
    overloaded_error: 'overload',
    api_error: 'overload',
    timeout_error: 'overload',
    authentication_error: 'credential',
    permission_error: 'credential',
    not_found_error: 'model',
    request_too_large: 'too-long',
  } satisfies Record<string, FailureKind>),
);
const SPEND_LIMIT = 'enforced_spend_limit_reached';
/** Other messages begin with the path of what is invalid, and can repeat text of the caller. */
const NO_MONEY =
  /^(?:you have reached your specified (?:workspace )?api usage limits|your credit balance is too low to access the \S+ api)\b/i;
const TOO_LONG = /prompt is too long|exceeds? (?:the )?(?:model's )?context (?:limit|window)/i;
const POLICY = /blocked by content filtering policy/i;

/** @param reply its body: `{type: "error", error: {type, message, details?}, request_id}` */
export function anthropicFailure({ status, headers, body }: Reply, secret: string): Failure {
  const error = record(record(body).error);
  const kind = kindOf(error, status);
  const code = record(error.details).error_code ?? error.type;
  const { message } = error;
  return failureOf(kind, { status, code, message, retryAfterMs: retryAfterOf(headers), secret });
}

function kindOf(error: Members, status: number): FailureKind {
  const message = String(error.message);
  if (record(error.details).error_code === SPEND_LIMIT || status === 402) return 'money';
  if (error.type === 'invalid_request_error') return ofInvalidRequest(message, status);
  return BY_TYPE.get(error.type) ?? kindOfStatus(status);
}

function ofInvalidRequest(message: string, status: number): FailureKind {
  if (NO_MONEY.test(message)) return 'money';
  if (TOO_LONG.test(message)) return 'too-long';
  if (POLICY.test(message)) return 'policy';
  return status === 400 || isSuccess(status) ? 'invalid' : kindOfStatus(status);
}

/** `input_tokens` excludes what was read from and written to the cache. @returns null when the counts are missing, which is not zero */
export function anthropicUsage(usage: unknown): Usage | null {
  if (!isRecord(usage)) return null;
  const [input, output] = [count(usage.input_tokens), count(usage.output_tokens)];
  if (input === null || output === null) return null;
  return credible({
    ...NO_USAGE,
    inputTokens: input,
    cachedInputTokens: count(usage.cache_read_input_tokens) ?? 0,
    cacheWriteTokens: count(usage.cache_creation_input_tokens) ?? 0,
    outputTokens: output,
  });
}

const COUNTS = ['input_tokens', 'output_tokens', 'cache_read_input_tokens', 'cache_creation_input_tokens'];

/** The counts of a stream are totals: a later one replaces the earlier, and is never added to it. */
export function laterUsage(earlier: Members, later: unknown): Members {
  if (!isRecord(later)) return earlier;
  const counted = COUNTS.filter((name) => count(later[name]) !== null);
  return { ...earlier, ...Object.fromEntries(counted.map((name) => [name, later[name]])) };
}

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
