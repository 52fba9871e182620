import { createHash } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { loadConfig } from '#libs/config';
import { UsedTime } from '#libs/concurrency';
import { EventStore } from '#libs/event-store';
import { Metrics } from '#libs/http';
import { ObjectStorage, ObjectStorageConfig } from '#libs/object-storage';
import type { InspectionResult } from '../../src/media/inspection/domain/inspection.types.js';
import { InspectDueFiles } from '../../src/media/inspection/inspect-due-files.worker.js';
import {
  type ClaimedInspection,
  InspectionClaims,
} from '../../src/media/inspection/inspection-claims.store.js';
import { InspectionResults } from '../../src/media/inspection/inspection-results.js';
import { InspectionMetrics } from '../../src/media/inspection/inspection.metrics.js';
import { Inspector } from '../../src/media/inspection/inspector.js';
import { MediaProcesses } from '../../src/media/isolation/media-processes.js';
import { withTemporaryFolder } from '../../src/media/isolation/temporary-folder.js';
import { MediaObjects } from '../../src/media/media-objects.store.js';
import type { MediaFileRow } from '../../src/media/views/media-file.view.js';
import { eventually } from '../support/eventually.js';
import { blackPng, noise } from '../support/hostile-files/pictures.js';
import { endless } from '../support/hostile-files/videos.js';
import { aBrandRow, aMediaFile, IMAGE_FACTS } from '../support/media-files.js';
import { NotFoundPage } from '../support/not-found-page.js';
import { OwnStorage } from '../support/object-storage.js';
import { recordingInspections } from '../support/rendition-worker.js';
import { createTestDatabase, type TestDatabase } from '../support/test-database.js';
import { makeVideo, reorderedPictures } from '../support/video-files.js';

type Row = MediaFileRow & {
  readonly inspect_due_at: Date | null;
  readonly inspect_attempts: number;
  readonly inspect_takeovers: number;
  readonly inspect_failures: number;
  readonly inspect_errors: number;
};

let test: TestDatabase;
let own: OwnStorage;
let lost: NotFoundPage;
let brandId: string;
let workers: AWorker[];

beforeAll(async () => {
  [test, own, lost] = [await createTestDatabase(), await OwnStorage.start(), await NotFoundPage.start()];
  brandId = (await aBrandRow(test.database)).id;
});
beforeEach(() => (workers = []));
afterEach(async () => {
  await Promise.all(workers.map((worker) => worker.stop()));
  await test.database.query('DELETE FROM media.file');
  await test.database.query('DELETE FROM media.object_to_remove');
});
afterAll(async () => {
  lost.stop();
  await own.remove();
  await test.drop();
});

/** One worker process's part, with its own child processes. */
class AWorker {
  readonly storage: ObjectStorage;
  readonly processes = new MediaProcesses({ processes: 1 });
  readonly claims = new InspectionClaims(test.database);
  readonly objects: MediaObjects;
  readonly results: InspectionResults;
  private readonly loop: InspectDueFiles;

  constructor({
    endpoint = own.endpoint,
    inspect,
  }: { endpoint?: string; inspect?: Inspector['inspect'] } = {}) {
    this.storage = new ObjectStorage(
      loadConfig(ObjectStorageConfig, { ...own.environment, S3_ENDPOINT: endpoint }),
    );
    this.objects = new MediaObjects(test.database, this.storage);
    const commands = recordingInspections(test.database, this.objects);
    this.results = new InspectionResults(commands, this.storage, this.objects);
    const inspector = new Inspector(this.processes, this.storage);
    if (inspect) inspector.inspect = inspect;
    const metrics = new InspectionMetrics(new Metrics());
    this.loop = new InspectDueFiles(this.claims, inspector, this.results, metrics, { processes: 1 });
    workers.push(this);
  }

  start(): this {
    this.loop.onApplicationBootstrap();
    return this;
  }

  async stop(): Promise<void> {
    await this.loop.beforeApplicationShutdown();
    await this.processes.onApplicationShutdown();
    this.storage.onApplicationShutdown();
  }
}

/** A completed upload. */
async function anUpload(bytes: Buffer, contentType: string): Promise<{ id: string; etag: string }> {
  const file = await aMediaFile(test.database, brandId, {
    status: 'uploading',
    contentType,
    bytes: bytes.length,
  });
  const storage = new ObjectStorage(loadConfig(ObjectStorageConfig, own.environment));
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  const object = { body: Readable.from([bytes]), length: bytes.length, sha256, contentType };
  const etag = await storage.put(file.key, object);
  storage.onApplicationShutdown();
  await test.database.query(
    `UPDATE media.file SET status = 'inspecting', etag = $2, inspect_due_at = now() WHERE id = $1`,
    [file.id, etag],
  );
  return { id: file.id, etag };
}

