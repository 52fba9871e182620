import { domainError } from '#libs/errors';
import type { ProviderRefusal } from './youtube.js';

export class VideoQuotaIsExhausted extends domainError(
  'rate-limited',
  'video_quota_exhausted',
  (bucket: string, resetsAt: Date, seconds: number) => ({
    detail: 'The quota of the video provider is used up for today. Try again after it is reset.',
    retryAfterSeconds: seconds,
    members: { bucket, resetsAt: resetsAt.toISOString() },
  }),
) {}

export class ProviderTokenIsMissing extends domainError('invalid', 'provider_token_missing', {
  detail: "Send X-Provider-Token with the channel's access token. The gateway does not store it.",
  errors: [{ header: 'X-Provider-Token', code: 'missing', detail: 'must be an access token' }],
}) {}

export class PartIsNotValid extends domainError('invalid', 'part_not_valid', (detail: string) => ({
  detail,
  errors: [{ header: 'Content-Range', code: 'not_a_part', detail }],
})) {}

/** Also for an upload of another application or organization. */
export class UploadNotFound extends domainError(
  'not-found',
  'upload_not_found',
  'The upload does not exist. Begin a new one.',
) {}

/** The provider no longer knows the session. Before the last part was sent, nothing was published. */
export class UploadSessionIsGone extends domainError(
  'conflict',
  'upload_session_gone',
  'The provider ended this upload. Begin a new one.',
) {}

/** The provider refused the call: it had no effect. */
export class VideoProviderRefused extends domainError(
  'unprocessable',
  'video_provider_refused',
  ({ status, reason, retryAfterSeconds }: ProviderRefusal) => ({
    detail: 'The video provider refuses the call. providerReason is its reason.',
    members: {
      providerStatus: status,
      providerReason: reason,
      providerRetryAfterSeconds: retryAfterSeconds,
    },
  }),
) {}

/** The call was not sent. */
export class VideoProviderIsUnreachable extends domainError(
  'unavailable',
  'video_provider_unreachable',
  'The video provider could not be reached. Nothing was sent; try again in a moment.',
) {}

/** The call was sent and no usable answer came: whether it had an effect is in doubt. */
export class VideoProviderGaveNoAnswer extends domainError(
  'bad-gateway',
  'video_provider_unanswered',
  'The video provider gave no usable answer. The call may have had its effect: read the state first.',
) {}
