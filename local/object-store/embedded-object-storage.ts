import { mkdir } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Clock, SystemClock } from '#libs/clock';
import type { CorsRule } from './cors.js';
import { handleRequest, type Site } from './handle-request.js';
import type { Bucket } from './operations/operation.js';
import { BucketFolders } from './store/folders.js';
import { ObjectStore } from './store/object-store.js';
import { UploadStore } from './store/upload-store.js';

export interface EmbeddedObjectStorageOptions {
  /** Folder of the objects, absolute; created if missing. Used by one process at a time. */
  readonly directory: string;
  /** Created if missing. In production the operator creates it. */
  readonly bucket: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  /** The region that signatures must name; default `us-east-1`. */
  readonly region?: string;
  /** CORS rule; by default no page may use the server. */
  readonly cors?: CorsRule;
  /** For the expiry of signatures and the dates of objects. */
  readonly clock?: Clock;
}

export interface EmbeddedObjectStorage {
  /** For `S3_ENDPOINT`, with `S3_FORCE_PATH_STYLE=true`. */
  readonly endpoint: string;
  /** Aborts running requests. Resolves when all have ended. */
  stop(): Promise<void>;
}

const IDLE_MS = 60_000;

/**
 * A small strict S3 server on a free port of loopback, for one machine without an installation and for tests: one bucket,
 * files in a folder. It refuses what it does not implement, see docs/design/embedded-services.md.
 */
export async function startEmbeddedObjectStorage(
  options: EmbeddedObjectStorageOptions,
): Promise<EmbeddedObjectStorage> {
  const { accessKeyId, secretAccessKey, region = 'us-east-1', cors, clock = new SystemClock() } = options;
  const bucket = await openBucket(options.directory, options.bucket);
  return listen({ bucket, credentials: { accessKeyId, secretAccessKey, region }, cors, clock });
}

async function openBucket(directory: string, name: string): Promise<Bucket> {
  await mkdir(directory, { recursive: true, mode: 0o700 });
  const folders = new BucketFolders(directory, name);
  await folders.prepare();
  return { name, objects: new ObjectStore(folders), uploads: new UploadStore(folders) };
}

async function listen(site: Site): Promise<EmbeddedObjectStorage> {
  const underWay = new Set<Promise<void>>();
  const handle = (isHeldBack: boolean) => (message: IncomingMessage, response: ServerResponse) => {
    const work = handleRequest(site, message, response, isHeldBack).finally(() => underWay.delete(work));
    underWay.add(work);
  };
  const server = createServer(handle(false)).on('checkContinue', handle(true));
  // Node's request timeout is too short for large objects on slow connections; the idle timeout ends silent clients.
  server.requestTimeout = 0;
  server.setTimeout(IDLE_MS);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(0, '127.0.0.1', resolve);
  });
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async stop() {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
      await Promise.all(underWay);
    },
  };
}
