import { randomBytes, randomUUID } from 'node:crypto';
import { jest } from '@jest/globals';
import { Database, type Statement } from '#libs/database';
import { ObjectStorage } from '#libs/object-storage';
import { PostRenditions } from '../../src/posts/media/post-renditions.js';
import { BusinessApi } from '../support/business-api.js';
import { type ApiResponse, callOf } from '../support/call.js';
import { aMediaFile, type FileFields } from '../support/media-files.js';
import { inDays, PostsWorld } from '../support/posts-world.js';
import { failRenditions, finishRenditions } from '../support/renditions.js';
import { waitUntil } from '../support/wait-until.js';

let api: BusinessApi;
let world: Awaited<ReturnType<typeof PostsWorld.of>>;
beforeAll(async () => {
  api = await BusinessApi.start();
  world = await PostsWorld.of(api);
});
afterAll(() => api.stop());

const aFile = async (fields: FileFields = {}, brandId = world.brandId) =>
  (await aMediaFile(api.test.database, brandId, fields)).id;
const pointers = (body: { errors: { pointer: string }[] }) => body.errors.map(({ pointer }) => pointer);

/** By media id: whether an unpublished post needs it. */
async function usesOf(postId: string): Promise<Record<string, boolean>> {
  const rows = await api.test.database.query<{ media_id: string; needed: boolean }>(
    'SELECT media_id, needed FROM media.use WHERE post_id = $1',
    [postId],
  );
  return Object.fromEntries(rows.map(({ media_id, needed }) => [media_id, needed]));
}

/** As after a restore of a part of the database: the library refuses to delete files that a post needs. */
const vanish = (id: string) => api.test.database.query('DELETE FROM media.file WHERE id = $1', [id]);

describe('files of a post', () => {
  it('must be of its brand: 400 with the pointers of the others, the same for every reason', async () => {
    const stranger = await PostsWorld.of(api);
    const sister = (await world.call('POST', '/api/brands', { name: 'Sister' })).body.id as string;
    const own = await aFile();
    const poster = await aFile({ posterOf: await aFile() });
    const others = [await aFile({}, stranger.brandId), await aFile({}, sister), randomUUID(), poster];
    const { id } = await world.post();
    const body = { brandId: world.brandId, platform: 'x', text: 'Two', mediaIds: [own, ...others] };
    for (const refused of [
      await world.call('POST', '/api/posts', body),
      await world.call('PUT', `/api/posts/${id}`, { mediaIds: body.mediaIds }),
      await world.call('PATCH', `/api/content-ops/items/${id}`, { mediaIds: body.mediaIds }),
      await world.call('POST', '/api/posts/preflight', body),
    ]) {
      expect([refused.status, refused.body.code]).toEqual([400, 'reference_not_found']);
      expect(pointers(refused.body)).toEqual([1, 2, 3, 4].map((index) => `#/mediaIds/${index}`));
    }
    expect(await usesOf(id)).toEqual({});
  });

  it('must be ready: 409 with the pointers of the others', async () => {
    const statuses = ['ready', 'uploading', 'inspecting', 'rejected'] as const;
    const mediaIds = await Promise.all(statuses.map((status) => aFile({ status })));
    const { id } = await world.post();
    const body = { brandId: world.brandId, platform: 'x', text: 'Early', mediaIds };
    for (const refused of [
      await world.call('POST', '/api/posts', body),
      await world.call('PUT', `/api/posts/${id}`, { mediaIds }),
      await world.call('POST', '/api/posts/preflight', body),
    ]) {
      expect([refused.status, refused.body.code]).toEqual([409, 'media_not_usable']);
      expect(pointers(refused.body)).toEqual(['#/mediaIds/1', '#/mediaIds/2', '#/mediaIds/3']);
    }
  });

  it('are told apart: one that was rejected says so and why, waiting does not help', async () => {
    const id = await aFile({ status: 'rejected' });
    const rejection = { code: 'media_not_readable', message: 'The picture is damaged. Export it again.' };
    await api.test.database.query('UPDATE media.file SET rejection = $2 WHERE id = $1', [id, rejection]);
    const body = { brandId: world.brandId, platform: 'x', text: 'Late', mediaIds: [id] };
    for (const path of ['/api/posts', '/api/posts/preflight']) {
      const refused = await world.call('POST', path, body);
      expect([refused.status, refused.body.detail]).toEqual([
        409,
        'Files of the post were rejected. Choose other files.',
      ]);
      expect(refused.body.errors).toEqual([
        {
          pointer: '#/mediaIds/0',
          code: 'rejected',
          detail: 'was rejected. The picture is damaged. Export it again.',
        },
      ]);
    }
    const rendition = await world.call('POST', `/api/media/${id}/renditions`, { platform: 'x' });
    expect(rendition.body.detail).toBe('The file was rejected. The picture is damaged. Export it again.');
  });

  it('are used by the post from its creation until it is deleted', async () => {
    const [a, b, c] = [await aFile(), await aFile(), await aFile()];
    const { id } = await world.post({ mediaIds: [b, a] });
    expect(await usesOf(id)).toEqual({ [a]: true, [b]: true });
    await world.call('PUT', `/api/posts/${id}`, { text: 'Other words' });
    expect(await usesOf(id)).toEqual({ [a]: true, [b]: true });
    expect((await world.call('PUT', `/api/posts/${id}`, { mediaIds: [c, b] })).body.mediaIds).toEqual([c, b]);
    expect(await usesOf(id)).toEqual({ [b]: true, [c]: true });
    expect((await world.call('DELETE', `/api/posts/${id}`)).status).toBe(204);
    expect(await usesOf(id)).toEqual({});
  });

  it('that are gone do not prevent other edits; scheduling is refused, and preflight names them', async () => {
    const [kept, gone] = [await aFile(), await aFile()];
    const { id } = await world.post({ mediaIds: [kept, gone] });
    await vanish(gone);
    const edited = await world.call('PUT', `/api/posts/${id}`, { text: 'Other words' });
    expect([edited.status, edited.body.mediaIds]).toEqual([200, [kept, gone]]);
    expect(edited.body.warnings).toContainEqual(
      expect.objectContaining({ code: 'x.media.missing', pointer: '#/mediaIds/1' }),
    );
    const scheduled = await world.call('PUT', `/api/posts/${id}`, { scheduledAt: inDays(3) });
    expect([scheduled.status, scheduled.body.code]).toEqual([400, 'content_cannot_be_published']);
    expect((await world.call('PUT', `/api/posts/${id}`, { mediaIds: [kept] })).status).toBe(200);
    expect(await usesOf(id)).toEqual({ [kept]: true });
  });

  it('are counted by kind in the audit, without anything private', async () => {
    const mediaIds = [await aFile({ altText: 'A private party' }), await aFile()];
    const { id } = await world.post({ mediaIds });
    await world.call('PUT', `/api/posts/${id}`, { mediaIds: mediaIds.slice(1) });
    await world.call('PUT', `/api/posts/${id}`, { text: 'Words', mediaIds: [] });
    await api.followed();
    const { body, text } = await world.call('GET', `/api/content-ops/events?contentId=${id}`);
    const details = body.data.map((event: { details: { media?: unknown } }) => event.details.media);
    expect(details).toEqual([{ image: 2 }, { image: 1 }, undefined]);
    expect(text).not.toContain('private');
  });
});