const rowOf = async (id: string): Promise<Row> => {
  const [row] = await test.database.query<Row>('SELECT * FROM media.file WHERE id = $1', [id]);
  if (!row) throw new Error('The file does not exist.');
  return row;
};
const settled = (id: string): Promise<Row> =>
  eventually(async () => {
    const row = await rowOf(id);
    expect(row.status).not.toBe('inspecting');
    return row;
  });
/** Other uploads that are under way have temporary files. */
const derivedOf = async (id: string) =>
  (await own.files(`media/${id}/`))
    .filter((key) => key.startsWith('media/') && !key.endsWith('/original'))
    .sort();
const announced = () => test.database.query('SELECT key FROM media.object_to_remove WHERE adoptable');
const eventsOf = async (id: string) => {
  const { events } = await new EventStore(test.database).read(id);
  return events.map(({ type }) => type);
};

const jpeg = () => noise(400, 200).jpeg().toBuffer();
const memoryBomb = async () =>
  endless(await makeVideo({ format: 'mp4-fragmented', pictures: reorderedPictures(2) }));

describe('the worker', () => {
  it('makes a picture ready, with its facts, thumbnail and preview', async () => {
    new AWorker().start();
    const { id } = await anUpload(await jpeg(), 'image/jpeg');
    const row = await settled(id);
    expect(row).toMatchObject({ status: 'ready', width: 400, height: 200, content_type: 'image/jpeg' });
    expect(row.facts).toMatchObject({ kind: 'image', hasAlpha: false, colourSpace: 'srgb', orientation: 1 });
    expect(await derivedOf(id)).toEqual([row.preview_key, row.thumbnail_key]);
    expect(await announced()).toEqual([]);
    expect(await eventsOf(id)).toEqual(['MediaAdded']);
  });

  it('rejects a file that is not what was declared, and leaves its object to removal', async () => {
    new AWorker().start();
    const { id } = await anUpload(blackPng(8, 8), 'image/jpeg');
    expect(await settled(id)).toMatchObject({
      status: 'rejected',
      rejection: { code: 'media_type_does_not_match' },
      thumbnail_key: null,
    });
    expect(await eventsOf(id)).toEqual(['MediaRejected']);
    const keys = await test.database.query('SELECT key FROM media.object_to_remove');
    expect(keys).toEqual([{ key: `media/${id}/original` }]);
  });

  it('rejects a file that ends its process twice, and goes on', async () => {
    new AWorker().start();
    const bomb = await anUpload(await memoryBomb(), 'video/mp4');
    const good = await anUpload(await jpeg(), 'image/jpeg');
    expect(await settled(bomb.id)).toMatchObject({
      status: 'rejected',
      rejection: { code: 'media_not_readable' },
      inspect_failures: 2,
      inspect_attempts: 3,
    });
    expect((await settled(good.id)).status).toBe('ready');
  });

  it('rejects a file whose object was replaced after its completion', async () => {
    const { id } = await anUpload(await jpeg(), 'image/jpeg');
    await test.database.query(`UPDATE media.file SET etag = '"another"' WHERE id = $1`, [id]);
    new AWorker().start();
    expect((await settled(id)).rejection).toMatchObject({ code: 'media_missing' });
  });

  it.each([
    ['is down', () => 'http://127.0.0.1:1'],
    ['is behind a proxy that knows no host', () => lost.endpoint],
  ])('retries later while the store %s', async (_, endpoint) => {
    const { id } = await anUpload(await jpeg(), 'image/jpeg');
    const down = new AWorker({ endpoint: endpoint() }).start();
    const waiting = await eventually(async () => {
      const row = await rowOf(id);
      expect(row.inspect_attempts).toBeGreaterThan(1);
      expect(row.inspect_due_at?.getTime()).toBeLessThan(Infinity);
      return row;
    });
    expect(waiting).toMatchObject({
      status: 'inspecting',
      inspect_failures: 0,
      inspect_errors: 0,
      inspect_takeovers: 0,
    });
    await down.stop();
    await test.database.query('UPDATE media.file SET inspect_due_at = now() WHERE id = $1', [id]);
    new AWorker().start();
    expect((await settled(id)).status).toBe('ready');
  });

  it.each([
    ['a number that its column cannot hold', { durationMs: 3e9 }],
    ['a character that its column cannot hold', { videoCodec: 'a\0' }],
  ])('rejects a file with %s', async (_, different) => {
    const facts = { ...IMAGE_FACTS, ...different };
    const accepted = { kind: 'accepted', contentType: 'image/jpeg', facts, thumbnail: null, preview: null };
    new AWorker({ inspect: () => Promise.resolve(accepted as InspectionResult) }).start();
    const { id } = await anUpload(await jpeg(), 'image/jpeg');
    expect(await settled(id)).toMatchObject({
      status: 'rejected',
      rejection: { code: 'media_not_readable' },
      inspect_attempts: 1,
    });
  });

  it('counts unexpected errors, and gives up after many', async () => {
    const { id } = await anUpload(await jpeg(), 'image/jpeg');
    const broken = new AWorker({ inspect: () => Promise.reject(new TypeError('broken')) }).start();
    await eventually(async () => {
      expect(await rowOf(id)).toMatchObject({ status: 'inspecting', inspect_errors: 1, inspect_failures: 0 });
    });
    const { inspect_due_at } = await rowOf(id);
    expect(inspect_due_at?.getTime()).toBeGreaterThan((await rowOf(id)).updated_at.getTime());
    await test.database.query(
      'UPDATE media.file SET inspect_errors = 19, inspect_due_at = now() WHERE id = $1',
      [id],
    );
    await eventually(async () => expect(await rowOf(id)).toMatchObject({ inspect_errors: 20 }));
    await test.database.query('UPDATE media.file SET inspect_due_at = now() WHERE id = $1', [id]);
    expect((await settled(id)).rejection).toMatchObject({ code: 'media_not_readable' });
    await broken.stop();
  });

  it('takes over from a dead worker, and gives up a file that several died of', async () => {
    const { id } = await anUpload(await jpeg(), 'image/jpeg');
    const dead = new InspectionClaims(test.database);
    expect(await dead.take(1)).toMatchObject([{ id, attempts: 1, takeovers: 0 }]);
    const worker = new AWorker();
    expect(await worker.claims.take(1)).toEqual([]);
    const leaseEnds = () =>
      test.database.query(
        `UPDATE media.file SET inspect_due_at = now() - interval '1 second' WHERE id = $1`,
        [id],
      );
    await leaseEnds();
    worker.start();
    expect(await settled(id)).toMatchObject({ status: 'ready', inspect_takeovers: 1 });

    const deadly = await anUpload(await jpeg(), 'image/jpeg');
    await test.database.query(
      'UPDATE media.file SET inspect_is_claimed = true, inspect_takeovers = 4 WHERE id = $1',
      [deadly.id],
    );
    expect((await settled(deadly.id)).rejection).toMatchObject({ code: 'media_not_readable' });
  });

  it('takes files of organizations in turn, however many of one are due before', async () => {
    const [other, another] = [await aBrandRow(test.database), await aBrandRow(test.database)];
    const ids: string[] = [];
    for (const { id } of [other, other, other, another])
      ids.push((await aMediaFile(test.database, id, { status: 'inspecting' })).id);
    const claims = new InspectionClaims(test.database);
    const taken: number[] = [];
    const used = new UsedTime();
    for (const _ of ids) {
      const [claimed] = await claims.take(1, 'fast', used.leastFirst());
      used.begin(claimed?.organizationId ?? '');
      taken.push(ids.indexOf(claimed?.id ?? ''));
    }
    expect(taken).toEqual([0, 3, 1, 2]);
  });

  it('gives back what it inspects when it shuts down', async () => {
    const { id } = await anUpload(await memoryBomb(), 'video/mp4');
    const worker = new AWorker().start();
    await eventually(async () => expect((await rowOf(id)).inspect_attempts).toBe(1));
    await worker.stop();
    const row = await rowOf(id);
    expect(row).toMatchObject({ status: 'inspecting', inspect_failures: 0 });
    expect(await new InspectionClaims(test.database).take(1)).toMatchObject([{ id, takeovers: 0 }]);
  });

  it('gives each file one outcome, also when several inspect at once', async () => {
    const files = await Promise.all(
      Array.from({ length: 12 }, async () => anUpload(await jpeg(), 'image/jpeg')),
    );
    for (let count = 0; count < 3; count += 1) new AWorker().start();
    for (const { id } of files) {
      const row = await settled(id);
      expect([await eventsOf(id), row.inspect_attempts]).toEqual([['MediaAdded'], 1]);
      expect(await derivedOf(id)).toHaveLength(2);
    }
  });
});

