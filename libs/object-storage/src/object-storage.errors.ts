import { DomainError } from '#libs/errors';

/** The object store is unreachable or failed. A sent object may be stored or not. */
export class ObjectStorageIsUnavailable extends DomainError {
  readonly kind = 'unavailable';
  readonly code = 'object_storage_unavailable';

  constructor(cause: unknown) {
    super('Files cannot be reached just now. Try again in a moment.', { retryAfterSeconds: 5, cause });
  }
}