describe('POST /api/posts/preflight with files', () => {
  it('needs their brand, and the right to write there', async () => {
    const stranger = await PostsWorld.of(api);
    const ask = (more: object, headers = {}) =>
      world.call('POST', '/api/posts/preflight', { platform: 'x', text: 'Files', ...more }, headers);
    const mediaIds = [await aFile()];
    const missing = await ask({ mediaIds });
    expect([missing.status, pointers(missing.body)]).toEqual([400, ['#/brandId']]);
    expect((await ask({ mediaIds, brandId: stranger.brandId })).status).toBe(404);
    expect((await ask({ mediaIds, brandId: randomUUID() })).status).toBe(404);
    expect((await ask({ mediaIds }, { 'x-brand-id': world.brandId })).status).toBe(200);
    expect((await ask({ mediaIds, brandId: world.brandId })).status).toBe(200);
    expect((await ask({})).status).toBe(200);
  });
});

describe('readers of posts see the files', () => {
  const FACTS = { kind: 'image', contentType: 'image/jpeg', width: 1_200, height: 800, ratio: 1.5 };
  const shown = (id: string, more: object = {}) => ({
    ...{ id, ...FACTS, bytes: 1_000, durationMs: null, altText: null, thumbnailUrl: null },
    ...more,
  });

  /** How often files are read while `work` runs. */
  async function readsDuring(work: () => Promise<unknown>): Promise<number> {
    const query = jest.spyOn(api.service.app.get(Database, { strict: false }), 'query');
    await work();
    const reads = query.mock.calls.filter(([sql]) => (sql as Statement).name === 'find_media');
    query.mockRestore();
    return reads.length;
  }

  it('in their order, everywhere, those that are gone by id alone', async () => {
    const [a, b] = [await aFile({ altText: 'A hill' }), await aFile()];
    const thumbnail = 'UPDATE media.file SET thumbnail_key = $2 WHERE id = $1';
    await api.test.database.query(thumbnail, [a, `media/${a}/thumbnail.webp`]);
    const created = await world.post({ mediaIds: [b, a], origin: 'suggestion' });
    const written = [shown(b), shown(a, { altText: 'A hill' })];
    // A response that may be stored for its Idempotency-Key has no signed address.
    expect(created.media).toEqual(written);
    const thumbnailUrl = expect.stringMatching(/\/m\/[\w-]+\.[\w-]{43}$/);
    const media = [shown(b), shown(a, { altText: 'A hill', thumbnailUrl })];
    const contentId = created.id as string;
    expect((await world.call('GET', `/api/posts/${contentId}`)).body.media).toEqual(media);
    expect((await world.call('GET', `/api/content-ops/items/${contentId}`)).body.media).toEqual(media);
    const listed = (await world.call('GET', '/api/posts')).body.data as { id: string; media: unknown }[];
    expect(listed.find(({ id }) => id === contentId)?.media).toEqual(media);
    const queue = (await world.call('GET', '/api/content-ops/queue')).body.data;
    const queued = (queue as { contentId: string; media: unknown }[]).find(
      (item) => item.contentId === contentId,
    );
    expect(queued?.media).toEqual(media);
    const updated = await world.call('PUT', `/api/posts/${contentId}`, { text: 'Other words' });
    expect(updated.body.media).toEqual(written);
    await vanish(b);
    const nothing = { kind: null, contentType: null, width: null, height: null, ratio: null, bytes: null };
    expect((await world.call('GET', `/api/posts/${contentId}`)).body.media[0]).toEqual(shown(b, nothing));
  });

  it('of a page of several brands by one query, and ask nothing without files', async () => {
    const own = await PostsWorld.of(api);
    const sister = (await own.call('POST', '/api/brands', { name: 'Sister' })).body.id as string;
    await own.post();
    for (const path of ['/api/posts', '/api/content-ops/queue'])
      expect(await readsDuring(() => own.call('GET', path))).toBe(0);
    for (const brandId of [own.brandId, own.brandId, sister])
      await own.post({ brandId, mediaIds: [await aFile({}, brandId)], origin: 'suggestion' });
    for (const path of ['/api/posts', '/api/content-ops/queue']) {
      let media: { kind: string | null }[] = [];
      const reads = await readsDuring(async () => {
        const { data } = (await own.call('GET', path)).body;
        media = data.flatMap((post: { media: typeof media }) => post.media);
      });
      expect([reads, media.map(({ kind }) => kind)]).toEqual([1, ['image', 'image', 'image']]);
    }
  });

  it('with another entity tag after a change of the file alone; If-Match names the version of the post', async () => {
    const file = await aFile();
    const { id } = await world.post({ mediaIds: [file] });
    const tagOf = async () => (await world.call('GET', `/api/posts/${id}`)).headers.get('etag') as string;
    const before = await tagOf();
    expect(await tagOf()).toBe(before);
    await api.test.database.query('UPDATE media.file SET alt_text = $2 WHERE id = $1', [file, 'A hill']);
    const after = await tagOf();
    expect(after).not.toBe(before);
    const cached = await world.call('GET', `/api/posts/${id}`, undefined, { 'if-none-match': before });
    expect([cached.status, cached.body.media[0].altText]).toEqual([200, 'A hill']);
    const edited = await world.call('PUT', `/api/posts/${id}`, { text: 'New words' }, { 'if-match': after });
    expect(edited.status).toBe(200);
  });
});

