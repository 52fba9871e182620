import { DomainError } from '#libs/errors';

/** The object store does not answer, or not as it should. What was sent may be there or not. */
export class ObjectStorageIsUnavailable extends DomainError {
  readonly kind = 'unavailable';
  readonly code = 'object_storage_unavailable';

  constructor(cause: unknown) {
    super('Files cannot be reached just now. Try again in a moment.', { retryAfterSeconds: 5, cause });
  }
}
