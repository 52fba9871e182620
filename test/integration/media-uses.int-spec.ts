import { randomUUID } from 'node:crypto';
import { Database } from '#libs/database';
import type { MediaAddresses, ObjectToAddress } from '../../src/media/host/media-addresses.js';
import { FindMediaHandler } from '../../src/media/queries/find-media.js';
import { EndMediaUsesHandler, UseMediaHandler } from '../../src/media/commands/use-media.js';
import { MediaIsNotUsable } from '../../src/media/domain/media.errors.js';
import { EndMediaUses, FindMedia, UseMedia } from '../../src/media/index.js';
import { aBrandRow, aMediaFile } from '../support/media-files.js';
import { createTestDatabase, type TestDatabase } from '../support/test-database.js';
import { waitUntil } from '../support/wait-until.js';

describe('files that posts use', () => {
  let test: TestDatabase;
  let brandId: string;
  let handler: UseMediaHandler;

  beforeAll(async () => {
    test = await createTestDatabase();
    brandId = (await aBrandRow(test.database)).id;
    handler = new UseMediaHandler(test.database);
  });
  afterAll(() => test.drop());

  const use = (postId: string, mediaIds: string[], needed = true) =>
    handler.execute(new UseMedia({ postId, brandId, mediaIds, needed }));
  const uses = async (postId: string) => {
    const rows = await test.database.query<{ media_id: string; needed: boolean }>(
      'SELECT media_id, needed FROM media.use WHERE post_id = $1 ORDER BY media_id',
      [postId],
    );
    return rows.map(({ media_id, needed }) => [media_id, needed]);
  };
  const file = (fields = {}) => aMediaFile(test.database, brandId, fields);

  it('are exactly those of the last call', async () => {
    const [a, b, c] = [await file(), await file(), await file()];
    const postId = randomUUID();
    await use(postId, [b.id, a.id, b.id]);
    expect(await uses(postId)).toEqual([
      [a.id, true],
      [b.id, true],
    ]);
    await use(postId, [c.id, b.id]);
    expect(await uses(postId)).toEqual([
      [b.id, true],
      [c.id, true],
    ]);
    await use(postId, [b.id], false);
    expect(await uses(postId)).toEqual([[b.id, false]]);
    await use(postId, []);
    expect(await uses(postId)).toEqual([]);
  });

  it('are refused when they are not ready, unknown, posters or of another brand, and nothing is written', async () => {
    const ready = await file();
    const poster = await file({ posterOf: ready.id });
    const foreign = await aMediaFile(test.database, (await aBrandRow(test.database)).id);
    const unusable = [
      ...[foreign.id, randomUUID(), poster.id],
      ...(await Promise.all(
        (['uploading', 'inspecting', 'rejected'] as const).map(async (status) => (await file({ status })).id),
      )),
    ];
    const postId = randomUUID();
    const refused = use(postId, [ready.id, ...unusable]);
    await expect(refused).rejects.toThrow(MediaIsNotUsable);
    await expect(refused).rejects.toMatchObject({ members: { mediaIds: unusable } });
    expect(await uses(postId)).toEqual([]);
  });

  it('stay usable for the post that had them before the brand changed', async () => {
    const { id } = await file();
    const postId = randomUUID();
    await use(postId, [id]);
    const other = (await aBrandRow(test.database)).id;
    await test.database.query('UPDATE media.file SET brand_id = $2 WHERE id = $1', [id, other]);
    await use(postId, [id]);
    expect(await uses(postId)).toEqual([[id, true]]);
    await expect(use(randomUUID(), [id])).rejects.toThrow(MediaIsNotUsable);
  });

  it('of several published posts are kept and needed no longer', async () => {
    const { id } = await file();
    const [published, other] = [randomUUID(), randomUUID()];
    await use(published, [id]);
    await use(other, [id]);
    const end = new EndMediaUsesHandler(test.database);
    await end.execute(new EndMediaUses({ postIds: [published, randomUUID()] }));
    expect([await uses(published), await uses(other)]).toEqual([[[id, false]], [[id, true]]]);
  });

  it('of a published post are those that still exist', async () => {
    const [kept, gone] = [await file(), randomUUID()];
    const postId = randomUUID();
    await use(postId, [kept.id, gone], false);
    expect(await uses(postId)).toEqual([[kept.id, false]]);
  });

  /** Waits until another connection waits for a lock that this query or its like needs. */
  const waiting = (part: string) =>
    waitUntil(async () => {
      const { rows } = await test.database.pool.query(
        `SELECT FROM pg_stat_activity
         WHERE wait_event_type = 'Lock' AND strpos(query, $1) > 0 AND datname = current_database()`,
        [part],
      );
      return rows.length === 1;
    });

  it('cannot be deleted until the transaction of the post has ended', async () => {
    const { id } = await file();
    let isDeleted = false;
    let deletion: Promise<unknown> = Promise.resolve();
    await test.database.transaction(async () => {
      await use(randomUUID(), [id]);
      const sql = 'DELETE FROM media.file WHERE id = $1';
      deletion = test.database.pool.query(sql, [id]).then(() => (isDeleted = true));
      await waiting(sql);
      expect(isDeleted).toBe(false);
    });
    await deletion;
  });

  it('are refused when a deletion that began before has committed', async () => {
    const { id } = await file();
    const postId = randomUUID();
    const other = new UseMediaHandler(new Database(test.database.dataSource));
    let using: Promise<unknown> = Promise.resolve();
    await test.database.transaction(async (transaction) => {
      await transaction.query('DELETE FROM media.file WHERE id = $1', [id]);
      const request = { postId, brandId, mediaIds: [id], needed: true };
      using = other.execute(new UseMedia(request)).catch((error: unknown) => error);
      await waiting('FOR SHARE OF file');
    });
    await expect(using).resolves.toBeInstanceOf(MediaIsNotUsable);
    expect(await uses(postId)).toEqual([]);
  });

  it('do not deadlock in two posts with the same files in another order', async () => {
    const ids = (await Promise.all(Array.from({ length: 6 }, () => file()))).map(({ id }) => id);
    const posts = Array.from(
      { length: 12 },
      (_, n) => [randomUUID(), n % 2 ? ids : ids.toReversed()] as const,
    );
    await Promise.all(posts.map(([postId, mediaIds]) => use(postId, mediaIds)));
    for (const [postId] of posts) expect(await uses(postId)).toHaveLength(6);
  });

  it('are found in the order asked, of the brand only, with their status and facts', async () => {
    const [a, b] = [await file({ altText: 'A hill' }), await file({ status: 'inspecting' })];
    const foreign = await aMediaFile(test.database, (await aBrandRow(test.database)).id);
    const [thumbnail, url] = [`media/${a.id}/thumbnail.webp`, 'https://media.example/m/t'];
    await test.database.query('UPDATE media.file SET thumbnail_key = $2 WHERE id = $1', [a.id, thumbnail]);
    const of = ({ object }: ObjectToAddress) => (object === thumbnail ? url : 'another');
    const find = new FindMediaHandler(test.database, { of } as MediaAddresses);
    const poster = await file({ posterOf: b.id });
    const files = [b.id, foreign.id, randomUUID(), poster.id, a.id].map((mediaId) => ({ brandId, mediaId }));
    const found = await find.execute(new FindMedia({ files }));
    expect(found.map(({ id, status }) => [id, status])).toEqual([
      [b.id, 'inspecting'],
      [a.id, 'ready'],
    ]);
    const facts = { kind: 'image', width: 1_200, height: 800, bytes: 1_000, contentType: 'image/jpeg' };
    expect(found[1]).toMatchObject({ ...facts, altText: 'A hill', frames: null, thumbnailUrl: url });
    expect(found[0]).toMatchObject({ kind: 'image', width: null, bytes: 1_000, thumbnailUrl: null });
  });
});
