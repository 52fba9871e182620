import type { Refusal, Remedy } from '../../domain/provider-publishing.js';
import {
  auth,
  configuration,
  failureOf,
  type FailureTemplate,
  permanent,
  PREPARE_AGAIN,
  REFRESH,
  refusal,
  REPLACE_FILE,
  RETRY,
  transient,
} from '../failures.js';
import { UPLOAD_LIMIT_HOLD_MS } from './youtube-limits.js';

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
const NAME = 'YouTube';
const WAIT_MS = 1_000;
/** Google grants a new quota at midnight Pacific time. */
const QUOTA_HOLD_MS = 3_600_000;

const TOKEN = auth(
  'token_refused',
  'YouTube no longer accepts the connection of this channel.',
  'Connect the channel again, then retry the post.',
);
const PERMISSION = permanent(
  'permission_missing',
  'The connection of this channel may not upload videos.',
  'Connect the channel again and allow uploads, then retry the post.',
);
const NO_CHANNEL = permanent(
  'no_channel',
  'The connected account has no YouTube channel.',
  'Create the channel on YouTube, connect it again, then retry the post.',
);
const FORBIDDEN = permanent(
  'forbidden_by_network',
  'YouTube does not allow this channel to publish this video.',
  'Check the channel on YouTube for a restriction.',
);
const SUSPENDED = permanent(
  'account_suspended',
  'YouTube has closed or suspended this channel.',
  'Check the channel on YouTube.',
);
const REFUSED = permanent(
  'refused_by_network',
  'YouTube refuses this post as it is.',
  'Change the title, the text or the tags, then retry.',
);
const FILE_REFUSED = permanent(
  'media_refused',
  'YouTube refuses the file of this post. Nothing was published.',
  REPLACE_FILE,
);
const OPTION_REFUSED = permanent(
  'option_refused',
  'YouTube does not allow this channel to use a chosen option.',
  'Change the privacy of the post, then retry.',
);
const LIMITED = transient('rate_limited', 'YouTube asked to wait before further calls.', RETRY);
const UPLOAD_LIMIT = transient(
  'upload_limit_reached',
  'This channel has uploaded as many videos as YouTube allows for now.',
  'The post is tried again after a day.',
);
const CLIENT = configuration(
  'client_forbidden',
  'YouTube does not let this service publish with its present setup.',
  'An operator has to check the project at Google; the post is then sent.',
);
const QUOTA = transient(
  'quota_exhausted',
  'The uploads to YouTube that Google grants to this service for today are used up.',
  'The post is tried again when the quota is reset, at midnight Pacific time.',
);

const GATEWAY_REFUSED = configuration(
  'gateway_refused',
  'The provider gateway refuses this service. Nothing was published.',
  'An operator has to check GATEWAY_URL and GATEWAY_SERVICE_TOKEN; the post is then sent.',
);
const UPLOAD_GONE = permanent(
  'media_expired',
  'YouTube no longer accepts the file that was uploaded for this post. Nothing was published.',
  'Schedule the post again.',
);
const UPLOAD_INCOMPLETE = transient(
  'upload_incomplete',
  'YouTube did not take the last bytes of the file. Nothing was published.',
  RETRY,
);

/** By reason (docs/videos/insert, "Errors"; docs/core_errors). */
const BY_REASON: ReadonlyMap<string, FailureTemplate> = new Map<string, FailureTemplate>([
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

function of(template: FailureTemplate, ...reasons: string[]): [string, FailureTemplate][] {
  return reasons.map((reason) => [reason, template]);
}

/** What a refusal means. Every one proves that the call had no effect. */
export function classifyRefusal(error: YoutubeError): Refusal {
  const template = error.isOfDay ? QUOTA : (BY_REASON.get(error.reason ?? '') ?? byStatus(error.status));
  return refusal(
    NAME,
    error.reason ?? String(error.status),
    template,
    remedyOf(template, error.retryAfterMs),
  );
}

function remedyOf(template: FailureTemplate, retryAfterMs: number | null): Remedy | undefined {
  switch (template) {
    case TOKEN:
      return REFRESH;
    case UPLOAD_LIMIT:
      return { kind: 'hold', milliseconds: UPLOAD_LIMIT_HOLD_MS };
    case QUOTA:
      return { kind: 'hold', milliseconds: retryAfterMs ?? QUOTA_HOLD_MS };
    case LIMITED:
      return retryAfterMs
        ? { kind: 'hold', milliseconds: retryAfterMs }
        : { kind: 'wait', milliseconds: WAIT_MS };
    default:
      return undefined;
  }
}

function byStatus(status: number): FailureTemplate {
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
export const quotaIsExhausted = (retryAfterMs: number): Refusal =>
  refusal(NAME, 'quotaExceeded', QUOTA, { kind: 'hold', milliseconds: retryAfterMs });

/** The gateway refuses this service. @param code of its problem */
export const gatewayIsMisconfigured = (code: string): Refusal =>
  refusal(NAME, code.slice(0, MAX_REASON), GATEWAY_REFUSED);

/** YouTube ended the upload before it was complete. */
export const uploadIsGone = refusal(NAME, null, UPLOAD_GONE, PREPARE_AGAIN);

/** YouTube took none of the bytes. Nothing was published. */
export const noProgress = failureOf(NAME, null, UPLOAD_INCOMPLETE);
