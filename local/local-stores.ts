import { join } from 'node:path';
import { type Environment, isSet, variablesOf } from '#libs/config';
import { ObjectStorageConfig } from '#libs/object-storage';
import {
  type EmbeddedObjectStorage,
  startEmbeddedObjectStorage,
} from './object-store/embedded-object-storage.js';
import { freePort } from './ports.js';
import {
  type EmbeddedPostgres,
  embeddedPostgresUrl,
  startEmbeddedPostgres,
} from './postgres/embedded-postgres.js';

const DATABASE = 'content_operations';

interface LocalDatabase extends EmbeddedPostgres {
  readonly databaseUrl: string;
}

/** The cluster of the data folder with the database. Its port is a free one, because only this process uses it. */
export async function startLocalDatabase(
  dataDirectory: string,
  password: string,
  lost: (sentence: string) => void,
): Promise<LocalDatabase> {
  const server = await startEmbeddedPostgres({
    directory: join(dataDirectory, 'postgres'),
    port: await freePort(),
    persistent: true,
    password,
    settings: ['max_connections=200'],
    onDeath: (how) =>
      lost(
        `PostgreSQL ended by itself (${how}), so everything stops. Nothing that was saved is lost: start again.`,
      ),
  });
  await server.createDatabase(DATABASE);
  return { ...server, databaseUrl: server.url(DATABASE) };
}

/** Address of the database of a server that another process has started. */
export const localDatabaseUrl = (port: number, password: string): string =>
  embeddedPostgresUrl({ port, password }, DATABASE);

const BUCKET = 'content-operations';
const ACCESS_KEY = 'local';

/** The CORS rule that operators configure in production. */
const CORS = {
  allowedMethods: ['GET', 'HEAD', 'PUT'],
  allowedHeaders: ['content-type', 'if-none-match', 'range', 'x-amz-checksum-sha256'],
  exposeHeaders: ['ETag'],
  maxAgeSeconds: 600,
};

export interface LocalObjectStorage extends EmbeddedObjectStorage {
  /** Variables for the services. */
  readonly environment: Environment;
}

/** Any set variable means that an external store is used. */
export function hasObjectStorage(given: Environment): boolean {
  return variablesOf(ObjectStorageConfig).some(({ name }) => isSet(given, name));
}

/**
 * The object store of the data folder, on a free port, because only this process uses it.
 * @param origins pages that may send and read files by presigned addresses
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
