import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { jest } from '@jest/globals';
import type { RunningService } from '#libs/http';
import { Database, type Statement } from '#libs/database';
import { ObjectStorage } from '#libs/object-storage';
import { eventually } from '../support/eventually.js';
import { FICTIONAL } from '../support/fictional/fictional.provider.js';
import { FictionalWorld } from '../support/fictional/fictional-world.js';
import { aMediaFile, IMAGE_FACTS, loseObject } from '../support/media-files.js';
import { inDays } from '../support/posts-world.js';
import type { PostToSchedule } from '../support/publishing.js';
import { failRenditions } from '../support/renditions.js';

let world: FictionalWorld;
beforeAll(async () => {
  world = await FictionalWorld.start();
});
beforeEach(() => {
  world.network.isQuick = true;
});
afterEach(() => world.publishing.stopWorkers());
afterAll(() => world.stop());

const hashOf = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');
const aFile = async (brandId: string) => (await aMediaFile(world.api.test.database, brandId)).id;
const statusOf = async (postId: string) =>
  (await world.person('GET', `/api/posts/${postId}`)).body.status as string;
const post = async (brandId: string, mediaIds: readonly string[], more: Partial<PostToSchedule> = {}) => {
  const [first] = await world.accountsOf(brandId);
  return world.publishing.schedule({
    ...{ brandId, authorId: world.userId, platform: FICTIONAL, text: `With files ${randomUUID()}` },
    ...{ mediaIds, target: { accountId: first?.account.id }, inMs: 1, ...more },
  });
};
const textOf = async (postId: string) => (await world.publishing.post(postId)).content.text;
const sentAs = async (postId: string) => world.postsOf(await textOf(postId));
const failureIs = (postId: string, failure: object) =>
  eventually(async () => expect(await world.publishing.failureOf(postId)).toMatchObject(failure));
const holdsOf = async (postId: string) =>
  (
    await world.api.test.database.query<{ reason: string }>(
      `SELECT data->>'reason' AS reason FROM events.event WHERE stream = $1 AND type = 'PostHeld' ORDER BY version`,
      [postId],
    )
  ).map(({ reason }) => reason);
const waitsForFiles = (postId: string) =>
  eventually(async () => expect(await holdsOf(postId)).toContain('media_processing'));
/** As after a restore of a part of the database: the library refuses to delete files that a post needs. */
const vanish = (id: string) => world.api.test.database.query('DELETE FROM media.file WHERE id = $1', [id]);

