import { randomBytes } from 'node:crypto';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { paginateListObjectsV2, S3Client, type S3ClientConfig } from '@aws-sdk/client-s3';
import type { Environment } from '#libs/config';
import { startEmbeddedObjectStorage } from '../../local/object-store/embedded-object-storage.js';

const BUCKET = 'test';
const ACCESS_KEY = 'test';

/** The variables of a service for a store. */
export const storageEnvironment = (endpoint: string, secret: string) => ({
  S3_ENDPOINT: endpoint,
  S3_BUCKET: BUCKET,
  S3_FORCE_PATH_STYLE: 'true',
  S3_ACCESS_KEY_ID: ACCESS_KEY,
  S3_SECRET_ACCESS_KEY: secret,
});

/** The store of the whole run, for tests that do not inspect it. */
export function sharedStorage(): Environment {
  const endpoint = process.env.TEST_S3_ENDPOINT;
  if (!endpoint) throw new Error('No object store: run through the jest projects that start one.');
  return storageEnvironment(endpoint, 'test');
}

type ServerOptions = Partial<Parameters<typeof startEmbeddedObjectStorage>[0]>;

/** A separate store of a test file, which can be inspected and stopped. */
export class OwnStorage {
  readonly bucket = BUCKET;
  readonly accessKeyId = ACCESS_KEY;

  private constructor(
    readonly folder: string,
    readonly secret: string,
    readonly endpoint: string,
    readonly environment: Environment,
    /** It does not come back; services get connections refused. */
    readonly stop: () => Promise<void>,
  ) {}

  /** @param folder of a store that was stopped, to be continued */
  static async start(options: ServerOptions = {}, folder?: string): Promise<OwnStorage> {
    const directory = folder ?? (await mkdtemp(join(tmpdir(), 'object-storage-test-')));
    const secret = randomBytes(16).toString('hex');
    const server = await startEmbeddedObjectStorage({
      directory,
      bucket: BUCKET,
      accessKeyId: ACCESS_KEY,
      secretAccessKey: secret,
      ...options,
    });
    const environment = storageEnvironment(server.endpoint, secret);
    return new OwnStorage(directory, secret, server.endpoint, environment, () => server.stop());
  }

  /** A client of the SDK; the caller destroys it. */
  client(options: S3ClientConfig = {}): S3Client {
    return new S3Client({
      endpoint: this.endpoint,
      region: 'us-east-1',
      forcePathStyle: true,
      credentials: { accessKeyId: ACCESS_KEY, secretAccessKey: this.secret },
      maxAttempts: 1,
      ...options,
    });
  }

  /** The keys under a prefix, and the paths of what is half-written, whatever its key is to be. */
  async files(prefix = ''): Promise<string[]> {
    const client = this.client();
    const keys: string[] = [];
    for await (const page of paginateListObjectsV2({ client }, { Bucket: BUCKET, Prefix: prefix }))
      keys.push(...(page.Contents ?? []).map(({ Key = '' }) => Key));
    client.destroy();
    return [...keys, ...(await this.leftovers())];
  }

  /** Files of the store that are neither objects nor parts. */
  async leftovers(): Promise<string[]> {
    return (await this.paths()).filter((path) => !/^(objects|uploads)\//.test(path));
  }

  /** Every file of the bucket, relative to its folder. */
  async paths(): Promise<string[]> {
    const root = join(this.folder, 'v1', BUCKET);
    const entries = await readdir(root, { recursive: true, withFileTypes: true });
    return entries
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => join(parentPath, name).slice(root.length + 1));
  }

  async remove(): Promise<void> {
    await this.stop().catch(() => undefined);
    await rm(this.folder, { recursive: true, force: true });
  }
}
