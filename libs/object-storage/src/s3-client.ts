import { S3Client, S3ServiceException } from '@aws-sdk/client-s3';
import type { ObjectStorageConfig } from './object-storage.config.js';
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

const CONNECT_MS = 3_000;
const ATTEMPTS = 2;
/** Readers hold a connection as long as they read; with the SDK's default of 50 they would soon wait for each other. */
const MAX_CONNECTIONS = 1_000;
/** A body that is read may pause this much longer than a response may take, because the reader itself may be slow. */
const PAUSE_FACTOR = 6;

/** Errors are thrown; the SDK would also print them. */
const SILENT = (): void => undefined;
const LOGGER = { debug: SILENT, info: SILENT, warn: SILENT, error: SILENT };

/** @param endpoint AWS when undefined */
export function createS3Client(config: ObjectStorageConfig, endpoint = config.endpoint): S3Client {
  return client(config, endpoint, { socketTimeout: config.timeoutMs });
}

/** For reading bodies, with connections of its own, so that slow readers stop nothing else. */
export function createReadingClient(config: ObjectStorageConfig): S3Client {
  const { endpoint, timeoutMs } = config;
  const untilResponse = { requestTimeout: timeoutMs, throwOnRequestTimeout: true };
  return client(config, endpoint, { ...untilResponse, socketTimeout: PAUSE_FACTOR * timeoutMs });
}

function client(config: ObjectStorageConfig, endpoint: string | undefined, timeouts: object): S3Client {
  const { region, forcePathStyle, accessKeyId, secretAccessKey, timeoutMs } = config;
  const agent = { maxSockets: MAX_CONNECTIONS, keepAlive: true };
  return new S3Client({
    endpoint,
    region,
    forcePathStyle,
    ...(accessKeyId && secretAccessKey ? { credentials: { accessKeyId, secretAccessKey } } : {}),
    maxAttempts: ATTEMPTS,
    logger: LOGGER,
    // The SDK's default checksums use a trailer, which many stores other than AWS do not support. Presigned uploads would carry
    // the checksum of an empty body.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: {
      connectionTimeout: Math.min(CONNECT_MS, timeoutMs),
      httpAgent: agent,
      httpsAgent: agent,
      ...timeouts,
    },
  });
}
