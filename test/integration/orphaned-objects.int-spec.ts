import { createHash, randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { loadConfig } from '#libs/config';
import { Leases } from '#libs/due-work';
import { ObjectStorage, ObjectStorageConfig, ObjectStorageIsUnavailable } from '#libs/object-storage';
import { UploadTookTooLong } from '#libs/uploads';
import {
  AttachmentObjects,
  OrphanedObjectsSweep,
} from '../../src/contacts/attachments/attachment-objects.js';
import { OwnStorage } from '../support/object-storage.js';
import { createTestDatabase, type TestDatabase } from '../support/test-database.js';

const CONTENT = Buffer.from('the file');

describe('objects that no attachment has', () => {
  let test: TestDatabase;
  let own: OwnStorage;
  let storage: ObjectStorage;
  let objects: AttachmentObjects;
  let sweep: OrphanedObjectsSweep;

  beforeEach(async () => {
    [test, own] = [await createTestDatabase(), await OwnStorage.start()];
    storage = new ObjectStorage(loadConfig(ObjectStorageConfig, own.environment));
    objects = new AttachmentObjects(test.database, storage);
    sweep = new OrphanedObjectsSweep(test.database, new Leases(), objects);
  });
  afterEach(async () => {
    storage.onApplicationShutdown();
    await own.remove();
    await test.drop();
  });

  /** What is there of an upload whose process died right after the put. */
  async function diedAfterPut(): Promise<string> {
    const key = `attachments/${randomUUID()}`;
    await objects.announce(key);
    const sha256 = createHash('sha256').update(CONTENT).digest('hex');
    const object = { length: CONTENT.length, sha256, contentType: 'text/plain' };
    await storage.put(key, { ...object, body: Readable.from([CONTENT]) });
    return key;
  }
  const anHourLater = () =>
    test.database.query(`UPDATE contacts.object_to_remove SET due_at = due_at - interval '61 minutes'`);
  const announced = () =>
    test.database.query<{ key: string; adoptable: boolean }>(
      'SELECT key, adoptable FROM contacts.object_to_remove',
    );

  it('are kept while the upload may still run, and removed afterwards', async () => {
    const key = await diedAfterPut();
    expect(await sweep.sweep()).toBe(0);
    expect(await storage.head(key)).toMatchObject({ length: CONTENT.length });
    await anHourLater();
    expect(await sweep.sweep()).toBe(1);
    expect(await storage.head(key)).toBeNull();
    expect(await announced()).toEqual([]);
    expect(await own.files()).toEqual([]);
  });

  it('are no such objects once a row has adopted them; nor when that was rolled back', async () => {
    const key = await diedAfterPut();
    const rolledBack = test.database.transaction(async (transaction) => {
      await objects.adopt(transaction, key);
      throw new Error('the row could not be written');
    });
    await expect(rolledBack).rejects.toThrow('could not be written');
    expect(await announced()).toEqual([{ key, adoptable: true }]);
    await test.database.transaction((transaction) => objects.adopt(transaction, key));
    await anHourLater();
    expect(await sweep.sweep()).toBe(0);
    await objects.discard(key);
    expect(await storage.head(key)).not.toBeNull();
  });

  it('cannot be adopted after their removal has begun', async () => {
    const key = await diedAfterPut();
    await own.stop();
    await objects.discard(key);
    expect(await announced()).toEqual([{ key, adoptable: false }]);
    const late = test.database.transaction((transaction) => objects.adopt(transaction, key));
    await expect(late).rejects.toThrow(UploadTookTooLong);
  });

  it('stay on the list while the store is down', async () => {
    await diedAfterPut();
    await anHourLater();
    await own.stop();
    await expect(sweep.sweep()).rejects.toThrow(ObjectStorageIsUnavailable);
    expect(await announced()).toHaveLength(1);
    await expect(sweep.tick()).resolves.toBeUndefined();
  });

  it('are removed but for the one that cannot be', async () => {
    const keys = [await diedAfterPut(), await diedAfterPut(), await diedAfterPut()];
    await anHourLater();
    const remove = storage.delete.bind(storage);
    const tried: string[] = [];
    storage.delete = (key) => {
      tried.push(key);
      return tried.length === 1 ? Promise.reject(new ObjectStorageIsUnavailable('refused')) : remove(key);
    };
    await expect(sweep.sweep()).rejects.toThrow(ObjectStorageIsUnavailable);
    expect(tried.toSorted()).toEqual(keys.toSorted());
    expect(await announced()).toEqual([{ key: tried[0], adoptable: false }]);
    const there = await Promise.all(tried.map((key) => storage.head(key)));
    expect(there).toEqual([expect.objectContaining({ length: CONTENT.length }), null, null]);
  });

  it('are left for the next sweep when the time limit is reached', async () => {
    const key = await diedAfterPut();
    await anHourLater();
    expect(await objects.removeDue(10, 0)).toBe(1);
    expect(await announced()).toEqual([{ key, adoptable: false }]);
    expect(await storage.head(key)).not.toBeNull();
  });

  it('are removed by one replica at a time', async () => {
    for (let n = 0; n < 120; n += 1) await objects.announce(`attachments/${n}`);
    await anHourLater();
    const others = [1, 2].map(() => new OrphanedObjectsSweep(test.database, new Leases(), objects));
    const removed = await Promise.all([sweep, ...others].map((one) => one.sweep()));
    expect(removed.reduce((sum, one) => sum + one)).toBe(120);
    expect(await announced()).toEqual([]);
  });
});
