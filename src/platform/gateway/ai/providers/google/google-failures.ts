import {
  type Failure,
  type FailureKind,
  failureOf,
  kindOfStatus,
  retryAfterOf,
  waitOf,
} from '../wires/failure.js';
import type { Reply } from '../wires/exchange.js';
import { list, type Members, record, text } from '../wires/values.js';

/** google.rpc.Code names, as ai.google.dev/gemini-api/docs/troubleshooting uses them. */
const BY_STATUS: ReadonlyMap<unknown, FailureKind> = new Map(
  Object.entries({
    RESOURCE_EXHAUSTED: 'rate',
    UNAVAILABLE: 'overload',
    INTERNAL: 'overload',
    DEADLINE_EXCEEDED: 'overload',
    ABORTED: 'overload',
    UNAUTHENTICATED: 'credential',
    PERMISSION_DENIED: 'credential',
    // "… is not available in your country. Please enable billing": of the project, not of the request.
    FAILED_PRECONDITION: 'credential',
    NOT_FOUND: 'model',
    INVALID_ARGUMENT: 'invalid',
    OUT_OF_RANGE: 'invalid',
  } satisfies Record<string, FailureKind>),
);
/** Of RESOURCE_EXHAUSTED. Messages of other errors can repeat text of the caller. */
const NO_MONEY = /^your (?:prepayment credits are depleted|[^.]{1,80}\bspending cap)\b/i;
/** Refusals of a prompt come as a response of status 200, those of some models as this. */
const POLICY = /\bwas blocked\b|\bviolates? .{0,80}\b(?:policy|policies|guidelines)\b/i;
const TOO_LONG = /exceeds the maximum number of tokens|input token count/i;
const KEY_REASON = /^API_KEY_/;
/** The project has no quota for the model at all: what `retryDelay` says is too short then. */
const NO_QUOTA = /\blimit: 0\b/;
const NO_QUOTA_WAIT_MS = 3 * 3_600_000;

/** @param reply its body: `{error: {code, message, status, details[]}}`, also within a list */
export function googleFailure({ status, headers, body }: Reply, secret: string): Failure {
  const error = errorIn(body);
  const reason = text(detailOf(error, 'ErrorInfo').reason);
  const kind = kindOf(error, reason, status);
  const code = reason ?? error.status ?? error.code;
  const retryAfterMs = retryDelayOf(error) ?? retryAfterOf(headers);
  return failureOf(kind, { status, code, message: error.message, retryAfterMs, secret });
}

export const errorIn = (body: unknown): Members =>
  record(record(Array.isArray(body) ? list(body)[0] : body).error);

function kindOf(error: Members, reason: string | null, status: number): FailureKind {
  const message = String(error.message);
  if (status === 402 || error.code === 402) return 'money';
  if (error.status === 'RESOURCE_EXHAUSTED' && NO_MONEY.test(message)) return 'money';
  if (reason !== null && KEY_REASON.test(reason)) return 'credential';
  const named = BY_STATUS.get(error.status);
  if (named === 'invalid' && TOO_LONG.test(message)) return 'too-long';
  if (named === 'invalid' && POLICY.test(message)) return 'policy';
  return named ?? kindOfStatus(status);
}

/** `RetryInfo.retryDelay` is a Duration in JSON: seconds with `s`. */
function retryDelayOf(error: Members): number | null {
  const violations = list(detailOf(error, 'QuotaFailure').violations).map(record);
  const hasNone = violations.some(({ quotaValue }) => quotaValue === '0' || quotaValue === 0);
  if (hasNone || NO_QUOTA.test(String(error.message))) return NO_QUOTA_WAIT_MS;
  const seconds = /^(\d{1,9}(?:\.\d{1,9})?)s$/.exec(String(detailOf(error, 'RetryInfo').retryDelay))?.[1];
  return seconds === undefined ? null : waitOf(Number(seconds) * 1_000);
}

const detailOf = (error: Members, type: string): Members =>
  list(error.details)
    .map(record)
    .find((detail) => String(detail['@type']).endsWith(`google.rpc.${type}`)) ?? {};
