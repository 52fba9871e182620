import { join } from 'node:path';
import type { Environment } from '#libs/config';
import { variablesOf } from '#libs/config';
import type { EmbeddedObjectStorage } from '#libs/object-storage';
import { ObjectStorageConfig, startEmbeddedObjectStorage } from '#libs/object-storage';
import { isSet } from './environments.js';

const BUCKET = 'content-operations';
const ACCESS_KEY = 'local';

/** What an operator sets for the bucket in production. */
const CORS = {
  allowedMethods: ['GET', 'HEAD', 'PUT'],
  allowedHeaders: ['content-type', 'if-none-match', 'range', 'x-amz-checksum-sha256'],
  exposeHeaders: ['ETag'],
  maxAgeSeconds: 600,
};

export interface LocalObjectStorage extends EmbeddedObjectStorage {
  /** By which services find it. */
  readonly environment: Environment;
}

/** Whoever sets one of its variables has a store of their own. */
export function hasObjectStorage(given: Environment): boolean {
  return variablesOf(ObjectStorageConfig).some(({ name }) => isSet(given, name));
}

/**
 * The objects of the data folder, on a free port: nothing else needs to know it.
 * @param origins whose pages may send and read files by presigned addresses
 */
export async function startLocalObjectStorage(
  dataDirectory: string,
  secret: string,
  origins: readonly string[],
): Promise<LocalObjectStorage> {
  const server = await startEmbeddedObjectStorage({
    directory: join(dataDirectory, 'objects'),
    bucket: BUCKET,
    accessKeyId: ACCESS_KEY,
    secretAccessKey: secret,
    cors: { ...CORS, allowedOrigins: origins },
  });
  const environment = {
    S3_ENDPOINT: server.endpoint,
    S3_BUCKET: BUCKET,
    S3_FORCE_PATH_STYLE: 'true',
    S3_ACCESS_KEY_ID: ACCESS_KEY,
    S3_SECRET_ACCESS_KEY: secret,
  };
  return { ...server, environment };
}
