import { type FailureReport, inDoubt } from '#libs/content';
import type { NetworkResponse, Refusal, Remedy } from '../../domain/provider-publishing.js';
import { failureOf, FAILURES, type FailureTemplate, PREPARE_AGAIN, REFRESH, refusal } from '../failures.js';
import {
  ERRORS,
  FAIL_REASONS,
  mediaExpired,
  mediaRefused,
  mediaTooLarge,
  processingFailed,
} from './tiktok-failures.js';
import { errorCodeIn } from './tiktok-values.js';

const NAME = 'TikTok';
/** Windows of TikTok's request limits are minutes; no header says when they end. */
const LIMIT_WINDOW_MS = 60_000;
const DAY_MS = 86_400_000;
/** An operator has to act, and only posts with pictures wait: each is tried again so often, for the budget of its waits. */
const REPAIR_MS = 15 * 60_000;
/** Limits of a day; TikTok names neither their number nor their time zone. */
const DAILY = ['spam_risk_too_many_posts', 'spam_risk_too_many_pending_share', 'reached_active_user_cap'];
const NO_ANSWER = 'TikTok answered with an error of its own. The post may be live.';

/**
 * What a refusal means. TikTok also sends errors with status 200 (reports of clients): then only a code that is known to be a refusal
 * proves that the call had no effect. Class `unconfirmed`: nothing is proved.
 * @param of the call; `step`: other posts of the account do not wait
 */
export function classifyRefusal(
  { status, body }: Pick<NetworkResponse, 'status' | 'body'>,
  now: Date,
  of: 'post' | 'step' = 'post',
): Refusal {
  const code = errorCodeIn(body);
  const known = code === null ? undefined : own(ERRORS, code);
  const networkCode = code === 'ok' ? String(status) : (code ?? String(status));
  if (known && code !== null) return refusal(NAME, networkCode, known, remedyOf(code, now, of));
  if (status < 300) return { failure: inDoubt(NO_ANSWER, networkCode) };
  return byStatus(status, networkCode, now, of);
}

/** For an answer without a code that is known. */
function byStatus(status: number, networkCode: string, now: Date, of: 'post' | 'step'): Refusal {
  const as = (code: string) =>
    refusal(NAME, networkCode, ERRORS[code] ?? FAILURES.refused, remedyOf(code, now, of));
  if (status === 401) return as('access_token_invalid');
  if (status === 429) return as('rate_limit_exceeded');
  return as(status === 403 ? 'spam_risk' : 'invalid_params');
}

function remedyOf(code: string, now: Date, of: 'post' | 'step'): Remedy | undefined {
  if (code === 'access_token_invalid') return REFRESH;
  if (DAILY.includes(code)) return { kind: 'hold', milliseconds: untilTomorrow(now) };
  if (code === 'url_ownership_unverified') return { kind: 'postpone', milliseconds: REPAIR_MS };
  return code === 'rate_limit_exceeded' ? waitOf(of) : undefined;
}

const waitOf = (of: 'post' | 'step'): Remedy => ({
  kind: of === 'post' ? 'hold' : 'postpone',
  milliseconds: LIMIT_WINDOW_MS,
});

/** Until midnight UTC. */
const untilTomorrow = (now: Date): number => DAY_MS - (now.getTime() % DAY_MS);

/** TikTok gives each error a code. */
export const isTikTokError = ({ body }: Pick<NetworkResponse, 'body'>): boolean => errorCodeIn(body) !== null;

/** Whether a response of success says that the call was refused. */
export function isRefusedInside(body: unknown): boolean {
  const code = errorCodeIn(body);
  return code !== null && Object.hasOwn(ERRORS, code);
}

/**
 * What the refusal of a part of a video means. The upload address has statuses of its own and no error codes
 * (content-posting-api-media-transfer-guide; the meaning of 403, 404 and 416 is by reports of clients).
 * @param of `post`: the last part. There 416 does not prove that TikTok lacks the bytes.
 */
export function classifyUpload({ status }: Pick<NetworkResponse, 'status'>, of: 'post' | 'step'): Refusal {
  const networkCode = String(status);
  if (status === 416 && of === 'post') return { failure: inDoubt(NO_ANSWER, networkCode) };
  if (status === 401 || status === 403 || status === 404 || status === 410)
    return refusal(NAME, networkCode, mediaExpired, PREPARE_AGAIN);
  if (status === 413) return refusal(NAME, networkCode, mediaTooLarge);
  if (status === 429) return refusal(NAME, networkCode, FAILURES.rateLimited, waitOf(of));
  return refusal(NAME, networkCode, mediaRefused);
}

/** Why TikTok did not publish a post that it had accepted. Reasons may also be codes of errors. */
export function failedBecause(reason: string | null): FailureReport {
  const known = reason === null ? undefined : (own(FAIL_REASONS, reason) ?? own(ERRORS, reason));
  return failureOf(NAME, reason, known ?? processingFailed);
}

const own = (table: Readonly<Record<string, FailureTemplate>>, name: string): FailureTemplate | undefined =>
  Object.hasOwn(table, name) ? table[name] : undefined;
