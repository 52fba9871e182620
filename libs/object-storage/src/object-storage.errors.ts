import { DomainError } from '#libs/errors';

/** The object store is unreachable or failed. A sent object may be stored or not. */
export class ObjectStorageIsUnavailable extends DomainError {
  readonly kind = 'unavailable';
  readonly code = 'object_storage_unavailable';

  constructor(cause: unknown) {
    super('Files cannot be reached just now. Try again in a moment.', { retryAfterSeconds: 5, cause });
  }
}

/** The object exists, but not with the ETag that the reader requires. */
export class ObjectHasChanged extends DomainError {
  readonly kind = 'conflict';
  readonly code = 'object_has_changed';

  constructor(cause?: unknown) {
    super('The stored file was replaced. Upload the file again as a new one.', { cause });
  }
}

/** Completing would make an object other than the announced one. Nothing was completed; parts can still be sent. */
export class PartsAreIncomplete extends DomainError {
  readonly kind = 'conflict';
  readonly code = 'upload_not_finished';

  constructor(detail: string) {
    super(`${detail} Send the missing parts, then complete the upload again.`);
  }
}
