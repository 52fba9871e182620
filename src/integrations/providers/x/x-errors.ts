import type { NetworkResponse, Refusal, Remedy } from '../../domain/provider-publishing.js';
import {
  configuration,
  FAILURES,
  type FailureTemplate,
  permanent,
  PREPARE_AGAIN,
  REFRESH,
  refusal,
  transient,
} from '../failures.js';
import { isRecord, recordIn, wordsIn } from '../values.js';

export interface XError {
  readonly status: number;
  /** Last part of the problem type (`rate-limit-exceeded`), or the v1 error number; null when neither is given. */
  readonly networkCode: string | null;
  /** Lower case; distinguishes errors that X identifies by text only. Never shown. */
  readonly words: string;
}

const OWN_TYPE = /^https:\/\/api\.(x|twitter)\.com\/2\/problems\//;
/** UTF-16 units; the longest code that X documents has 40. */
const MAX_CODE = 100;
/** A reply can arrive before its parent is visible everywhere; about five seconds later it is (twitter-api-v2 #366). */
const PARENT_VISIBLE_AFTER_MS = 5_000;

/** 185: posts of the account, 344: posts and messages (developer.x.com, "Response codes"). */
const DAILY_LIMITS: ReadonlySet<string> = new Set(['185', '344']);
/** The limit of a day is broken down into half hours (help.x.com, "About X limits"). */
const DAILY_LIMIT_MS = 30 * 60_000;
/** Not published by X. */
const SPAM_MS = 4 * 3_600_000;

/** Parses the three error formats of X: a problem, a list of problems, and v1 `{errors:[{code,message}]}`. */
export function readXError(status: number, body: unknown): XError {
  const problem = recordIn(body);
  const listed = Array.isArray(problem.errors) ? problem.errors.filter(isRecord) : [];
  const all = [problem, ...listed];
  const codes = all.map(({ code }) => (typeof code === 'number' ? String(code) : codeIn(code)));
  const types = all.map(({ type, reason }) => lastPart(type) ?? codeIn(reason));
  const texts = all.flatMap(({ title, detail, message }) => [title, detail, message]);
  return {
    status,
    networkCode: [...types, ...codes].find((code) => code !== null) ?? null,
    words: texts
      .filter((text) => typeof text === 'string')
      .join(' ')
      .toLowerCase(),
  };
}

/** X writes problems with both texts or a type of its own, or lists of errors. */
export function isXError({ body }: Pick<NetworkResponse, 'body'>): boolean {
  const { title, detail, type, errors } = recordIn(body);
  if (typeof title === 'string' && typeof detail === 'string') return true;
  return (
    (typeof type === 'string' && OWN_TYPE.test(type)) || (Array.isArray(errors) && errors.some(isRecord))
  );
}

/** Statuses of 500 and above are no refusal and are not passed. @param waitMs until the limit ends, by the headers */
export function classifyRefusal(error: XError, waitMs: number | null): Refusal {
  switch (error.status) {
    case 400:
      return rejectsMedia(error)
        ? refusalOf(error, FAILURES.mediaExpired, PREPARE_AGAIN)
        : refusalOf(error, REFUSED);
    case 401:
      return refusalOf(error, FAILURES.tokenRefused, REFRESH);
    case 402:
      return refusalOf(error, USAGE_CAPPED);
    case 403:
      return classifyForbidden(error, waitMs);
    case 429:
      return classifyLimit(error, waitMs);
    default:
      return refusalOf(error, REFUSED);
  }
}

export const refusalOf = (
  { networkCode, status }: XError,
  template: FailureTemplate,
  remedy?: Remedy,
): Refusal => refusal('X', networkCode ?? String(status), template, remedy);

/** 261: may not write; 416: suspended; 453: an access level without the endpoint (developer.x.com, "Response codes"). */
const OF_CLIENT: ReadonlySet<string> = new Set([
  'client-forbidden',
  'client-not-enrolled',
  'oauth1-permissions',
  '261',
  '416',
  '453',
]);