describe('deleting a file while a post begins to use it', () => {
  it('gives one of the two a 409, on two replicas, every time', async () => {
    const replica = await api.replica();
    const there = callOf(replica.url, { authorization: `Bearer ${world.person.token}` });
    const outcomes: string[] = [];
    for (let round = 0; round < 12; round += 1) {
      const mediaId = await aFile();
      const draft = (await world.post()).id as string;
      const body = { brandId: world.brandId, platform: 'x', text: `Round ${round}`, mediaIds: [mediaId] };
      const use = () =>
        round % 2 === 0
          ? world.call('POST', '/api/posts', body)
          : world.call('PUT', `/api/posts/${draft}`, { mediaIds: [mediaId] });
      const [used, deleted] = await Promise.all([use(), there('DELETE', `/api/media/${mediaId}`)]);
      const isUsed = used.status < 300;
      expect(deleted.status).toBe(isUsed ? 409 : 204);
      if (isUsed) expect(await usesOf(used.body.id as string)).toEqual({ [mediaId]: true });
      // The file was deleted before it was looked up, or between that and the end of the transaction.
      else expect([400, 409]).toContain(used.status);
      outcomes.push(isUsed ? 'used' : 'deleted');
    }
    await replica.close();
    expect(outcomes).toHaveLength(12);
  });

  it('is refused until the transaction of the post has ended, and then because of the post', async () => {
    const mediaId = await aFile();
    let deletion: Promise<ApiResponse> | undefined;
    const database = api.service.app.get(Database, { strict: false });
    const spy = jest.spyOn(api.service.app.get(PostRenditions, { strict: false }), 'prepare');
    // Between the lock of the file and the end of the transaction.
    spy.mockImplementationOnce(async () => {
      deletion = world.call('DELETE', `/api/media/${mediaId}`);
      await waitUntil(async () => {
        const { rows } = await database.pool.query(
          `SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND strpos(query, 'FOR UPDATE') > 0
             AND datname = current_database()`,
        );
        return rows.length > 0;
      });
    });
    const { id } = await world.post({ mediaIds: [mediaId] });
    const refused = await deletion;
    expect([refused?.status, refused?.body.code, refused?.body.postIds]).toEqual([409, 'media_in_use', [id]]);
    expect((await world.call('DELETE', `/api/posts/${id}`)).status).toBe(204);
    expect((await world.call('DELETE', `/api/media/${mediaId}`)).status).toBe(204);
  });
});

