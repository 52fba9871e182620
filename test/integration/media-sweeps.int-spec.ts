import { randomUUID } from 'node:crypto';
import { FixedClock } from '#libs/clock/testing';
import { loadConfig } from '#libs/config';
import { Leases } from '#libs/due-work';
import { ObjectStorage, ObjectStorageConfig } from '#libs/object-storage';
import { MediaObjects } from '../../src/media/media-objects.store.js';
import { ExpiredFilesSweep } from '../../src/media/sweeps/expired-files.sweep.js';
import { MediaObjectsSweep, UnknownUploadsSweep } from '../../src/media/sweeps/media-objects.sweep.js';
import { aBrandRow, aMediaFile, loseObject, storedBytes } from '../support/media-files.js';
import { OwnStorage } from '../support/object-storage.js';
import { createTestDatabase, type TestDatabase } from '../support/test-database.js';

const DAY_MS = 86_400_000;

describe('sweeps of the media library', () => {
  let test: TestDatabase;
  let own: OwnStorage;
  let storage: ObjectStorage;

  beforeAll(async () => {
    [test, own] = [await createTestDatabase(), await OwnStorage.start()];
    storage = new ObjectStorage(loadConfig(ObjectStorageConfig, own.environment));
  });
  afterAll(async () => {
    storage.onApplicationShutdown();
    await own.remove();
    await test.drop();
  });

  const ids = async () => {
    const rows = await test.database.query<{ id: string }>('SELECT id FROM media.file');
    return rows.map(({ id }) => id);
  };

  it('delete abandoned uploads and old rejected files only, and release their bytes', async () => {
    const [one, other] = [await aBrandRow(test.database), await aBrandRow(test.database)];
    const kept = [
      await aMediaFile(test.database, one.id),
      await aMediaFile(test.database, one.id, { status: 'inspecting', uploadExpiresIn: '-2 hours' }),
      await aMediaFile(test.database, one.id, { status: 'uploading', uploadExpiresIn: '-59 minutes' }),
      await aMediaFile(test.database, one.id, { status: 'rejected' }),
    ];
    for (const brand of [one, other])
      await aMediaFile(test.database, brand.id, { status: 'uploading', uploadExpiresIn: '-61 minutes' });
    const rejected = await aMediaFile(test.database, one.id, { status: 'rejected' });
    const anOldOne = `UPDATE media.file SET updated_at = now() - interval '25 hours' WHERE id = $1`;
    await test.database.query(anOldOne, [rejected.id]);

    const sweeps = [1, 2].map(() => new ExpiredFilesSweep(test.database));
    const [first = 0, second = 0] = await Promise.all(sweeps.map((sweep) => sweep.sweep()));
    expect(first + second).toBe(3);
    expect((await ids()).sort()).toEqual(kept.map(({ id }) => id).sort());
    expect(await storedBytes(test.database, one.organizationId)).toBe(3_000);
    expect(await storedBytes(test.database, other.organizationId)).toBe(0);
  });

  it('keep a file whose object was lost after it was ready; it counts until it is deleted', async () => {
    const brand = await aBrandRow(test.database);
    const { id, key } = await aMediaFile(test.database, brand.id);
    await loseObject(test.database, id);
    const longAgo = `UPDATE media.file SET updated_at = now() - interval '25 hours' WHERE id = $1`;
    await test.database.query(longAgo, [id]);
    expect(await new ExpiredFilesSweep(test.database).sweep()).toBe(0);
    const removals = () => test.database.query('SELECT FROM media.object_to_remove WHERE key = $1', [key]);
    expect([await storedBytes(test.database, brand.organizationId), await removals()]).toEqual([1_000, []]);
    await test.database.query('DELETE FROM media.file WHERE id = $1', [id]);
    expect([await storedBytes(test.database, brand.organizationId), await removals()]).toEqual([0, [{}]]);
  });

  it('keep the removal of an object that a client can store again, until it cannot', async () => {
    const brand = await aBrandRow(test.database);
    const [writable, settled] = [
      await aMediaFile(test.database, brand.id, { status: 'uploading', uploadExpiresIn: '1 hour' }),
      await aMediaFile(test.database, brand.id, { status: 'uploading', uploadExpiresIn: '-2 hours' }),
    ];
    await test.database.query('DELETE FROM media.file WHERE brand_id = $1', [brand.id]);
    await test.database.query('DELETE FROM media.object_to_remove WHERE key <> ALL($1)', [
      [writable.key, settled.key],
    ]);
    const sweep = new MediaObjectsSweep(
      test.database,
      new Leases(),
      new MediaObjects(test.database, storage),
    );
    expect(await sweep.sweep()).toBe(2);
    const left = await test.database.query(
      'SELECT key, due_at = writable_until AS again FROM media.object_to_remove',
    );
    expect(left).toEqual([{ key: writable.key, again: true }]);
    expect(await sweep.sweep()).toBe(0);
  });

  it('abort old uploads in parts that no row knows', async () => {
    const brand = await aBrandRow(test.database);
    const { id, key } = await aMediaFile(test.database, brand.id, { status: 'uploading' });
    const known = await storage.multipart.create(key, 'video/mp4');
    await test.database.query('UPDATE media.file SET upload_id = $2 WHERE id = $1', [id, known]);
    const lost = `media/${randomUUID()}/original`;
    await storage.multipart.create(lost, 'video/mp4');
    const foreign = `attachments/${randomUUID()}`;
    await storage.multipart.create(foreign, 'video/mp4');
    const open = async () => {
      const keys: string[] = [];
      for await (const page of storage.multipart.open('')) keys.push(...page.map((upload) => upload.key));
      return keys.sort();
    };
    const sweepAt = (time: number) =>
      new UnknownUploadsSweep(test.database, new Leases(), storage, new FixedClock(new Date(time))).sweep();
    expect(await sweepAt(Date.now() + DAY_MS - 60_000)).toBe(0);
    expect(await open()).toEqual([foreign, key, lost].sort());
    expect(await sweepAt(Date.now() + DAY_MS + 60_000)).toBe(1);
    expect(await open()).toEqual([foreign, key].sort());
  });
});
