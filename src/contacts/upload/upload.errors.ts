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
