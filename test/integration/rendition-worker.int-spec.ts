import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import sharp from 'sharp';
import { SystemClock } from '#libs/clock';
import { loadConfig } from '#libs/config';
import { type DeliveryFile, MediaIsMissing, type RenditionSpec } from '#libs/content';
import { ObjectStorage, ObjectStorageConfig, ObjectStorageIsUnavailable } from '#libs/object-storage';
import { MediaAddressesConfig } from '../../src/media/host/media-addresses.config.js';
import { MediaAddresses } from '../../src/media/host/media-addresses.js';
import { GetRenditions } from '../../src/media/index.js';
import { GetRenditionsHandler } from '../../src/media/renditions/queries/get-renditions.js';
import { RenditionFiles } from '../../src/media/renditions/queries/rendition-files.js';
import type { MediaFileRow } from '../../src/media/views/media-file.view.js';
import { manifestsIn } from '../../src/media/marks/manifests.js';
import { manifestStore, signedJpeg } from '../support/credentials.js';
import { eventually } from '../support/eventually.js';
import { aBrandRow } from '../support/media-files.js';
import { OwnStorage } from '../support/object-storage.js';
import {
  aStoredFile,
  JPEG,
  prepareRendition,
  RenditionWorker,
  renditionsOf,
} from '../support/rendition-worker.js';
import { createTestDatabase, type TestDatabase } from '../support/test-database.js';
import { makeVideo, readPackets } from '../support/video-files.js';

const MP4: RenditionSpec = { kind: 'video', container: 'mp4', maxBytes: 50_000_000 };
const GPS = { IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '51/1 30/1 0/1' } };