describe('an outcome that comes too late', () => {
  const derived = (claimed: ClaimedInspection, worker: AWorker) => {
    const result = {
      kind: 'accepted',
      contentType: 'image/jpeg',
      facts: { kind: 'image', width: 1, height: 1 },
      thumbnail: { name: 'thumbnail.webp', contentType: 'image/webp' },
      preview: { name: 'preview.jpg', contentType: 'image/jpeg' },
    } as unknown as Parameters<InspectionResults['record']>[1];
    return withTemporaryFolder(async (folder) => {
      await writeFile(`${folder}/thumbnail.webp`, 'a');
      await writeFile(`${folder}/preview.jpg`, 'b');
      return worker.results.record(claimed, result, folder);
    });
  };

  it('leaves the objects of the earlier one', async () => {
    const { id } = await anUpload(await jpeg(), 'image/jpeg');
    const worker = new AWorker();
    const [claimed] = (await worker.claims.take(1)) as [ClaimedInspection];
    expect(await derived(claimed, worker)).toBe(true);
    const stored = await derivedOf(id);
    expect(await derived(claimed, worker)).toBe(false);
    expect(stored).toHaveLength(2);
    expect(await derivedOf(id)).toEqual(stored);
    expect(await announced()).toEqual([]);
  });

  it('leaves nothing of a file that was deleted', async () => {
    const { id } = await anUpload(await jpeg(), 'image/jpeg');
    const worker = new AWorker();
    const [claimed] = (await worker.claims.take(1)) as [ClaimedInspection];
    await test.database.query('DELETE FROM media.file WHERE id = $1', [id]);
    expect(await worker.claims.renew(claimed)).toBe(false);
    expect(await derived(claimed, worker)).toBe(false);
    expect(await derivedOf(id)).toEqual([]);
    expect(await announced()).toEqual([]);
  });
});

