import { DomainError } from '#libs/errors';

/** No such attachment, one of a deleted contact, or one the caller may not know of: all answer alike. */
export class AttachmentNotFound extends DomainError {
  readonly kind = 'not-found';
  readonly code = 'attachment_not_found';

  constructor() {
    super('There is no such attachment.');
  }
}

export class FileIsMissing extends DomainError {
  readonly kind = 'invalid';
  readonly code = 'file_missing';

  constructor() {
    super('Send multipart/form-data with one file in the part named file, and at most 20 short fields.', {
      errors: [{ pointer: '#/file', code: 'required', detail: 'is required' }],
    });
  }
}

/** Said as soon as it is known, whatever is still to come. */
export class FileIsTooLarge extends DomainError {
  readonly kind = 'too-large';
  readonly code = 'file_too_large';

  constructor(maxBytes: number) {
    super(`The file is larger than ${maxBytes} bytes.`, { members: { maxBytes } });
  }
}

/** The body is no multipart form, or breaks off. */
export class UploadIsNotReadable extends DomainError {
  readonly kind = 'invalid';
  readonly code = 'upload_not_readable';

  constructor(cause: unknown) {
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

/** The upload took so long that its object was taken for left behind. */
export class UploadTookTooLong extends DomainError {
  readonly kind = 'unavailable';
  readonly code = 'upload_took_too_long';

  constructor() {
    super('The upload took too long. Send it again.', { retryAfterSeconds: 1 });
  }
}

export class ContactHasTooManyAttachments extends DomainError {
  readonly kind = 'invalid';
  readonly code = 'too_many_attachments';

  constructor(max: number) {
    super(`A contact holds up to ${max} attachments. Delete one first.`, {
      errors: [{ pointer: '#/file', code: 'too_many', detail: `would be more than ${max} for this contact` }],
    });
  }
}
