import { DomainError } from '#libs/errors';

export class FileIsMissing extends DomainError {
  readonly kind = 'invalid';
  readonly code = 'file_missing';

  /** @param asked what to send instead, as a sentence */
  constructor(asked: string) {
    super(asked, { errors: [{ pointer: '#/file', code: 'required', detail: 'is required' }] });
  }
}

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

/** The body is not a multipart form or is incomplete. */
export class UploadIsNotReadable extends DomainError {
  readonly kind = 'invalid';

  /** @param code as documented by the route */
  constructor(
    readonly code: 'upload_not_readable' | 'form_not_readable',
    cause: unknown,
  ) {
    super('The body is not a complete multipart/form-data body.', { cause });
  }
}

/** No byte arrived for `stallMs`. */
export class UploadHasStalled extends DomainError {
  readonly kind = 'invalid';
  readonly code = 'upload_stalled';

  constructor() {
    super('The upload stopped half way. Send it again.');
  }
}

/** The upload is slower than the minimum rate and occupies a connection, a file and a slot. */
export class UploadIsTooSlow extends DomainError {
  readonly kind = 'timeout';
  readonly code = 'upload_too_slow';

  constructor(minBytesPerSecond: number) {
    super(
      `The upload is slower than ${minBytesPerSecond} bytes per second. Send it over a faster connection.`,
      {
        members: { minBytesPerSecond },
      },
    );
  }
}

/** The whole file did not arrive in time. */
export class UploadTookTooLongToArrive extends DomainError {
  readonly kind = 'timeout';
  readonly code = 'upload_deadline_exceeded';

  constructor(deadlineMs: number) {
    super(`The upload took longer than ${Math.round(deadlineMs / 1_000)} seconds. Send a smaller file.`);
  }
}

/** The upload took so long that its object is being removed as abandoned. */
export class UploadTookTooLong extends DomainError {
  readonly kind = 'unavailable';
  readonly code = 'upload_took_too_long';

  constructor() {
    super('The upload took too long. Send the file again.', { retryAfterSeconds: 1 });
  }
}

export class TooManyUploads extends DomainError {
  readonly kind = 'rate-limited';
  readonly code = 'too_many_uploads';

  constructor(perCaller: number) {
    super(`You have ${perCaller} uploads under way. Wait until one of them has ended.`, {
      retryAfterSeconds: 5,
    });
  }
}

export class UploadsAreBusy extends DomainError {
  readonly kind = 'unavailable';
  readonly code = 'uploads_busy';

  constructor() {
    super('Too many uploads are under way. Try again in a moment.', { retryAfterSeconds: 5 });
  }
}

export class StorageQuotaIsExceeded extends DomainError {
  readonly kind = 'too-large';
  readonly code = 'storage_quota_exceeded';

  constructor(quotaBytes: number) {
    super(`The organization may keep ${quotaBytes} bytes of files. Delete some of them first.`, {
      members: { quotaBytes },
    });
  }
}