describe('a poster', () => {
  const aPosterOf = async (videoId: string, bytes: Buffer) => {
    const poster = await anUpload(bytes, 'image/jpeg');
    await test.database.query('UPDATE media.file SET poster_of = $2 WHERE id = $1', [poster.id, videoId]);
    return poster;
  };

  it.each([
    ['before', [1, 0]],
    ['after', [0, 1]],
  ] as const)('that is accepted %s its video gives it thumbnail and preview', async (_, order) => {
    const video = await anUpload(await makeVideo(), 'video/mp4');
    const poster = await aPosterOf(video.id, await jpeg());
    await test.database.query('UPDATE media.file SET inspect_due_at = NULL');
    new AWorker().start();
    for (const index of order) {
      const { id } = [video, poster][index] as { id: string };
      await test.database.query('UPDATE media.file SET inspect_due_at = now() WHERE id = $1', [id]);
      await settled(id);
    }
    const { thumbnail_key, preview_key, status } = await rowOf(video.id);
    expect([preview_key, thumbnail_key]).toEqual(await derivedOf(video.id));
    expect(status).toBe('ready');
    expect(await rowOf(poster.id)).toMatchObject({ thumbnail_key: null, preview_key: null, status: 'ready' });
    expect(await announced()).toEqual([]);
  });

  it('replaces the earlier one, which is deleted with its objects', async () => {
    const video = await anUpload(await makeVideo(), 'video/mp4');
    new AWorker().start();
    await settled(video.id);
    const earlier = await aPosterOf(video.id, await jpeg());
    await settled(earlier.id);
    const first = await eventually(async () => {
      const row = await rowOf(video.id);
      expect(row.thumbnail_key).not.toBeNull();
      return row;
    });
    await settled((await aPosterOf(video.id, await noise(100, 300).jpeg().toBuffer())).id);
    const second = await rowOf(video.id);
    expect(second.thumbnail_key).not.toBe(first.thumbnail_key);
    const keys = await test.database.query<{ key: string }>(
      'SELECT key FROM media.object_to_remove ORDER BY key',
    );
    const original = `media/${earlier.id}/original`;
    expect(keys.map(({ key }) => key).sort()).toEqual(
      [original, first.preview_key, first.thumbnail_key].sort(),
    );
  });
});
