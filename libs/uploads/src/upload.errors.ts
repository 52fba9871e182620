import { DomainError } from '#libs/errors';

export class FileIsMissing extends DomainError {
  readonly kind = 'invalid';
  readonly code = 'file_missing';

  /** @param asked what to send instead, as a sentence */
  constructor(asked: string) {
    super(asked, { errors: [{ pointer: '#/file', code: 'required', detail: 'is required' }] });
  }
}

/** Said as soon as it is known, whatever is still to come. */
export class FileIsTooLarge extends DomainError {
  readonly code = 'file_too_large';

  /** @param kind 413, or 400 where the closed list of a route has no other status for it */
  constructor(
    maxBytes: number,
    readonly kind: 'too-large' | 'invalid',
    advice = '',
  ) {
    super(`The file is larger than ${maxBytes} bytes. ${advice}`.trimEnd(), {
      errors: [{ pointer: '#/file', code: 'too_large', detail: `must be ${maxBytes} bytes at most` }],
      members: { maxBytes },
    });
  }
}

/** The body is no multipart form, or breaks off. */
export class UploadIsNotReadable extends DomainError {
  readonly kind = 'invalid';

  /** @param code the one that clients of the route know */
  constructor(
    readonly code: 'upload_not_readable' | 'form_not_readable',
    cause: unknown,
  ) {
    super('The body is not a complete multipart/form-data body.', { cause });
  }
}

/** Nothing came for a while. */
export class UploadHasStalled extends DomainError {
  readonly kind = 'invalid';
  readonly code = 'upload_stalled';

  constructor() {
    super('The upload stopped half way. Send it again.');
  }
}

/** Bytes come, but so slowly that they hold a connection, a file and a slot for longer than they are worth. */
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
