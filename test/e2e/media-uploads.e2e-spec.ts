import { randomBytes, randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { CommandBus } from '@nestjs/cqrs';
import { loadConfig } from '#libs/config';
import { ObjectStorage, ObjectStorageConfig } from '#libs/object-storage';
import { type InspectionOutcome, RecordInspection } from '../../src/media/commands/record-inspection.js';
import { MediaObjects, OBJECT_IS_GONE } from '../../src/media/media-objects.store.js';
import { ExpiredFilesSweep } from '../../src/media/sweeps/expired-files.sweep.js';
import { BusinessApi } from '../support/business-api.js';
import { callOf } from '../support/call.js';
import { aMediaFile, IMAGE_FACTS, storedBytes } from '../support/media-files.js';
import { MediaWorld, put, sha256 } from '../support/media-world.js';
import { OwnStorage } from '../support/object-storage.js';
import { renditionsOf } from '../support/rendition-worker.js';
import { RowLock } from '../support/row-lock.js';

const MIB = 1_048_576;
const QUOTA = 200 * MIB;
const PART = 16 * MIB;

describe('uploads of media', () => {
  let own: OwnStorage;
  let api: BusinessApi;
  let storage: ObjectStorage;
  let world: MediaWorld;

  beforeAll(async () => {
    own = await OwnStorage.start();
    api = await BusinessApi.start({ ...own.environment, STORAGE_QUOTA_BYTES: String(QUOTA) });
    storage = new ObjectStorage(loadConfig(ObjectStorageConfig, own.environment));
  });
  beforeEach(async () => {
    world = await MediaWorld.of(api);
  });
  afterAll(async () => {
    storage.onApplicationShutdown();
    await api.stop();
    await own.remove();
  });

  const statusOf = async (id: string) => (await world.call('GET', `/api/media/${id}`)).body.status as string;
  const charged = () => storedBytes(api.test.database, world.organizationId);
  const keyOf = (id: string) => `media/${id}/original`;
  const sweepExpired = () => new ExpiredFilesSweep(api.test.database).sweep();

  it('go to the store and are confirmed', async () => {
    const bytes = randomBytes(1_000);
    const begun = await world.begin(bytes, { altText: ' A hill ', tags: ['b', 'B', ' a '] });
    expect(begun.status).toBe(200);
    const { media, upload } = begun.body;
    expect(media).toMatchObject({
      status: 'uploading',
      kind: 'image',
      bytes: 1_000,
      sha256: sha256(bytes),
      altText: 'A hill',
      tags: ['b', 'a'],
      focusPoint: { x: 0.5, y: 0.5 },
      rejection: null,
    });
    expect(upload).toMatchObject({ kind: 'single', method: 'PUT' });
    expect(await put(upload, bytes)).toBe(200);
    expect(await statusOf(media.id)).toBe('uploading');
    const completed = await world.complete(media.id);
    expect([completed.status, completed.body.status]).toEqual([200, 'inspecting']);
    expect((await storage.head(keyOf(media.id)))?.contentType).toBe('image/jpeg');
    expect(await charged()).toBe(1_000);
  });

  it('of one organization wait for each other without the connections that others need', async () => {
    const crowd = Array.from({ length: 12 });
    const [begun, files] = [
      await Promise.all(crowd.map(() => world.begin(randomBytes(9)))),
      await Promise.all(crowd.map(() => aMediaFile(api.test.database, world.brandId))),
    ];
    const other = await MediaWorld.of(api);
    const counter = await RowLock.by(
      api.test,
      'SELECT FROM uploads.storage_use WHERE organization_id = $1 FOR UPDATE',
      [world.organizationId],
    );
    const answers = Promise.all([
      ...crowd.map(() => world.begin(randomBytes(9))),
      ...files.map(({ id }) => world.call('DELETE', `/api/media/${id}`)),
      ...begun.map(({ body }) => world.call('POST', `/api/media/${body.media.id}/abort`)),
    ]);
    await counter.waitedFor();
    const asked = Array.from({ length: 5 }, () => other.begin(randomBytes(9)));
    expect((await Promise.all(asked)).map(({ status }) => status)).toEqual(asked.map(() => 200));
    await counter.meanwhile([]);
    const statuses = (await answers).map(({ status }) => status);
    expect(statuses).toEqual([...crowd.map(() => 200), ...crowd.map(() => 204), ...crowd.map(() => 204)]);
    expect(await charged()).toBe(crowd.length * 9);
  });

  it('can be the poster of a video of the brand, and is not listed then', async () => {
    const posterOf = await world.beginParts(100 * MIB);
    const begun = await world.begin(randomBytes(100), { posterOf });
    expect(begun.status).toBe(200);
    const rows = await api.test.database.query('SELECT poster_of FROM media.file WHERE id = $1', [
      begun.body.media.id,
    ]);
    expect(rows).toEqual([{ poster_of: posterOf }]);
    const list = await world.call('GET', `/api/media?brandId=${world.brandId}`);
    expect((list.body.data as { id: string }[]).map(({ id }) => id)).toEqual([posterOf]);
  });

  it('cannot be the poster of a picture, a file of another organization, or as a video', async () => {
    const stranger = await MediaWorld.of(api);
    const video = await world.beginParts(100 * MIB);
    const picture = (await world.begin(randomBytes(100))).body.media.id as string;
    for (const fields of [
      { posterOf: picture },
      { posterOf: await stranger.beginParts(100 * MIB) },
      { posterOf: randomUUID() },
      { posterOf: video, contentType: 'video/mp4' },
    ]) {
      const refused = await world.begin(randomBytes(100), fields);
      expect([refused.status, refused.body.code]).toEqual([400, 'poster_not_possible']);
    }
    expect((await world.begin(randomBytes(100), { posterOf: 'x' })).status).toBe(400);
  });

  it('are completed once, however often and on whichever replica', async () => {
    const bytes = randomBytes(500);
    const { media, upload } = (await world.begin(bytes)).body;
    await put(upload, bytes);
    const replica = await api.replica();
    try {
      const person = api.person(world.organizationId);
      const other = callOf(replica.url, { authorization: `Bearer ${person.token}` });
      const calls = [world.call, other, world.call, other, world.call, other];
      const answers = await Promise.all(calls.map((call) => world.complete(media.id, call)));
      const seen = answers.map(({ status, body }) => [status, body.status, body.version]);
      expect(seen).toEqual(calls.map(() => [200, 'inspecting', 2]));
      expect((await world.complete(media.id)).body.version).toBe(2);
    } finally {
      await replica.close();
    }
  });

  it('that the store lost afterwards are found again by another completion, once they are back', async () => {
    const { database } = api.test;
    const bytes = randomBytes(400);
    const { media, upload } = (await world.begin(bytes)).body;
    await put(upload, bytes);
    await world.complete(media.id);
    const accepted = {
      kind: 'accepted',
      contentType: 'image/jpeg',
      facts: IMAGE_FACTS,
      aiMark: null,
    } as const;
    const etag = (await storage.head(keyOf(media.id)))?.etag ?? '';
    const commands = api.service.app.get(CommandBus, { strict: false });
    const record = (outcome: InspectionOutcome) =>
      commands.execute(new RecordInspection({ mediaId: media.id, etag, outcome }));
    await record({ ...accepted, thumbnailKey: null, previewKey: null });
    await storage.delete(keyOf(media.id));
    expect(await record({ kind: 'rejected', code: 'media_not_readable', message: 'Too late.' })).toBe(false);
    expect(await record({ kind: 'rejected', ...OBJECT_IS_GONE })).toBe(true);
    await database.query(
      `INSERT INTO media.rendition (id, media_id, spec_key, spec, focus_x, focus_y, status, failure)
       VALUES ($1, $2, 'lost', '{"kind": "image"}', 0.5, 0.5, 'failed', '{"code": "media_missing"}')`,
      [randomUUID(), media.id],
    );
    const lost = (await world.complete(media.id)).body;
    expect(lost).toMatchObject({ status: 'rejected', width: 1_200, rejection: { code: 'media_missing' } });
    expect(await charged()).toBe(400);

    await put(upload, bytes);
    const { status, body } = await world.complete(media.id);
    expect([status, body.status, body.rejection, body.version]).toEqual([
      200,
      'ready',
      null,
      lost.version + 1,
    ]);
    expect((await world.complete(media.id)).body.version).toBe(body.version);
    expect(await renditionsOf(database, media.id)).toMatchObject([{ status: 'pending', failure: null }]);
    expect(await charged()).toBe(400);
  });

  it('are not finished without an object, and the address takes no other bytes, length or type', async () => {
    const bytes = randomBytes(500);
    const { media, upload } = (await world.begin(bytes)).body;
    const refused = await world.complete(media.id);
    expect([refused.status, refused.body.code]).toEqual([409, 'upload_not_finished']);
    const answers = [
      await put(upload, randomBytes(500)),
      await put(upload, randomBytes(501)),
      await put(upload, bytes.subarray(1)),
      await put(upload, bytes, { 'content-type': 'text/html' }),
    ];
    for (const status of answers) expect([400, 403]).toContain(status);
    expect((await world.complete(media.id)).body.code).toBe('upload_not_finished');
    expect(await put(upload, bytes)).toBe(200);
    expect((await world.complete(media.id)).status).toBe(200);
    // A second upload to the same address cannot replace what is inspected.
    expect(await put(upload, bytes)).toBe(412);
  });

  it.each([
    ['other bytes', randomBytes(500)],
    ['another length', randomBytes(501)],
  ])('of %s are rejected and removed, also when they are completed again', async (_, other) => {
    const bytes = randomBytes(500);
    const { media } = (await world.begin(bytes)).body;
    const object = { length: other.length, sha256: sha256(other), contentType: 'image/jpeg' };
    await storage.put(keyOf(media.id), { ...object, body: Readable.from([other]) });
    for (let time = 0; time < 2; time += 1) {
      const answer = await world.complete(media.id);
      expect([answer.status, answer.body.code]).toEqual([409, 'upload_does_not_match']);
    }
    const { body } = await world.call('GET', `/api/media/${media.id}`);
    expect([body.status, body.rejection.code]).toEqual(['rejected', 'upload_does_not_match']);
    expect(await storage.head(keyOf(media.id))).toBeNull();
    expect(await charged()).toBe(0);
  });

  describe('in parts', () => {
    const length = 6 * PART + 1;
    const whole = randomBytes(length);
    const partOf = (number: number) => whole.subarray((number - 1) * PART, number * PART);
    const sign = (id: string, numbers: readonly number[]) =>
      world.call('POST', `/api/media/${id}/parts`, {
        parts: numbers.map((partNumber) => ({ partNumber, sha256: sha256(partOf(partNumber)) })),
      });
    const send = async (id: string, numbers: readonly number[]) => {
      const { parts } = (await sign(id, numbers)).body;
      await Promise.all(
        parts.map((part: { partNumber: number; url: string; headers: Record<string, string> }) =>
          put(part, partOf(part.partNumber)).then((status) => expect(status).toBe(200)),
        ),
      );
    };
    const openUploads = async () => (await own.paths()).filter((path) => path.startsWith('uploads/'));
    const uploadedParts = async (id: string) =>
      (await sign(id, [])).body.uploaded.map(
        ({ partNumber }: { partNumber: number }) => partNumber,
      ) as number[];

    it('are resumed after they broke off in part 3 of 7, and joined once', async () => {
      const id = await world.beginParts(length);
      await send(id, [2, 1]);
      const [third] = (await sign(id, [3])).body.parts;
      const aborted = new AbortController();
      const broken = fetch(third.url, {
        method: 'PUT',
        headers: third.headers,
        signal: aborted.signal,
        duplex: 'half',
        body: Readable.from(
          (function* () {
            yield partOf(3).subarray(0, MIB);
            aborted.abort();
          })(),
        ),
      });
      await expect(broken).rejects.toThrow();
      expect(await uploadedParts(id)).toEqual([1, 2]);
      const missing = await world.complete(id);
      expect([missing.status, missing.body.missingParts]).toEqual([409, [3, 4, 5, 6, 7]]);
      await send(id, [7, 3, 6, 4, 5]);
      const answers = await Promise.all([world.complete(id), world.complete(id), world.complete(id)]);
      expect(answers.map(({ status, body }) => [status, body.status])).toEqual(
        answers.map(() => [200, 'inspecting']),
      );
      expect((await storage.head(keyOf(id)))?.length).toBe(length);
      expect(answers[0]?.body.sha256).toBeNull();
      expect((await sign(id, [1])).body.code).toBe('upload_is_complete');
    });

    it('take no other bytes and no part that does not exist', async () => {
      const id = await world.beginParts(length);
      const [last] = (await sign(id, [7])).body.parts;
      expect(last.bytes).toBe(1);
      expect([400, 403]).toContain(await put(last, Buffer.from([(partOf(7)[0] ?? 0) ^ 1])));
      expect([400, 403]).toContain(await put(last, randomBytes(2)));
      expect((await sign(id, [8])).body).toMatchObject({ code: 'part_does_not_exist', partCount: 7 });
      const twice = await sign(id, [1, 1]);
      expect([twice.status, twice.body.errors]).toEqual([
        400,
        [{ pointer: '#/parts', code: 'array_unique', detail: 'must not name a part twice' }],
      ]);
      const single = (await world.begin(randomBytes(10))).body.media.id;
      expect((await sign(single, [1])).body.code).toBe('part_does_not_exist');
    });

    it('leave nothing when they are aborted', async () => {
      const before = await openUploads();
      const id = await world.beginParts(length);
      await send(id, [1, 2]);
      expect(await openUploads()).not.toEqual(before);
      expect(await charged()).toBe(length);
      expect((await world.call('POST', `/api/media/${id}/abort`)).status).toBe(204);
      expect((await world.call('GET', `/api/media/${id}`)).status).toBe(404);
      expect((await world.complete(id)).status).toBe(404);
      expect(await charged()).toBe(0);
      expect(await openUploads()).toEqual(before);
    });

    it('end when they are not continued', async () => {
      const before = await openUploads();
      const id = await world.beginParts(length);
      await send(id, [1]);
      const expire = `UPDATE media.file SET upload_expires_at = now() - interval '61 minutes' WHERE id = $1`;
      await api.test.database.query(expire, [id]);
      expect((await sign(id, [2])).body.code).toBe('upload_expired');
      expect(await sweepExpired()).toBe(1);
      expect(await sweepExpired()).toBe(0);
      expect((await world.call('GET', `/api/media/${id}`)).status).toBe(404);
      expect(await charged()).toBe(0);
      await new MediaObjects(api.test.database, storage).removeDue(100, Infinity);
      expect(await openUploads()).toEqual(before);
      const left = await api.test.database.query('SELECT FROM media.object_to_remove WHERE key = $1', [
        keyOf(id),
      ]);
      expect(left).toEqual([]);
    });
  });

  it('that are aborted are removed again when their address was used afterwards', async () => {
    const bytes = randomBytes(100);
    const { media, upload } = (await world.begin(bytes)).body;
    expect((await world.call('POST', `/api/media/${media.id}/abort`)).status).toBe(204);
    expect(await put(upload, bytes)).toBe(200);
    const objects = new MediaObjects(api.test.database, storage);
    await objects.removeDue(100, Infinity);
    expect(await storage.head(keyOf(media.id))).not.toBeNull();
    await api.test.database.query(
      `UPDATE media.object_to_remove SET due_at = now(), writable_until = now() WHERE key = $1`,
      [keyOf(media.id)],
    );
    await objects.removeDue(100, Infinity);
    expect(await storage.head(keyOf(media.id))).toBeNull();
    const [row] = await api.test.database.query('SELECT FROM media.object_to_remove WHERE key = $1', [
      keyOf(media.id),
    ]);
    expect(row).toBeUndefined();
  });

  it('cannot be aborted when they are complete', async () => {
    const id = await world.uploaded();
    const answer = await world.call('POST', `/api/media/${id}/abort`);
    expect([answer.status, answer.body.code]).toEqual([409, 'upload_is_complete']);
  });

  it.each([
    ['../../etc/passwd', 'passwd'],
    ['C:\\photos\\a\u202egpj.exe', 'agpj.exe'],
    ['\u200b\u202e', 'file'],
    ['a\r\nX-Injected: 1.png', 'aX-Injected: 1.png'],

    ['"><script>.svg', '"><script>.svg'],
  ])('of a file named %j keep %j', async (fileName, kept) => {
    const { status, body } = await world.begin(randomBytes(10), { fileName });
    expect([status, body.media.fileName]).toEqual([200, kept]);
    expect(new URL(body.upload.url).pathname).toContain(keyOf(body.media.id));
  });

  it.each([
    [{ bytes: 0 }, 400, 'validation_failed'],
    [{ bytes: -1 }, 400, 'validation_failed'],
    [{ bytes: 1.5 }, 400, 'validation_failed'],
    [{ bytes: '10' }, 400, 'validation_failed'],
    [{ sha256: 'abc' }, 400, 'validation_failed'],
    [{ sha256: undefined, bytes: 7 }, 400, 'checksum_missing'],
    [{ fileName: '' }, 400, 'validation_failed'],
    [{ tags: [5] }, 400, 'validation_failed'],
    [{ altText: 5 }, 400, 'validation_failed'],
    [{ objectKey: 'x' }, 400, 'validation_failed'],
    [{ contentType: 'image/svg+xml' }, 415, 'media_type_not_supported'],
    [{ contentType: 'text/html' }, 415, 'media_type_not_supported'],
    [{ bytes: 64 * MIB + 1 }, 413, 'file_too_large'],
    [{ contentType: 'video/mp4', bytes: 4_096 * MIB + 1 }, 413, 'file_too_large'],
    [{ contentType: 'video/mp4', bytes: QUOTA + 1 }, 413, 'storage_quota_exceeded'],
    [{ brandId: randomUUID() }, 404, 'brand_not_found'],
    [{ brandId: 'x' }, 400, 'validation_failed'],
  ])('with %j are refused with %d %s, and nothing is kept', async (fields, status, code) => {
    const answer = await world.begin(randomBytes(10), fields);
    expect([answer.status, answer.body.code]).toEqual([status, code]);
    expect((await world.call('GET', '/api/media')).body.data).toEqual([]);
    expect(await charged()).toBe(0);
  });

  it('that are too large are told which field says so', async () => {
    const { body } = await world.begin(randomBytes(10), { bytes: 64 * MIB + 1 });
    expect(body.errors).toEqual([
      { pointer: '#/bytes', code: 'too_large', detail: `must be ${64 * MIB} bytes at most` },
    ]);
  });

  it('to a brand of another organization are refused as if it did not exist', async () => {
    const stranger = api.as(api.person().token);
    const answer = await world.begin(randomBytes(10), {}, stranger);
    expect([answer.status, answer.body.code]).toEqual([404, 'brand_not_found']);
    const id = (await world.begin(randomBytes(10))).body.media.id;
    const parts = { parts: [] };
    for (const [method, path, body] of [
      ['POST', 'parts', parts],
      ['POST', 'complete', undefined],
      ['POST', 'abort', undefined],
    ] as const) {
      const refused = await stranger(method, `/api/media/${id}/${path}`, body);
      expect([refused.status, refused.body.code]).toEqual([404, 'media_not_found']);
    }
    expect(await statusOf(id)).toBe('uploading');
  });

  it('do not exceed the quota together', async () => {
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => world.begin(randomBytes(10), { bytes: QUOTA / 4 })),
    );
    const statuses = answers.map(({ status }) => status).sort();
    expect(statuses).toEqual([200, 200, 200, 200, 413, 413, 413, 413]);
    expect(await charged()).toBe(QUOTA);
  });

  describe('while the store is down', () => {
    let down: OwnStorage;
    let calls: MediaWorld['call'];
    let replica: Awaited<ReturnType<BusinessApi['replica']>>;

    beforeEach(async () => {
      down = await OwnStorage.start();
      await down.stop();
      replica = await api.replica({ ...down.environment });
      const { token } = api.person(world.organizationId);
      calls = callOf(replica.url, { authorization: `Bearer ${token}` });
    });
    afterEach(async () => {
      await replica.close();
      await down.remove();
    });

    it('are refused in parts, and nothing is half stored', async () => {
      const video = { fileName: 'clip.mp4', contentType: 'video/mp4', bytes: 65 * MIB };
      const answer = await calls('POST', '/api/media/upload', { brandId: world.brandId, ...video });
      expect([answer.status, answer.body.code]).toEqual([503, 'object_storage_unavailable']);
      expect(answer.headers.get('retry-after')).toBeTruthy();
      expect((await world.call('GET', '/api/media')).body.data).toEqual([]);
      expect(await charged()).toBe(0);
    });

    it('stay open, and are completed afterwards', async () => {
      const bytes = randomBytes(10);
      const { media, upload } = (await world.begin(bytes)).body;
      await put(upload, bytes);
      expect((await world.complete(media.id, calls)).status).toBe(503);
      expect(await statusOf(media.id)).toBe('uploading');
      expect((await world.complete(media.id)).body.status).toBe('inspecting');
    });
  });
});
