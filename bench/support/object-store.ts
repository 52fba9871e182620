import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadConfig } from '#libs/config';
import { ObjectStorage, ObjectStorageConfig } from '#libs/object-storage';
import { startEmbeddedObjectStorage } from '../../local/object-store/embedded-object-storage.js';

/** The embedded object store in this process, with an empty bucket. */
export class ObjectStore {
  private constructor(
    /** Variables of a service that uses it. */
    readonly environment: Readonly<Record<string, string>>,
    readonly storage: ObjectStorage,
    readonly stop: () => Promise<void>,
  ) {}

  static async start(): Promise<ObjectStore> {
    const directory = await mkdtemp(join(tmpdir(), 'bench-objects-'));
    const key = { accessKeyId: 'bench', secretAccessKey: randomBytes(16).toString('hex') };
    const server = await startEmbeddedObjectStorage({ directory, bucket: 'bench', ...key });
    const environment = {
      S3_ENDPOINT: server.endpoint,
      S3_BUCKET: 'bench',
      S3_FORCE_PATH_STYLE: 'true',
      S3_ACCESS_KEY_ID: key.accessKeyId,
      S3_SECRET_ACCESS_KEY: key.secretAccessKey,
    };
    const storage = new ObjectStorage(loadConfig(ObjectStorageConfig, environment));
    return new ObjectStore(environment, storage, async () => {
      storage.onApplicationShutdown();
      await server.stop();
      await rm(directory, { recursive: true, force: true });
    });
  }
}
