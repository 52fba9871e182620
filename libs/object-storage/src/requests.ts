import { S3ServiceException } from '@aws-sdk/client-s3';
import { ObjectHasChanged, ObjectStorageIsUnavailable } from './object-storage.errors.js';

/**
 * @param codes of errors that mean null
 * @returns null when there is no such object or multipart upload @throws ObjectHasChanged, ObjectStorageIsUnavailable
 */
export function orNull<T>(work: () => Promise<T>, codes = MISSING): Promise<T | null> {
  return namingErrors(async () => {
    try {
      return await work();
    } catch (error) {
      if (error instanceof Error && codes.includes(error.name)) return null;
      throw error;
    }
  });
}

/**
 * Every failure that no caller can fix is an outage, also wrong credentials and a missing bucket.
 * @throws ObjectHasChanged, ObjectStorageIsUnavailable; a RangeError for a range outside of the object
 */
export async function namingErrors<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (statusOf(error) === 412) throw new ObjectHasChanged(error);
    if (statusOf(error) === 416) throw new RangeError('The range starts after the end of the object.');
    throw new ObjectStorageIsUnavailable(error);
  }
}

const MISSING: readonly string[] = ['NoSuchKey', 'NoSuchUpload'];
/**
 * HEAD has no body with a code; the SDK names a 404 without one `NotFound`. A missing bucket or a proxy without a host then looks like
 * a missing object.
 */
export const MISSING_IN_HEAD: readonly string[] = [...MISSING, 'NotFound'];

/** HEAD has no body with a code, so that only the status says what is wrong. */
const statusOf = (error: unknown): number | undefined =>
  error instanceof S3ServiceException ? error.$metadata.httpStatusCode : undefined;