describe('a post with files', () => {
  it('is read with others by one query for all, and costs posts without files none', async () => {
    const { brandId } = await world.connected();
    const worker = await world.publishing.worker();
    const [facts, renditions] = [readsOf(worker, 'find_media'), readsOf(worker, 'get_renditions')];
    await world.isPublished(await post(brandId, []));
    expect([facts(), renditions()]).toEqual([0, 0]);
    await worker.close();
    const others = [await world.connected(), await world.connected(), await world.connected()];
    const posts = await Promise.all(
      others.map(async (brand) => post(brand.brandId, [await aFile(brand.brandId)])),
    );
    const asked: number[] = [];
    const next = await world.publishing.worker();
    const database = next.app.get(Database, { strict: false });
    const query = database.query.bind(database);
    jest.spyOn(database, 'query').mockImplementation((sql, values = []) => {
      if ((sql as Statement).name === 'find_media') asked.push((values[0] as string[]).length);
      return query(sql, values);
    });
    for (const postId of posts) await waitsForFiles(postId);
    await eventually(() => expect(Math.max(...asked)).toBe(posts.length));
    await world.publishing.finishRenditions();
    for (const postId of posts) await world.isPublished(postId);
  });

  it('has their renditions made as soon as it is scheduled', async () => {
    const { brandId } = await world.connected();
    const mediaIds = [await aFile(brandId), await aFile(brandId)];
    const body = { brandId, platform: FICTIONAL, text: 'For tomorrow', mediaIds, scheduledAt: inDays(1) };
    expect((await world.person('POST', '/api/posts', body)).status).toBe(201);
    const rows = await world.api.test.database.query<{ media_id: string; status: string }>(
      'SELECT media_id, status FROM media.rendition WHERE media_id = ANY ($1::uuid[]) ORDER BY media_id',
      [mediaIds],
    );
    expect(rows).toEqual(mediaIds.toSorted().map((media_id) => ({ media_id, status: 'pending' })));
  });

  it('waits for them without an attempt, and goes out with their bytes once they are ready', async () => {
    const { brandId } = await world.connected();
    const bytes = randomBytes(100_000);
    const postId = await post(brandId, [await aFile(brandId)]);
    const worker = await world.publishing.worker();
    await waitsForFiles(postId);
    expect(await world.publishing.history(postId)).not.toContain('PublishAttemptStarted');
    const held = (await world.person('GET', `/api/posts/${postId}`)).body;
    expect(held).toMatchObject({ status: 'scheduled', attempts: 0, isBeingSent: false });
    // Another worker continues.
    await worker.close();
    await world.publishing.finishRenditions(bytes);
    await world.publishing.worker();
    await world.isPublished(postId);
    expect((await sentAs(postId)).map(({ hash }) => hash)).toEqual([hashOf(bytes)]);
    const [first, second] = await holdsOf(postId);
    expect([first, second]).toEqual(['media_processing', 'hold_ended']);
    const uses = await world.api.test.database.query('SELECT needed FROM media.use WHERE post_id = $1', [
      postId,
    ]);
    expect(uses).toEqual([{ needed: false }]);
  });

  it('stores one hold, however often it is looked at', async () => {
    const { brandId } = await world.connected();
    const postId = await post(brandId, [await aFile(brandId)]);
    const worker = await world.publishing.worker();
    await waitsForFiles(postId);
    const looks = readsOf(worker, 'get_renditions');
    await eventually(() => expect(looks()).toBeGreaterThan(2));
    expect(await holdsOf(postId)).toEqual(['media_processing']);
  });

  it('holds back no other post of its account', async () => {
    const { brandId } = await world.connected();
    const waiting = await post(brandId, [await aFile(brandId)], { inMs: -1_000 });
    const other = await post(brandId, []);
    await world.publishing.worker();
    await world.isPublished(other);
    expect(await statusOf(waiting)).toBe('scheduled');
  });

  it('fails when no rendition can be made, and goes out after the file was replaced and a retry', async () => {
    const { brandId } = await world.connected();
    const postId = await post(brandId, [await aFile(brandId)]);
    await failRenditions(world.api.test.database, 'The file is too large for the network. Shorten it.');
    await world.publishing.worker();
    const message = 'The file is too large for the network. Shorten it.';
    await failureIs(postId, { code: 'media_unfit', class: 'permanent', attemptId: null, message });
    const replacement = await world.publishing.sendableFile(brandId, { platform: FICTIONAL });
    const edited = await world.person('PUT', `/api/posts/${postId}`, { mediaIds: [replacement] });
    expect(edited.status).toBe(200);
    expect((await world.person('POST', `/api/content-ops/items/${postId}/retry`)).status).toBe(200);
    await world.isPublished(postId);
    expect(await sentAs(postId)).toHaveLength(1);
  });

  it.each<[string, (postId: string) => Promise<{ status: number }>]>([
    ['retries it', (postId) => world.person('POST', `/api/content-ops/items/${postId}/retry`)],
    [
      'gives it another time',
      (postId) => world.person('PUT', `/api/posts/${postId}`, { scheduledAt: inDays(1) }),
    ],
  ])('has a rendition that failed made once more when a person %s', async (_, change) => {
    const { brandId } = await world.connected();
    const postId = await post(brandId, [await aFile(brandId)]);
    await failRenditions(world.api.test.database, 'The file takes too long. Export it again.');
    await world.publishing.worker();
    await failureIs(postId, { code: 'media_unfit' });
    expect((await change(postId)).status).toBe(200);
    const rows = await world.api.test.database.query(
      `SELECT rendition.status FROM media.rendition JOIN media.use USING (media_id) WHERE use.post_id = $1`,
      [postId],
    );
    expect(rows).toEqual([{ status: 'pending' }]);
  });

  it('keeps its files while it is sent; afterwards they can be deleted', async () => {
    const { brandId } = await world.connected();
    const mediaId = await world.publishing.sendableFile(brandId, { platform: FICTIONAL });
    const deletion = async () => (await world.person('DELETE', `/api/media/${mediaId}`)).status;
    let during = 0;
    world.network.before.set('POST /posts', async () => (during = await deletion()));
    const postId = await post(brandId, [mediaId]);
    await world.publishing.worker();
    await world.isPublished(postId);
    expect([during, await deletion()]).toEqual([409, 204]);
    const shown = (await world.person('GET', `/api/posts/${postId}`)).body;
    expect(shown).toMatchObject({ status: 'published', mediaIds: [mediaId] });
    expect(shown.media).toEqual([expect.objectContaining({ id: mediaId, kind: null })]);
  });

  it('fails for good when the bytes of its rendition have vanished from the store', async () => {
    const { brandId } = await world.connected();
    const mediaId = await world.publishing.sendableFile(brandId, { platform: FICTIONAL });
    const rows = await world.api.test.database.query<{ object_key: string }>(
      'SELECT object_key FROM media.rendition WHERE media_id = $1',
      [mediaId],
    );
    for (const { object_key } of rows) await world.publishing.service(ObjectStorage).delete(object_key);
    const postId = await post(brandId, [mediaId]);
    await world.publishing.worker();
    await failureIs(postId, { code: 'media_missing', class: 'permanent' });
    expect(await sentAs(postId)).toEqual([]);
  });

  it('fails when the network takes no file of this kind', async () => {
    const { brandId } = await world.connected();
    const video = { kind: 'video' as const, width: 1_280, height: 720, durationMs: 5_000, frameRate: 30 };
    const facts = { ...IMAGE_FACTS, ...video, videoCodec: 'avc1', indexFirst: true, hasEditLists: false };
    const { id } = await aMediaFile(world.api.test.database, brandId, { facts });
    const postId = await post(brandId, [id]);
    await world.publishing.worker();
    await failureIs(postId, { code: 'media_unfit', class: 'permanent' });
  });

  it('fails at once when the store lost the bytes of a file that was not made fit yet', async () => {
    const { brandId } = await world.connected();
    const mediaId = await aFile(brandId);
    const waiting = await post(brandId, [mediaId]);
    await world.publishing.worker();
    await waitsForFiles(waiting);
    await loseObject(world.api.test.database, mediaId);
    await failureIs(waiting, { code: 'media_missing', class: 'permanent', attemptId: null });
  });

  it('fails when a file has vanished, before and during the wait', async () => {
    const { brandId } = await world.connected();
    const [before, during] = [await aFile(brandId), await aFile(brandId)];
    const postId = await post(brandId, [before]);
    const waiting = await post(brandId, [during]);
    await vanish(before);
    await world.publishing.worker();
    await failureIs(postId, { code: 'media_missing', class: 'permanent', attemptId: null });
    await waitsForFiles(waiting);
    await vanish(during);
    await failureIs(waiting, { code: 'media_missing', class: 'permanent' });
    const retried = await world.person('POST', `/api/content-ops/items/${postId}/retry`);
    expect([retried.status, retried.body.code]).toEqual([409, 'media_not_usable']);
  });

  it('is sent with the files of its last edit, also when renditions of the former ones are pending', async () => {
    const { brandId } = await world.connected();
    const postId = await post(brandId, [await aFile(brandId)]);
    await world.publishing.worker();
    await waitsForFiles(postId);
    const bytes = randomBytes(1_000);
    const other = await aFile((await world.connected()).brandId);
    const foreign = await world.person('PUT', `/api/posts/${postId}`, { mediaIds: [other] });
    expect([foreign.status, foreign.body.code]).toEqual([400, 'reference_not_found']);
    const replacement = await aFile(brandId);
    expect((await world.person('PUT', `/api/posts/${postId}`, { mediaIds: [replacement] })).status).toBe(200);
    await world.api.test.database.query(
      `DELETE FROM media.rendition WHERE media_id <> $1 AND status = 'pending'`,
      [replacement],
    );
    await world.publishing.finishRenditions(bytes);
    await world.isPublished(postId);
    expect((await sentAs(postId)).map(({ hash }) => hash)).toEqual([hashOf(bytes)]);
  });

  it('can be rescheduled while it waits, and goes out at the new time only', async () => {
    const { brandId } = await world.connected();
    const postId = await post(brandId, [await aFile(brandId)]);
    const worker = await world.publishing.worker();
    await waitsForFiles(postId);
    const path = `/api/content-ops/items/${postId}/reschedule`;
    expect((await world.person('POST', path, { scheduledAt: inDays(1) })).status).toBe(200);
    await world.publishing.finishRenditions();
    const other = await post(brandId, [
      await world.publishing.sendableFile(brandId, { platform: FICTIONAL }),
    ]);
    await world.isPublished(other);
    expect(await statusOf(postId)).toBe('scheduled');
    await worker.close();
  });

  it('as a part of a thread waits for its files and for the part before it', async () => {
    const { brandId } = await world.connected();
    const id = randomUUID();
    const first = await post(brandId, [await aFile(brandId)], { thread: { id, position: 1 } });
    const second = await post(brandId, [await aFile(brandId)], { thread: { id, position: 2 } });
    await world.publishing.worker();
    await waitsForFiles(first);
    expect(await holdsOf(second)).toEqual([]);
    await world.publishing.finishRenditions();
    await world.isPublished(first);
    await world.isPublished(second);
    const [one, two] = [await sentAs(first), await sentAs(second)];
    expect([one.length, two.length]).toEqual([1, 1]);
  });

  it('waits while the media library fails, and delays no post without files', async () => {
    const { brandId } = await world.connected();
    const worker = await world.publishing.worker();
    const database = worker.app.get(Database, { strict: false });
    const query = database.query.bind(database);
    const failing = jest
      .spyOn(database, 'query')
      .mockImplementation((sql, values = []) =>
        (sql as Statement).name === 'get_renditions'
          ? Promise.reject(new RangeError('A defect of the library.'))
          : query(sql, values),
      );
    const stuck = await post(brandId, [await aFile(brandId)], { text: '' });
    const other = await post(brandId, []);
    await world.isPublished(other);
    await waitsForFiles(stuck);
    expect(await world.publishing.history(stuck)).not.toContain('PublishAttemptStarted');
    failing.mockRestore();
    await world.publishing.finishRenditions();
    await world.isPublished(stuck);
  });
});

/** How often a worker has sent a statement since. */
function readsOf(worker: RunningService, name: string): () => number {
  const query = jest.spyOn(worker.app.get(Database, { strict: false }), 'query');
  return () => query.mock.calls.filter(([sql]) => (sql as Statement).name === name).length;
}
