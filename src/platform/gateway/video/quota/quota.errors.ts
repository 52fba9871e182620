import { domainError } from '#libs/errors';

export class VideoQuotaIsExhausted extends domainError(
  'rate-limited',
  'video_quota_exhausted',
  (bucket: string, resetsAt: Date, seconds: number) => ({
    detail: 'The quota of the video provider is used up for today. Try again after it is reset.',
    retryAfterSeconds: seconds,
    members: { bucket, resetsAt: resetsAt.toISOString() },
  }),
) {}