describe('POST /api/media/{mediaId}/renditions', () => {
  const ask = (mediaId: string, platform: string, call = world.call) =>
    call('POST', `/api/media/${mediaId}/renditions`, { platform });

  it('202 while the worker makes it, 200 with its facts and address once it is ready', async () => {
    const mediaId = await aFile();
    const pending = await ask(mediaId, 'x');
    const nothing = {
      contentType: null,
      bytes: null,
      width: null,
      height: null,
      durationMs: null,
      url: null,
    };
    expect([pending.status, pending.body]).toEqual([
      202,
      { mediaId, platform: 'x', status: 'pending', ...nothing },
    ]);
    await finishRenditions(
      api.test.database,
      api.service.app.get(ObjectStorage, { strict: false }),
      randomBytes(9),
    );
    const ready = await ask(mediaId, 'x');
    expect(ready.status).toBe(200);
    expect(ready.body).toMatchObject({ status: 'ready', contentType: 'image/png', bytes: 9, width: 1_200 });
    const rendition = await fetch(new URL(new URL(ready.body.url as string).pathname, api.service.url));
    expect([rendition.status, (await rendition.arrayBuffer()).byteLength]).toEqual([200, 9]);
  });

  it('409 when nothing that the network takes can be made of the file, or when it is not ready', async () => {
    const mediaId = await aFile();
    const unfit = await ask(mediaId, 'youtube');
    expect([unfit.status, unfit.body.code]).toEqual([409, 'rendition_not_possible']);
    await ask(mediaId, 'x');
    await failRenditions(api.test.database, 'The file is too large. Send a smaller one.');
    const failed = await ask(mediaId, 'x');
    expect([failed.status, failed.body.detail]).toEqual([409, 'The file is too large. Send a smaller one.']);
    const early = await ask(await aFile({ status: 'inspecting' }), 'x');
    expect([early.status, early.body.code]).toEqual([409, 'media_not_usable']);
  });

  it('tries once more what could not be made, when the body says so', async () => {
    const mediaId = await aFile();
    await ask(mediaId, 'x');
    await failRenditions(api.test.database, 'The file needs too much memory. Export it again.');
    const asked = [
      await ask(mediaId, 'x'),
      await world.call('POST', `/api/media/${mediaId}/renditions`, { platform: 'x', again: true }),
      await ask(mediaId, 'x'),
    ];
    expect(asked.map(({ status }) => status)).toEqual([409, 202, 202]);
  });

  it('404 for files of others, 400 for another body, 403 without posts.write there', async () => {
    const stranger = await PostsWorld.of(api);
    const mediaId = await aFile();
    for (const refused of [
      await ask(await aFile({}, stranger.brandId), 'x'),
      await ask(mediaId, 'x', stranger.call),
      await ask(randomUUID(), 'x'),
      await ask('7', 'x'),
    ])
      expect(refused.status).toBe(404);
    expect((await ask(mediaId, 'myspace')).status).toBe(400);
    const { organizationId } = world.person;
    const organizations = [
      { id: organizationId, scopes: ['posts.read'] },
      { id: randomUUID(), scopes: ['posts.write'] },
    ];
    const reader = api.as(api.identity.user({ organizations }));
    expect((await ask(mediaId, 'x', reader)).status).toBe(403);
  });
});
