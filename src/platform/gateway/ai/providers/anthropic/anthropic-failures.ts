import { type Failure, type FailureKind, failureOf, kindOfStatus, retryAfterOf } from '../wires/failure.js';
import { isSuccess, type Reply } from '../wires/exchange.js';
import { type Members, record } from '../wires/values.js';

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
