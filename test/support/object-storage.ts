import { randomBytes } from 'node:crypto';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import type { Environment } from '#libs/config';
import { startEmbeddedObjectStorage } from '#libs/object-storage';

const BUCKET = 'test';

/** How a service finds a store. */
export const storageEnvironment = (endpoint: string, secret: string) => ({
  S3_ENDPOINT: endpoint,
  S3_BUCKET: BUCKET,
  S3_FORCE_PATH_STYLE: 'true',
  S3_ACCESS_KEY_ID: 'test',
  S3_SECRET_ACCESS_KEY: secret,
});

/** The store of the whole run, for tests that do not look into it. */
export function sharedStorage(): Environment {
  const endpoint = process.env.TEST_S3_ENDPOINT;
  if (!endpoint) throw new Error('No object store: run through the jest projects that start one.');
  return storageEnvironment(endpoint, 'test');
}

/** A store of a test file's own: to look into, and to stop. */
export class OwnStorage {
  private constructor(
    private readonly folder: string,
    readonly environment: Environment,
    /** It does not come back; services get connections refused. */
    readonly stop: () => Promise<void>,
  ) {}

  static async start(): Promise<OwnStorage> {
    const folder = await mkdtemp(join(tmpdir(), 'object-storage-test-'));
    const secret = randomBytes(16).toString('hex');
    const server = await startEmbeddedObjectStorage({
      directory: folder,
      bucket: BUCKET,
      accessKeyId: 'test',
      secretAccessKey: secret,
    });
    return new OwnStorage(folder, storageEnvironment(server.endpoint, secret), () => server.stop());
  }

  /** Everything that lies in it under a prefix, half-written objects too. */
  async files(prefix = ''): Promise<string[]> {
    const root = join(this.folder, BUCKET);
    const entries = await readdir(root, { recursive: true, withFileTypes: true });
    const files = entries.filter((entry) => entry.isFile());
    const paths = files.map(({ parentPath, name }) => relative(root, join(parentPath, name)));
    return paths.filter((path) => path.startsWith(prefix));
  }

  async remove(): Promise<void> {
    await this.stop().catch(() => undefined);
    await rm(this.folder, { recursive: true, force: true });
  }
}
