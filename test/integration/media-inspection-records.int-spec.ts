import { EventStore } from '#libs/event-store';
import { loadConfig } from '#libs/config';
import { ObjectStorage, ObjectStorageConfig } from '#libs/object-storage';
import {
  type InspectionOutcome,
  RecordInspection,
  RecordInspectionHandler,
} from '../../src/media/commands/record-inspection.js';
import { MediaLog } from '../../src/media/media.stream.js';
import { MediaObjects } from '../../src/media/media-objects.store.js';
import type { MediaFileRow } from '../../src/media/views/media-file.view.js';
import { aBrandRow, aMediaFile, IMAGE_FACTS, storedBytes } from '../support/media-files.js';
import { sharedStorage } from '../support/object-storage.js';
import { RowLock } from '../support/row-lock.js';
import { createTestDatabase, type TestDatabase } from '../support/test-database.js';

const REJECTED: InspectionOutcome = {
  kind: 'rejected',
  code: 'not_decodable',
  message: 'The file is damaged.',
};

describe('the outcome of an inspection', () => {
  let test: TestDatabase;
  let storage: ObjectStorage;
  let objects: MediaObjects;
  let events: EventStore;
  let handler: RecordInspectionHandler;

  beforeAll(async () => {
    test = await createTestDatabase();
    storage = new ObjectStorage(loadConfig(ObjectStorageConfig, sharedStorage()));
    objects = new MediaObjects(test.database, storage);
    events = new EventStore(test.database);
    handler = new RecordInspectionHandler(test.database, new MediaLog(events), objects);
  });
  afterAll(async () => {
    storage.onApplicationShutdown();
    await test.drop();
  });

  const record = (mediaId: string, etag: string, outcome: InspectionOutcome) =>
    handler.execute(new RecordInspection({ mediaId, etag, outcome }));
  const rowOf = async (id: string) => {
    const [row] = await test.database.query<MediaFileRow>('SELECT * FROM media.file WHERE id = $1', [id]);
    return row;
  };
  const accepted = (id: string): InspectionOutcome => ({
    kind: 'accepted',
    facts: { ...IMAGE_FACTS, kind: 'animation', frames: 3, durationMs: 300 },
    contentType: 'image/gif',
    aiMark: 'generated',
    thumbnailKey: `media/${id}/thumbnail.webp`,
    previewKey: null,
  });
  const anInspectedFile = async () => {
    const brand = await aBrandRow(test.database);
    const file = await aMediaFile(test.database, brand.id, { status: 'inspecting', createdBy: 'her' });
    return { ...file, brand };
  };
  const toRemove = async (like: string) =>
    (
      await test.database.query<{ key: string }>('SELECT key FROM media.object_to_remove WHERE key LIKE $1', [
        like,
      ])
    ).map(({ key }) => key);

  it('makes the file ready once, with its facts and an event of the uploader', async () => {
    const { id, etag, brand } = await anInspectedFile();
    await objects.announce(`media/${id}/thumbnail.webp`);
    expect(await record(id, etag, accepted(id))).toBe(true);
    expect(await rowOf(id)).toMatchObject({
      status: 'ready',
      kind: 'animation',
      content_type: 'image/gif',
      width: 1_200,
      duration_ms: 300,
      facts: { frames: 3 },
      ai_mark: 'generated',
      thumbnail_key: `media/${id}/thumbnail.webp`,
      version: 2,
      inspect_due_at: null,
    });
    expect(await toRemove(`media/${id}/%`)).toEqual([]);
    expect(await record(id, etag, accepted(id))).toBe(false);
    expect(await record(id, etag, REJECTED)).toBe(false);
    const stream = (await events.read(id)).events;
    expect(stream.map(({ type, data }) => [type, data])).toEqual([
      ['MediaAdded', { mediaId: id, brandId: brand.id }],
    ]);
    const owner = { organizationId: brand.organizationId, brandId: brand.id };
    expect(stream[0]?.metadata).toMatchObject({
      ...owner,
      actor: { type: 'user', id: 'her' },
      channel: 'worker',
    });
    expect(await storedBytes(test.database, brand.organizationId)).toBe(1_000);
  });

  it('rejects the file, removes its object and counts its bytes no longer', async () => {
    const { id, etag, key, brand } = await anInspectedFile();
    expect(await record(id, etag, REJECTED)).toBe(true);
    const rejection = { code: 'not_decodable', message: 'The file is damaged.' };
    expect(await rowOf(id)).toMatchObject({ status: 'rejected', rejection });
    expect(await toRemove(key)).toEqual([key]);
    expect(await storedBytes(test.database, brand.organizationId)).toBe(0);
    expect((await events.read(id)).events.map(({ type, data }) => [type, data])).toEqual([
      ['MediaRejected', { mediaId: id, brandId: brand.id, code: 'not_decodable' }],
    ]);
    await test.database.query('DELETE FROM media.file WHERE id = $1', [id]);
    expect(await storedBytes(test.database, brand.organizationId)).toBe(0);
  });

  it('is dropped when the file was deleted or has another object', async () => {
    const { id, etag, brand } = await anInspectedFile();
    expect(await record(id, '"another"', accepted(id))).toBe(false);
    await test.database.query('DELETE FROM media.file WHERE id = $1', [id]);
    expect(await record(id, etag, accepted(id))).toBe(false);
    expect((await events.read(id)).events).toEqual([]);
    expect(await storedBytes(test.database, brand.organizationId)).toBe(0);
  });

  it('is recorded once by concurrent workers', async () => {
    const { id, etag } = await anInspectedFile();
    await objects.announce(`media/${id}/thumbnail.webp`);
    const outcomes = [accepted(id), REJECTED, accepted(id), REJECTED];
    const recorded = await Promise.all(outcomes.map((outcome) => record(id, etag, outcome)));
    expect(recorded.filter(Boolean)).toHaveLength(1);
    expect((await events.read(id)).events).toHaveLength(1);
  });

  it('is not recorded with a derived object that is being removed', async () => {
    const { id, etag } = await anInspectedFile();
    await expect(record(id, etag, accepted(id))).rejects.toMatchObject({ code: 'upload_took_too_long' });
    expect(await rowOf(id)).toMatchObject({ status: 'inspecting', version: 1 });
    expect((await events.read(id)).events).toEqual([]);
  });

  describe('of a poster', () => {
    const aVideo = async () => {
      const brand = await aBrandRow(test.database);
      const facts = { ...IMAGE_FACTS, kind: 'video' as const };
      return { brand, ...(await aMediaFile(test.database, brand.id, { facts, contentType: 'video/mp4' })) };
    };
    const aPosterOf = ({ id: posterOf, brand }: Awaited<ReturnType<typeof aVideo>>) =>
      aMediaFile(test.database, brand.id, { status: 'inspecting', posterOf });
    const accept = async ({ id, etag }: { id: string; etag: string }, videoId: string) => {
      const thumbnailKey = `media/${videoId}/thumbnail-${id}.webp`;
      await objects.announce(thumbnailKey);
      const outcome = {
        kind: 'accepted',
        facts: IMAGE_FACTS,
        contentType: 'image/jpeg',
        aiMark: null,
      } as const;
      return record(id, etag, { ...outcome, thumbnailKey, previewKey: null });
    };

    it('deletes the earlier one of the video with its object and bytes, and keeps one that is not accepted yet', async () => {
      const video = await aVideo();
      const [first, second, waiting] = [
        await aPosterOf(video),
        await aPosterOf(video),
        await aPosterOf(video),
      ];
      const other = await aVideo();
      const posterOfOther = await aPosterOf(other);
      for (const poster of [first, second]) expect(await accept(poster, video.id)).toBe(true);
      expect(await accept(posterOfOther, other.id)).toBe(true);
      expect(await rowOf(first.id)).toBeUndefined();
      expect(await rowOf(second.id)).toMatchObject({ status: 'ready' });
      expect(await rowOf(waiting.id)).toMatchObject({ status: 'inspecting' });
      const removed = await toRemove(`media/${first.id}/%`);
      expect([...removed, ...(await toRemove(`media/${video.id}/%`))]).toEqual([
        first.key,
        `media/${video.id}/thumbnail-${first.id}.webp`,
      ]);
      expect(await storedBytes(test.database, video.brand.organizationId)).toBe(3_000);
      expect(await storedBytes(test.database, other.brand.organizationId)).toBe(2_000);
    });

    it('is no change of the video that a client edits', async () => {
      const video = await aVideo();
      const before = await rowOf(video.id);
      const poster = await aPosterOf(video);
      await accept(poster, video.id);
      const thumbnail_key = `media/${video.id}/thumbnail-${poster.id}.webp`;
      expect(await rowOf(video.id)).toEqual({ ...before, thumbnail_key });
    });

    it('is dropped without a deadlock when the video is deleted at the same time', async () => {
      const video = await aVideo();
      const poster = await aPosterOf(video);
      const deletion = await RowLock.by(test, 'SELECT FROM media.file WHERE id = $1 FOR UPDATE', [video.id]);
      const recorded = accept(poster, video.id).catch((error: unknown) => error);
      await deletion.waitedFor();
      await deletion.also('DELETE FROM media.file WHERE id = $1', [video.id]);
      expect(await deletion.meanwhile([recorded])).toEqual([false]);
      expect(await rowOf(poster.id)).toBeUndefined();
      expect(await storedBytes(test.database, video.brand.organizationId)).toBe(0);
    });
  });
});