describe('the worker that makes renditions', () => {
  let test: TestDatabase;
  let own: OwnStorage;
  let storage: ObjectStorage;
  let worker: RenditionWorker;
  let brandId: string;
  let addresses: MediaAddresses;
  let get: GetRenditionsHandler;

  beforeAll(async () => {
    [test, own] = [await createTestDatabase(), await OwnStorage.start()];
    storage = new ObjectStorage(loadConfig(ObjectStorageConfig, own.environment));
    worker = new RenditionWorker(test.database, storage);
    brandId = (await aBrandRow(test.database)).id;
    worker.start();
    const keys = `k1:${randomBytes(32).toString('base64')}`;
    addresses = new MediaAddresses(
      loadConfig(MediaAddressesConfig, { MEDIA_ADDRESS_KEYS: keys }),
      new SystemClock(),
    );
    get = new GetRenditionsHandler(test.database, new RenditionFiles(test.database, storage, addresses));
  });
  afterAll(async () => {
    await worker.stop();
    storage.onApplicationShutdown();
    await own.remove();
    await test.drop();
  });

  const photo = (width: number, height: number) =>
    sharp({
      create: {
        width,
        height,
        channels: 3,
        background: '#888',
        noise: { type: 'gaussian', mean: 128, sigma: 30 },
      },
    })
      .withExif(GPS)
      .jpeg()
      .toBuffer();
  const stored = (bytes: Buffer, kind?: 'image' | 'video') =>
    aStoredFile(test.database, storage, brandId, { bytes, ...(kind ? { kind } : {}) });
  const row = async (mediaId: string) => (await renditionsOf(test.database, mediaId))[0];
  const ended = (mediaId: string, status: string) =>
    eventually(async () => expect(await row(mediaId)).toMatchObject({ status }));
  const bytesOf = async (mediaId: string) => {
    const object = await storage.get((await row(mediaId))?.object_key ?? '');
    return buffer(object?.body as NodeJS.ReadableStream);
  };
  const makeDue = () => test.database.query('UPDATE media.rendition SET due_at = now()');
  const fileRow = async (mediaId: string) =>
    (await test.database.query<MediaFileRow>('SELECT * FROM media.file WHERE id = $1', [mediaId]))[0];
  const eventsOf = async (mediaId: string) =>
    (
      await test.database.query<{ data: object }>(
        `SELECT data FROM events.event WHERE stream = $1 AND type = 'MediaRejected'`,
        [mediaId],
      )
    ).map(({ data }) => data);
  const attemptsOf = async (mediaId: string) => {
    const [found] = await test.database.query<{ attempts: number }>(
      'SELECT attempts FROM media.rendition WHERE media_id = $1',
      [mediaId],
    );
    return found?.attempts;
  };

  it('makes an image without the place where it was taken, and counts it', async () => {
    const { id } = await stored(await photo(2000, 1000));
    await prepareRendition(test.database, id);
    await ended(id, 'ready');

    expect(await row(id)).toMatchObject({
      content_type: 'image/jpeg',
      width: 1440,
      height: 720,
      duration_ms: null,
    });
    const made = await bytesOf(id);
    expect(made.length).toBe(Number((await row(id))?.bytes));
    expect((await sharp(made).metadata()).exif).toBeUndefined();
    // Counted after the row is stored.
    const page = await eventually(async () => {
      const now = await worker.metrics.page();
      expect(now).toMatch(/^media_rendition_outcomes_total\{outcome="ready"\} 1$/m);
      return now;
    });
    expect(page).toMatch(/^media_renditions_pending 0$/m);
    expect(page).toMatch(/^media_rendition_duration_seconds_count\{kind="image"\} 1$/m);
  });

  it('says that a model made it, in its bytes and to the sender', async () => {
    const { id } = await stored(await photo(400, 300));
    await test.database.query(`UPDATE media.file SET ai_mark = 'generated' WHERE id = $1`, [id]);
    await prepareRendition(test.database, id);
    await ended(id, 'ready');

    const { xmp } = await sharp(await bytesOf(id)).metadata();
    expect(xmp?.toString()).toContain('digitalsourcetype/trainedAlgorithmicMedia<');
    const [made] = await get.execute(new GetRenditions({ files: [{ mediaId: id, spec: JPEG }] }));
    expect(made).toMatchObject({ kind: 'ready', file: { aiMark: 'generated' } });
  });

  it('copies a picture with Content Credentials that fits, and marks a rendition that loses them', async () => {
    const store = manifestStore('trainedAlgorithmicMedia');
    const source = signedJpeg(await photo(400, 300), store);
    const { id } = await stored(source);
    await test.database.query(
      `UPDATE media.file SET ai_mark = 'generated', facts = facts || $2 WHERE id = $1`,
      [id, { width: 400, height: 300, hasCredentials: true, isPublishable: true }],
    );
    await prepareRendition(test.database, id);
    await ended(id, 'ready');
    expect((await bytesOf(id)).equals(source)).toBe(true);

    const smaller = { ...JPEG, maxWidth: 100 };
    await prepareRendition(test.database, id, smaller);
    await ended(id, 'ready');
    const made = await bytesOf(id);
    expect(manifestsIn(made, 'image/jpeg')).toEqual([]);
    expect((await sharp(made).metadata()).xmp?.toString()).toContain('/trainedAlgorithmicMedia<');
    expect(await row(id)).toMatchObject({ width: 100, height: 75 });
  });

  it('makes a video from ranges of its source', async () => {
    const source = await makeVideo({ format: 'mov', fastStart: false });
    const { id } = await stored(source, 'video');
    await prepareRendition(test.database, id, MP4);
    await ended(id, 'ready');

    expect(await row(id)).toMatchObject({
      content_type: 'video/mp4',
      width: 1920,
      height: 1080,
      duration_ms: 2000,
    });
    expect(await readPackets(await bytesOf(id))).toEqual(await readPackets(source));
  });

  it('keeps a definite failure', async () => {
    const { id } = await stored(await photo(400, 400));
    await prepareRendition(test.database, id, { ...JPEG, maxBytes: 100 });
    await ended(id, 'failed');
    expect((await row(id))?.failure).toMatchObject({ code: 'cannot_fit' });
  });

  it('fails for good when the bytes of the source are gone, or are others', async () => {
    const gone = await stored(await photo(40, 40));
    await storage.delete(gone.key);
    const other = await stored(await photo(40, 40));
    await test.database.query(`UPDATE media.file SET etag = '"other"' WHERE id = $1`, [other.id]);
    for (const { id } of [gone, other]) {
      await prepareRendition(test.database, id);
      await ended(id, 'failed');
      expect((await row(id))?.failure).toMatchObject({ code: 'media_missing' });
      expect(await fileRow(id)).toMatchObject({ status: 'rejected', rejection: { code: 'media_missing' } });
      expect(await eventsOf(id)).toEqual([{ mediaId: id, brandId, code: 'media_missing' }]);
    }
  });

  it('sends what was made before the bytes of the source were lost, and nothing else', async () => {
    const { id, key } = await stored(await photo(300, 200));
    await prepareRendition(test.database, id);
    await ended(id, 'ready');
    await storage.delete(key);
    const smaller = { ...JPEG, maxWidth: 100 };
    await prepareRendition(test.database, id, smaller);
    await eventually(async () => expect(await fileRow(id)).toMatchObject({ status: 'rejected' }));
    const neverMade = { ...JPEG, maxWidth: 200 };
    await prepareRendition(test.database, id, neverMade);
    const files = [JPEG, smaller, neverMade].map((spec) => ({ mediaId: id, spec }));
    expect(await get.execute(new GetRenditions({ files }))).toMatchObject([
      { kind: 'ready' },
      { kind: 'failed', code: 'media_missing', message: expect.stringContaining('Upload the file again') },
      { kind: 'failed', code: 'media_missing' },
    ]);
  });

  it('tries again after an outage of the store, and leaves one object', async () => {
    jest.spyOn(Logger.prototype, 'warn').mockReturnValue();
    const { id } = await stored(await photo(100, 100));
    jest.spyOn(storage, 'put').mockRejectedValueOnce(new ObjectStorageIsUnavailable(new Error('down')));
    await prepareRendition(test.database, id);
    await eventually(async () => expect(await attemptsOf(id)).toBe(1));
    await eventually(async () => {
      await makeDue();
      expect(await row(id)).toMatchObject({ status: 'ready' });
    });

    expect(await attemptsOf(id)).toBe(2);
    expect(await own.files(`media/${id}/renditions/`)).toEqual([(await row(id))?.object_key]);
    await eventually(async () =>
      expect(await worker.metrics.page()).toMatch(/^media_rendition_outcomes_total\{outcome="retried"\} 1$/m),
    );
  });

  it('gives out renditions in the order asked for: ready, pending, failed, missing', async () => {
    const bytes = await photo(300, 200);
    const [ready, pending, failed, missing] = [
      await stored(bytes),
      await stored(bytes),
      await stored(bytes),
      randomUUID(),
    ];
    await test.database.query(`UPDATE media.file SET alt_text = 'A bridge' WHERE id = $1`, [ready.id]);
    const tooSmall = { ...JPEG, maxBytes: 100 };
    await prepareRendition(test.database, ready.id);
    await prepareRendition(test.database, failed.id, tooSmall);
    await Promise.all([ended(ready.id, 'ready'), ended(failed.id, 'failed')]);

    const files = [
      { mediaId: missing, spec: JPEG },
      { mediaId: ready.id, spec: JPEG },
      { mediaId: failed.id, spec: tooSmall },
      { mediaId: pending.id, spec: JPEG },
      { mediaId: ready.id, spec: JPEG },
    ];
    const found = await get.execute(new GetRenditions({ files }));
    expect(found).toMatchObject([
      { kind: 'failed', code: 'media_missing' },
      {
        kind: 'ready',
        file: {
          mediaId: ready.id,
          kind: 'image',
          contentType: 'image/jpeg',
          width: 300,
          height: 200,
          altText: 'A bridge',
        },
      },
      { kind: 'failed', code: 'cannot_fit' },
      { kind: 'pending' },
      { kind: 'ready' },
    ]);
    const file = (found[1] as { file: DeliveryFile }).file;
    const made = await bytesOf(ready.id);
    expect(file.bytes).toBe(made.length);
    expect(await buffer(Readable.from(await file.open(10, 50)))).toEqual(made.subarray(10, 50));
    expect(await buffer(Readable.from(await file.open(0, file.bytes)))).toEqual(made);
    expect(addresses.read(file.address().split('/').at(-1) ?? '')).toMatchObject({
      key: (await row(ready.id))?.object_key,
    });
  });

  it('gives out bytes of the same version only', async () => {
    const { id } = await stored(await photo(30, 20));
    await prepareRendition(test.database, id);
    await ended(id, 'ready');
    const open = async () => {
      const [rendition] = await get.execute(new GetRenditions({ files: [{ mediaId: id, spec: JPEG }] }));
      return (rendition as { file: DeliveryFile }).file.open(0, 10);
    };
    const key = (await row(id))?.object_key ?? '';
    const sha256 = createHash('sha256').update('other').digest('hex');
    await storage.put(key, { body: Readable.from(['other']), length: 5, sha256, contentType: 'image/jpeg' });
    await expect(open()).rejects.toBeInstanceOf(MediaIsMissing);
    await storage.delete(key);
    await expect(open()).rejects.toBeInstanceOf(MediaIsMissing);
    // Made again for the next request, so that a retry of the post succeeds.
    await ended(id, 'ready');
    expect((await row(id))?.object_key).not.toBe(key);
    expect(await buffer(Readable.from(await open()))).toHaveLength(10);
  });

  it('gives up a rendition that ended five workers', async () => {
    const { id } = await stored(await photo(40, 40));
    await test.database.transaction(async () => {
      await prepareRendition(test.database, id);
      await test.database.query(
        'UPDATE media.rendition SET is_claimed = true, takeovers = 4 WHERE media_id = $1',
        [id],
      );
    });
    await ended(id, 'failed');
    expect((await row(id))?.failure?.message).toContain('Workers ended each time');
  });

  it('leaves a file ready of which the store does not say that it is gone', async () => {
    jest.spyOn(Logger.prototype, 'warn').mockReturnValue();
    const { id, key } = await stored(await photo(40, 40));
    await storage.delete(key);
    const down = jest
      .spyOn(storage, 'get')
      .mockRejectedValue(new ObjectStorageIsUnavailable(new Error('down')));
    await prepareRendition(test.database, id);
    await eventually(async () => expect(await attemptsOf(id)).toBe(1));
    await eventually(() => expect(down).toHaveBeenCalled());
    expect(await fileRow(id)).toMatchObject({ status: 'ready', rejection: null });
    down.mockRestore();
    await eventually(async () => {
      await makeDue();
      expect(await fileRow(id)).toMatchObject({ status: 'rejected' });
    });
  });

  /** The next rendition waits for the address of its source until `release`. */
  const holdUp = () => {
    const { promise, resolve: release } = Promise.withResolvers<void>();
    const presign = storage.presignInternalGet.bind(storage);
    jest.spyOn(storage, 'presignInternalGet').mockImplementationOnce(async (...parameters) => {
      await promise;
      return presign(...parameters);
    });
    return release;
  };

  it('stores nothing of a file that is deleted meanwhile', async () => {
    const { id } = await stored(await photo(100, 100));
    const release = holdUp();
    await prepareRendition(test.database, id);
    await eventually(async () => expect(await attemptsOf(id)).toBe(1));
    await test.database.query('DELETE FROM media.file WHERE id = $1', [id]);
    release();
    await eventually(async () =>
      expect(await worker.metrics.page()).toMatch(/^media_rendition_outcomes_total\{outcome="lost"\} 1$/m),
    );
    expect(await own.files(`media/${id}/renditions/`)).toEqual([]);
  });

  it('shares renditions with another worker: each is made once', async () => {
    const second = new RenditionWorker(test.database, storage);
    second.start();
    const bytes = await photo(60, 40);
    const files = await Promise.all(Array.from({ length: 12 }, () => stored(bytes)));
    await Promise.all(files.map(({ id }) => prepareRendition(test.database, id)));
    for (const { id } of files) await ended(id, 'ready');
    await second.stop();

    expect(await Promise.all(files.map(({ id }) => attemptsOf(id)))).toEqual(Array(12).fill(1));
    const objects = await Promise.all(files.map(({ id }) => own.files(`media/${id}/renditions/`)));
    expect(objects.map(({ length }) => length)).toEqual(Array(12).fill(1));
  });

  it('gives back what it makes when it shuts down', async () => {
    await worker.stop();
    const stopping = new RenditionWorker(test.database, storage);
    const { id } = await stored(await photo(100, 100));
    const release = holdUp();
    await prepareRendition(test.database, id);
    stopping.start();
    await eventually(async () => expect(await attemptsOf(id)).toBe(1));
    const stopped = stopping.stop();
    release();
    await stopped;

    expect(await stopping.claims.take(1, 'fast')).toMatchObject([{ mediaId: id, attempts: 2, takeovers: 0 }]);
  });
});
