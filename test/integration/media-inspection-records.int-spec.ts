import { EventStore } from '#libs/event-store';
import { loadConfig } from '#libs/config';
import { ObjectStorage, ObjectStorageConfig } from '#libs/object-storage';
import type { InspectionOutcome } from '../../src/media/commands/record-inspection.js';
import { RecordInspection, RecordInspectionHandler } from '../../src/media/commands/record-inspection.js';
import { MediaLog } from '../../src/media/media.log.js';
import { MediaObjects } from '../../src/media/objects/media.objects.js';
import type { MediaFileRow } from '../../src/media/views/media-file.view.js';
import { aBrandRow, aMediaFile, IMAGE_FACTS, storedBytes } from '../support/media-files.js';
import { sharedStorage } from '../support/object-storage.js';
import type { TestDatabase } from '../support/test-database.js';
import { createTestDatabase } from '../support/test-database.js';

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
});
