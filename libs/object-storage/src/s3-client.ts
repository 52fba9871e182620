import { S3Client } from '@aws-sdk/client-s3';
import type { ObjectStorageConfig } from './object-storage.config.js';

const CONNECT_MS = 3_000;
const ATTEMPTS = 2;
/** Clients of the media host hold one connection for the whole response; the SDK's default of 50 would stop all others. */
const MAX_CONNECTIONS = 1_000;

/** Errors are thrown; the SDK would also print them. */
const SILENT = (): void => undefined;
const LOGGER = { debug: SILENT, info: SILENT, warn: SILENT, error: SILENT };

/** @param endpoint AWS when undefined */
export function createS3Client(config: ObjectStorageConfig, endpoint: string | undefined): S3Client {
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
      socketTimeout: timeoutMs,
      httpAgent: agent,
      httpsAgent: agent,
    },
  });
}
