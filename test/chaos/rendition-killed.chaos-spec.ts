import { randomBytes } from 'node:crypto';
import { createServer, request, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import sharp from 'sharp';
import { loadConfig } from '#libs/config';
import { ObjectStorage, ObjectStorageConfig } from '#libs/object-storage';
import { MediaObjects } from '../../src/media/media-objects.store.js';
import { aBrandRow } from '../support/media-files.js';
import { OwnStorage } from '../support/object-storage.js';
import { aStoredFile, prepareRendition, renditionsOf } from '../support/rendition-worker.js';
import { type SpawnedEntry, spawnEntry } from '../support/spawn-entry.js';
import { createTestDatabase, type TestDatabase } from '../support/test-database.js';
import { waitUntil } from '../support/wait-until.js';

describe('a worker that is killed while it makes a rendition', () => {
  let test: TestDatabase;
  let own: OwnStorage;
  let storage: ObjectStorage;
  let proxy: StoreProxy;
  let brandId: string;
  let picture: Buffer;
  const workers = new Set<SpawnedEntry>();

  beforeAll(async () => {
    [test, own] = [await createTestDatabase(), await OwnStorage.start()];
    storage = new ObjectStorage(loadConfig(ObjectStorageConfig, own.environment));
    proxy = await StoreProxy.start(own.endpoint);
    brandId = (await aBrandRow(test.database)).id;
    picture = await sharp({ create: { width: 300, height: 200, channels: 3, background: '#369' } })
      .jpeg()
      .toBuffer();
  });
  afterEach(() => {
    for (const { process } of workers) process.kill('SIGKILL');
    workers.clear();
  });
  afterAll(async () => {
    storage.onApplicationShutdown();
    await proxy.stop();
    await own.remove();
    await test.drop();
  });

  const start = async (endpoint: string) => {
    const worker = await spawnEntry('dist/src/worker.js', {
      ...test.environment,
      ...own.environment,
      S3_ENDPOINT: endpoint,
      WORKER_MANAGEMENT_PORT: '0',
      LOG_LEVEL: 'silent',
      ENCRYPTION_KEYS: `test:${randomBytes(32).toString('base64')}`,
      MEDIA_ADDRESS_KEYS: `test:${randomBytes(32).toString('base64')}`,
    });
    workers.add(worker);
    return worker.process;
  };
  const leaseEnds = () =>
    test.database.query(
      `UPDATE media.rendition SET due_at = now() - interval '1 second' WHERE status = 'pending'`,
    );
  const objectsOf = (id: string) => own.files(`media/${id}/renditions/`);

  it.each([
    ['while it reads the source', 'before GET', 0],
    ['after the object is stored and before that is recorded', 'after PUT', 1],
  ] as const)('%s: the next one makes it, and one object stays', async (_, point, leftBehind) => {
    const { id } = await aStoredFile(test.database, storage, brandId, { bytes: picture });
    proxy.holdUp(point);
    const first = await start(proxy.url);
    await prepareRendition(test.database, id);
    await waitUntil(() => proxy.isHolding);
    first.kill('SIGKILL');
    expect(await renditionsOf(test.database, id)).toMatchObject([{ status: 'pending' }]);
    expect(await objectsOf(id)).toHaveLength(leftBehind);

    await leaseEnds();
    proxy.goOn();
    await start(own.endpoint);
    await waitUntil(async () => (await renditionsOf(test.database, id))[0]?.status === 'ready');
    const [row] = await renditionsOf(test.database, id);

    // What the first worker announced is removed an hour later.
    await test.database.query(`UPDATE media.object_to_remove SET due_at = now() - interval '1 second'`);
    await new MediaObjects(test.database, storage).removeDue(10, Infinity);
    expect(await objectsOf(id)).toEqual([row?.object_key]);
    expect(await storage.head(row?.object_key ?? '', { etag: row?.etag ?? '' })).toMatchObject({
      length: Number(row?.bytes),
    });
  });
});

type Point = 'before GET' | 'after PUT';

/** Forwards requests to a store, and holds one up. */
class StoreProxy {
  private point: Point | undefined;
  private readonly held: ServerResponse[] = [];

  private constructor(private readonly server: Server) {}

  static async start(target: string): Promise<StoreProxy> {
    const server = createServer((incoming, outgoing) => {
      const { method, headers, url = '' } = incoming;
      if (proxy.point === 'before GET' && method === 'GET') return void proxy.held.push(outgoing);
      const beyond = request(target + url, { method, headers }, (answer) => {
        if (proxy.point === 'after PUT' && method === 'PUT') return void proxy.held.push(outgoing);
        outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(outgoing);
      });
      beyond.on('error', () => outgoing.destroy());
      incoming.pipe(beyond);
    });
    const proxy = new StoreProxy(server);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return proxy;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  get isHolding(): boolean {
    return this.held.length > 0;
  }

  holdUp(point: Point): void {
    this.point = point;
  }

  goOn(): void {
    this.point = undefined;
    for (const outgoing of this.held.splice(0)) outgoing.destroy();
  }

  async stop(): Promise<void> {
    this.goOn();
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }
}