/** The app, not the account, lacks access: X refuses every call. */
export function forbidsClient({ status, networkCode }: XError): boolean {
  return status === 403 && networkCode !== null && OF_CLIENT.has(networkCode);
}

/** Unknown, expired, used or not yet processed media ids: X does not tell them apart. */
function rejectsMedia({ words }: XError): boolean {
  return /media ids? (are|is) invalid/.test(words);
}

function classifyForbidden(error: XError, waitMs: number | null): Refusal {
  const { networkCode, words } = error;
  if (networkCode === '187' || words.includes('duplicate'))
    return { ...refusalOf(error, DUPLICATE), duplicate: true };
  if (networkCode === '385' || /deleted or not visible/.test(words))
    return refusalOf(error, FAILURES.parentInvisible, {
      kind: 'wait',
      milliseconds: PARENT_VISIBLE_AFTER_MS,
    });
  if (DAILY_LIMITS.has(networkCode ?? '') || /daily (status update )?limit/.test(words))
    return refusalOf(error, FAILURES.rateLimited, { kind: 'hold', milliseconds: waitMs ?? DAILY_LIMIT_MS });
  if (networkCode === '226' || /might be automated/.test(words))
    return refusalOf(error, TAKEN_FOR_SPAM, { kind: 'hold', milliseconds: waitMs ?? SPAM_MS });
  if (/video longer than/.test(words)) return refusalOf(error, VIDEO_TOO_LONG);
  if (/not been mentioned|engaged by the author/.test(words)) return refusalOf(error, REPLY_NOT_ALLOWED);
  return refusalOf(error, forbidsClient(error) ? CLIENT_FORBIDDEN : FORBIDDEN);
}

function classifyLimit(error: XError, waitMs: number | null): Refusal {
  if (error.networkCode === 'usage-capped') return refusalOf(error, USAGE_CAPPED);
  const wait = { kind: 'wait', milliseconds: 1_000 } as const;
  return refusalOf(error, FAILURES.rateLimited, waitMs ? { kind: 'hold', milliseconds: waitMs } : wait);
}

const REFUSED = permanent(
  'refused_by_network',
  'X refuses this post as it is.',
  'Change the text, then retry.',
);
const DUPLICATE = permanent(
  'duplicate_content',
  'X says that this account has already published the same text.',
  'Look at the account; change the text if it is to be published once more.',
);
const REPLY_NOT_ALLOWED = permanent(
  'reply_not_allowed',
  'X does not allow this account to reply in that conversation.',
  'Publish this part as a post of its own.',
);
const CLIENT_FORBIDDEN = configuration(
  'client_forbidden',
  'X does not let this service publish with its present access level.',
  'An operator has to check the application at X; the post is then sent.',
);
const VIDEO_TOO_LONG = permanent(
  'video_too_long',
  'X does not allow this account to publish a video of this length.',
  'Use a shorter video; accounts with a subscription may publish longer ones.',
);
const USAGE_CAPPED = configuration(
  'usage_capped',
  'The posts this service may send to X in this period are used up.',
  'An operator has to raise the limit at X; the post is then sent.',
);
const FORBIDDEN = permanent(
  'forbidden_by_network',
  'X does not allow this account to publish this post.',
  'Check the account at X for a suspension or a restriction.',
);
const TAKEN_FOR_SPAM = transient(
  'temporarily_blocked',
  'X takes the posts of this account for automated spam at present.',
  'Look at the account at X for a notice; wait some hours, then retry.',
);

/** `https://api.x.com/2/problems/usage-capped` → `usage-capped`; `about:blank` has no meaning. */
function lastPart(type: unknown): string | null {
  if (typeof type !== 'string' || type === 'about:blank') return null;
  return codeIn(type.split('/').at(-1));
}

function codeIn(value: unknown): string | null {
  return wordsIn(value, MAX_CODE);
}
