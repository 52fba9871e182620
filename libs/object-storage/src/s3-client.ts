import { S3Client } from '@aws-sdk/client-s3';
import type { ObjectStorageConfig } from './object-storage.config.js';

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
