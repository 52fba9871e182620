import { DomainError, domainError } from '#libs/errors';

/** @param asked what to send instead, as a sentence */
export class FileIsMissing extends domainError('invalid', 'file_missing', (asked: string) => ({
  detail: asked,
  errors: [{ pointer: '#/file', code: 'required', detail: 'is required' }],
})) {}

/** Thrown before the rest of the body arrives. */
export class FileIsTooLarge extends DomainError {
  readonly code = 'file_too_large';

  /**
   * @param kind 413, or 400 for routes whose closed list of statuses has no 413
   * @param pointer what of the body is too large
   */
  constructor(
    maxBytes: number,
    readonly kind: 'too-large' | 'invalid',
    advice = '',
    pointer = '#/file',
  ) {
    super(`The file is larger than ${maxBytes} bytes. ${advice}`.trimEnd(), {
      errors: [{ pointer, code: 'too_large', detail: `must be ${maxBytes} bytes at most` }],
      members: { maxBytes },
    });
  }
}

export class UploadIsNotReadable extends DomainError {
  readonly kind = 'invalid';

  constructor(
    readonly code: 'upload_not_readable' | 'form_not_readable',
    cause: unknown,
  ) {
    super('The body is not a complete multipart/form-data body.', { cause });
  }
}

/** No byte arrived for `stallMs`. */
export class UploadHasStalled extends domainError(
  'invalid',
  'upload_stalled',
  'The upload stopped half way. Send it again.',
) {}

/** The upload is slower than the minimum rate and occupies a connection, a file and a slot. */
export class UploadIsTooSlow extends domainError(
  'timeout',
  'upload_too_slow',
  (minBytesPerSecond: number) => ({
    detail: `The upload is slower than ${minBytesPerSecond} bytes per second. Send it over a faster connection.`,
    members: { minBytesPerSecond },
  }),
) {}

export class UploadTookTooLongToArrive extends domainError(
  'timeout',
  'upload_deadline_exceeded',
  (deadlineMs: number) =>
    `The upload took longer than ${Math.round(deadlineMs / 1_000)} seconds. Send a smaller file.`,
) {}

/** The upload took so long that its object is being removed as abandoned. */
export class UploadTookTooLong extends domainError('unavailable', 'upload_took_too_long', {
  detail: 'The upload took too long. Send the file again.',
  retryAfterSeconds: 1,
}) {}

export class TooManyUploads extends domainError('rate-limited', 'too_many_uploads', (perCaller: number) => ({
  detail: `You have ${perCaller} uploads under way. Wait until one of them has ended.`,
  retryAfterSeconds: 5,
})) {}

export class UploadsAreBusy extends domainError('unavailable', 'uploads_busy', {
  detail: 'Too many uploads are under way. Try again in a moment.',
  retryAfterSeconds: 5,
}) {}

export class StorageQuotaIsExceeded extends domainError(
  'too-large',
  'storage_quota_exceeded',
  (quotaBytes: number) => ({
    detail: `The organization may keep ${quotaBytes} bytes of files. Delete some of them first.`,
    members: { quotaBytes },
  }),
) {}
