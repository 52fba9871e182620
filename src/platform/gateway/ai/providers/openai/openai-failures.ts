import { type Failure, type FailureKind, failureOf, kindOfStatus, retryAfterOf } from '../wires/failure.js';
import { isSuccess, type Reply } from '../wires/exchange.js';
import { count, list, type Members, record } from '../wires/values.js';

/** developers.openai.com guides/error-codes, and help.openai.com 6614457. */
const MONEY = new Set([
  'insufficient_quota',
  'credit_balance_exhausted',
  'organization_spend_limit_exceeded',
  'project_spend_limit_exceeded',
  'organization_usage_limit_exceeded',
  'billing_hard_limit_reached',
  'billing_not_active',
]);
const POLICY = new Set(['moderation_blocked', 'content_policy_violation', 'content_filter']);
const RATE = new Set(['rate_limit_exceeded', 'slow_down']);
const CREDENTIAL = new Set(['invalid_api_key', 'account_deactivated', 'insufficient_permissions']);
const OVERLOAD = new Set(['server_is_overloaded', 'server_error', 'engine_overloaded', 'timeout']);
/**
 * OpenRouter has no codes: openrouter.ai/docs/api/reference/limits and /errors-and-debugging. Messages can repeat text of the caller, but do
 * not begin with it.
 */
const KEY_LIMIT = /^key limit exceeded\b/i;
/** Of 402: a smaller request would be served. */
const TOO_LITTLE_MONEY =
  /^(?:this request requires more credits|more credits are required to run this request|prompt tokens limit exceeded)\b/i;
const NO_MODEL = /^\S+ is not a valid model id\b/i;
const TOO_LONG = /maximum context length|context_length_exceeded/i;
/** OpenRouter reserves credits for requests in flight and gives them back: a wait, not a lack of money. */
const IN_FLIGHT = 'openrouter_in_flight_budget';

/**
 * By the code of the body, then by the status. In a response of status 200, OpenRouter's `error.code` is the status.
 * @param body `{error: {message, type, param, code}}`, with OpenRouter `{error: {code, message, metadata}}`
 */
export function openAiFailure({ status, headers, body }: Reply, secret: string): Failure {
  const error = errorIn(body);
  const kind = kindOf(error, isSuccess(status) ? (count(error.code) ?? status) : status);
  const isOfRequest = kind === 'money' ? TOO_LITTLE_MONEY.test(String(error.message)) : undefined;
  const code = typeof error.code === 'string' ? error.code : (error.type ?? error.code);
  const facts = { status, code, message: error.message, retryAfterMs: retryAfterOf(headers), secret };
  return failureOf(kind, { ...facts, isOfRequest, isAfterWork: isOfDrawnImage(error) });
}

/** An image is moderated before and after it is drawn. Without details it is not known when. */
const isOfDrawnImage = ({ code, moderation_details: details }: Members): boolean =>
  code === 'moderation_blocked' && record(details).moderation_stage !== 'input';

/** Empty when the body has none. */
export function errorIn(body: unknown): Members {
  const { error, message } = record(Array.isArray(body) ? body[0] : body);
  return typeof error === 'string' ? { message: error } : { message, ...record(error) };
}

function kindOf(error: Members, status: number): FailureKind {
  const [code, type] = [String(error.code), String(error.type)];
  const named = [code, type];
  const message = String(error.message);
  const metadata = record(error.metadata);
  if (status === 402 && metadata.limit_source === IN_FLIGHT) return 'rate';
  if (status === 402 || named.some((name) => MONEY.has(name))) return 'money';
  if (status === 403 && KEY_LIMIT.test(message)) return 'money';
  if (named.some((name) => POLICY.has(name)) || isModerated(status, metadata)) return 'policy';
  if (code === 'context_length_exceeded' || status === 413 || TOO_LONG.test(message)) return 'too-long';
  if (code === 'model_not_found' || NO_MODEL.test(message)) return 'model';
  if (named.some((name) => RATE.has(name))) return 'rate';
  if (named.some((name) => CREDENTIAL.has(name))) return 'credential';
  if (named.some((name) => OVERLOAD.has(name))) return 'overload';
  return status < 400 && type === 'invalid_request_error' ? 'invalid' : kindOfStatus(status);
}

/** OpenRouter's 403 with the reasons of a moderation. */
const isModerated = (status: number, metadata: Members) =>
  status === 403 && (list(metadata.reasons).length > 0 || typeof metadata.flagged_input === 'string');
