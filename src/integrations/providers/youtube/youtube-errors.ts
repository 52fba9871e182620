import type { FailureClass, FailureReport } from '#libs/content';
import type { Refusal } from '../../domain/provider-publishing.js';
import { wordsIn } from '../values.js';
import { UPLOAD_LIMIT_HOLD_MS } from './youtube-limits.js';

/** The parts of a refusal of Google's APIs that are used. */
export interface YoutubeError {
  readonly status: number;
  /** Such as `invalidTitle`; null: none was readable. */
  readonly reason: string | null;
  /** It names a quota of a day, also with the reason of a short limit (google-api-python-client #2753). */
  readonly isOfDay?: boolean;
  readonly retryAfterMs: number | null;
}

/** UTF-16 units; longer than every reason that Google documents. */
const MAX_REASON = 100;
const MAX_MESSAGE = 1_000;
const WAIT_MS = 1_000;
/** Google grants a new quota at midnight Pacific time. */
const QUOTA_HOLD_MS = 3_600_000;

/** `{error: {errors: [{reason}]}}` (developers.google.com/youtube/v3/docs/errors, read 2026-11-21). */
export function readYoutubeError(status: number, body: unknown, retryAfterMs: number | null): YoutubeError {
  const { error } = recordIn(body);
  const { errors } = recordIn(error);
  const [first] = Array.isArray(errors) ? (errors as unknown[]) : [];
  const reason = wordsIn(recordIn(first).reason, MAX_REASON);
  const message = wordsIn(recordIn(error).message, MAX_MESSAGE) ?? '';
  return { status, reason, isOfDay: /quota exceeded.{0,200} per day'/i.test(message), retryAfterMs };
}

type Text = readonly [code: string, failureClass: FailureClass, message: string, nextStep: string];

const TOKEN: Text = [
  'token_refused',
  'auth',
  'YouTube no longer accepts the connection of this channel.',
  'Connect the channel again, then retry the post.',
];
const PERMISSION: Text = [
  'permission_missing',
  'permanent',
  'The connection of this channel may not upload videos.',
  'Connect the channel again and allow uploads, then retry the post.',
];
const NO_CHANNEL: Text = [
  'no_channel',
  'permanent',
  'The connected account has no YouTube channel.',
  'Create the channel on YouTube, connect it again, then retry the post.',
];
const FORBIDDEN: Text = [
  'forbidden_by_network',
  'permanent',
  'YouTube does not allow this channel to publish this video.',
  'Check the channel on YouTube for a restriction.',
];
const SUSPENDED: Text = [
  'account_suspended',
  'permanent',
  'YouTube has closed or suspended this channel.',
  'Check the channel on YouTube.',
];
const REFUSED: Text = [
  'refused_by_network',
  'permanent',
  'YouTube refuses this post as it is.',
  'Change the title, the text or the tags, then retry.',
];
const FILE_REFUSED: Text = [
  'media_refused',
  'permanent',
  'YouTube refuses the file of this post. Nothing was published.',
  'Replace the file, then schedule the post again.',
];
const OPTION_REFUSED: Text = [
  'option_refused',
  'permanent',
  'YouTube does not allow this channel to use a chosen option.',
  'Change the privacy of the post, then retry.',
];
const LIMITED: Text = [
  'rate_limited',
  'transient',
  'YouTube asked to wait before further calls.',
  'Retry in some minutes.',
];
const UPLOAD_LIMIT: Text = [
  'upload_limit_reached',
  'transient',
  'This channel has uploaded as many videos as YouTube allows for now.',
  'The post is tried again after a day.',
];
const CLIENT: Text = [
  'client_forbidden',
  'configuration',
  'YouTube does not let this service publish with its present setup.',
  'An operator has to check the project at Google; the post is then sent.',
];
const QUOTA: Text = [
  'quota_exhausted',
  'transient',
  'The uploads to YouTube that Google grants to this service for today are used up.',
  'The post is tried again when the quota is reset, at midnight Pacific time.',
];

/** By reason (docs/videos/insert, "Errors"; docs/core_errors). */
const BY_REASON: ReadonlyMap<string, Text> = new Map<string, Text>([
  ...of(TOKEN, 'authError', 'expired', 'required', 'invalidCredentials'),
  ...of(PERMISSION, 'insufficientPermissions', 'insufficientScopes', 'insufficientAuthorization'),
  ...of(NO_CHANNEL, 'youtubeSignupRequired', 'channelNotFound'),
  ...of(SUSPENDED, 'channelClosed', 'channelSuspended', 'authenticatedUserAccountClosed'),
  ...of(SUSPENDED, 'authenticatedUserAccountSuspended', 'accountClosed', 'accountSuspended'),
  ...of(FORBIDDEN, 'forbidden', 'accountDelegationForbidden', 'authenticatedUserNotChannel'),
  ...of(OPTION_REFUSED, 'forbiddenPrivacySetting', 'forbiddenLicenseSetting', 'forbiddenEmbedSetting'),
  ...of(
    REFUSED,
    'invalidTitle',
    'invalidDescription',
    'invalidTags',
    'invalidCategoryId',
    'invalidPublishAt',
  ),
  ...of(REFUSED, 'invalidVideoMetadata', 'invalidVideoGameRating', 'defaultLanguageNotSet'),
  ...of(FILE_REFUSED, 'invalidFilename', 'mediaBodyRequired', 'uploadTooLarge', 'invalidContentType'),
  ...of(LIMITED, 'rateLimitExceeded', 'userRateLimitExceeded', 'backendError', 'processingFailure'),
  ...of(UPLOAD_LIMIT, 'uploadLimitExceeded'),
  ...of(QUOTA, 'quotaExceeded', 'dailyLimitExceeded'),
  ...of(
    CLIENT,
    'accessNotConfigured',
    'keyInvalid',
    'keyExpired',
    'ipRefererBlocked',
    'dailyLimitExceededUnreg',
  ),
]);

function of(text: Text, ...reasons: string[]): [string, Text][] {
  return reasons.map((reason) => [reason, text]);
}

/** What a refusal means. Every one proves that the call had no effect. */
export function classifyRefusal(error: YoutubeError): Refusal {
  const text = error.isOfDay ? QUOTA : (BY_REASON.get(error.reason ?? '') ?? byStatus(error.status));
  const failure = report(text, error.reason ?? String(error.status));
  switch (text) {
    case TOKEN:
      return { failure, remedy: { kind: 'refresh' } };
    case UPLOAD_LIMIT:
      return { failure, remedy: { kind: 'hold', milliseconds: UPLOAD_LIMIT_HOLD_MS } };
    case QUOTA:
      return { failure, remedy: { kind: 'hold', milliseconds: error.retryAfterMs ?? QUOTA_HOLD_MS } };
    case LIMITED:
      return {
        failure,
        remedy: error.retryAfterMs
          ? { kind: 'hold', milliseconds: error.retryAfterMs }
          : { kind: 'wait', milliseconds: WAIT_MS },
      };
    default:
      return { failure };
  }
}

function byStatus(status: number): Text {
  if (status === 401) return TOKEN;
  if (status === 403) return FORBIDDEN;
  if (status === 413) return FILE_REFUSED;
  if (status === 429) return LIMITED;
  return REFUSED;
}

/** Google's APIs name a reason for what they refuse. Without one, a firewall or proxy answered. */
export const isOfApi = ({ status, reason }: Pick<YoutubeError, 'status' | 'reason'>): boolean =>
  reason !== null || status === 413 || status === 429;

/** Whether the refusal names no reason that is known: after a lost answer, it may be due to bytes that were sent twice. */
export const isUnexplained = ({ status, reason }: Pick<YoutubeError, 'status' | 'reason'>): boolean =>
  (status === 400 || status === 416) && (reason === null || !BY_REASON.has(reason));

/** The gateway's ledger or Google says so. Posts of every channel wait until the reset. */
export const quotaIsExhausted = (retryAfterMs: number): Refusal => ({
  failure: report(QUOTA, 'quotaExceeded'),
  remedy: { kind: 'hold', milliseconds: retryAfterMs },
});

/** The gateway refuses this service. @param code of its problem */
export const gatewayIsMisconfigured = (code: string): Refusal => ({
  failure: {
    code: 'gateway_refused',
    class: 'configuration',
    networkCode: code.slice(0, MAX_REASON),
    message: 'The provider gateway refuses this service. Nothing was published.',
    nextStep: 'An operator has to check GATEWAY_URL and GATEWAY_SERVICE_TOKEN; the post is then sent.',
  },
});

/** YouTube ended the upload before it was complete. */
export const uploadIsGone: Refusal = {
  failure: {
    code: 'media_expired',
    class: 'permanent',
    networkCode: null,
    message: 'YouTube no longer accepts the file that was uploaded for this post. Nothing was published.',
    nextStep: 'Schedule the post again.',
  },
  remedy: { kind: 'prepare-again' },
};

/** YouTube took none of the bytes. Nothing was published. */
export const noProgress: FailureReport = {
  code: 'upload_incomplete',
  class: 'transient',
  networkCode: null,
  message: 'YouTube did not take the last bytes of the file. Nothing was published.',
  nextStep: 'Retry in some minutes.',
};

const report = ([code, failureClass, message, nextStep]: Text, networkCode: string): FailureReport => ({
  code,
  class: failureClass,
  networkCode,
  message,
  nextStep,
});

const recordIn = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
