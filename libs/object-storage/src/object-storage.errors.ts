import { domainError } from '#libs/errors';

/** The object store is unreachable or failed. A sent object may be stored or not. */
export class ObjectStorageIsUnavailable extends domainError(
  'unavailable',
  'object_storage_unavailable',
  (cause: unknown) => ({
    detail: 'Files cannot be reached just now. Try again in a moment.',
    retryAfterSeconds: 5,
    cause,
  }),
) {}

/** The object exists, but not with the ETag that the reader requires. */
export class ObjectHasChanged extends domainError('conflict', 'object_has_changed', (cause?: unknown) => ({
  detail: 'The stored file was replaced. Upload the file again as a new one.',
  cause,
})) {}

/** Completing would make an object other than the announced one. Nothing was completed; parts can still be sent. */
export class PartsAreIncomplete extends domainError(
  'conflict',
  'upload_not_finished',
  (detail: string) => `${detail} Send the missing parts, then complete the upload again.`,
) {}
