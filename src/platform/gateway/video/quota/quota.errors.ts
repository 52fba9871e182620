import { DomainError } from '#libs/errors';

export class VideoQuotaIsExhausted extends DomainError {
  readonly kind = 'rate-limited';
  readonly code = 'video_quota_exhausted';

  constructor(bucket: string, resetsAt: Date, seconds: number) {
    super('The quota of the video provider is used up for today. Try again after it is reset.', {
      retryAfterSeconds: seconds,
      members: { bucket, resetsAt: resetsAt.toISOString() },
    });
  }
}
