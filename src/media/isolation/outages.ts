import { isTransient, StatementTookTooLong } from '#libs/database';
import { ObjectStorageIsUnavailable } from '#libs/object-storage';
import { SourceIsUnavailable } from './source.js';

/** Whether the store or the database failed: an outage lasts as long as it lasts, and says nothing about the file. */
export const isOutageOfAService = (error: unknown): boolean =>
  error instanceof ObjectStorageIsUnavailable ||
  error instanceof SourceIsUnavailable ||
  error instanceof StatementTookTooLong ||
  isTransient(error);
