import { randomBytes, randomUUID } from 'node:crypto';
import { ObjectStorage } from '#libs/object-storage';
import { BusinessApi } from '../support/business-api.js';
import { OBJECT_IS_GONE } from '../../src/media/media-objects.store.js';
import type { Method } from '../support/call.js';
import { aMediaFile, IMAGE_FACTS, loseObject } from '../support/media-files.js';
import { inDays, PostsWorld } from '../support/posts-world.js';
import { failRenditions, finishRenditions } from '../support/renditions.js';

let api: BusinessApi;
let world: Awaited<ReturnType<typeof PostsWorld.of>>;
beforeAll(async () => {
  api = await BusinessApi.start();
  world = await PostsWorld.of(api);
});
afterAll(() => api.stop());

const aFile = async () => (await aMediaFile(api.test.database, world.brandId)).id;
const MESSAGE = 'The video has a codec that networks do not take. Export it with H.264.';
const UNFIT = { ruleId: 'x.media.unfit', message: MESSAGE, pointer: '#/mediaIds/1' };

const move = (method: Method, path: string, body: object = { scheduledAt: inDays(4) }) =>
  world.call(method, path, body);

/** A scheduled post whose second file cannot be made to fit: the worker finds it out after the post was stored. */
async function aBlockedPost() {
  const good = await aFile();
  const mediaIds = [good, await aFile()];
  const post = await world.scheduled({ mediaIds });
  await api.test.database.query(
    `UPDATE media.rendition SET status = 'ready', object_key = 'x', etag = 'x', content_type = 'image/png', bytes = 1
     WHERE media_id = $1`,
    [good],
  );
  await failRenditions(api.test.database, MESSAGE);
  return { post, mediaIds };
}

describe('a file that cannot be made to fit the network of a scheduled post', () => {
  it('is a blocker of the post at once: in the post, in lists and in the queue, with another entity tag', async () => {
    const { post } = await aBlockedPost();
    expect(post.blockers).toEqual([]);
    const read = await world.call('GET', `/api/posts/${post.id}`);
    expect(read.body.blockers).toEqual([UNFIT]);
    expect(read.headers.get('etag')).not.toBe(`"v${post.version}"`);
    const { body: list } = await world.call('GET', `/api/posts?brandId=${world.brandId}`);
    expect(list.data.find(({ id }: { id: string }) => id === post.id).blockers).toEqual([UNFIT]);
    const queue = await world.call('GET', '/api/content-ops/queue', undefined, {
      'x-brand-id': world.brandId,
    });
    const item = queue.body.data.find(({ contentId }: { contentId: string }) => contentId === post.id);
    expect(item.blockers).toEqual([UNFIT]);
    const detail = await world.call('GET', `/api/content-ops/items/${post.id}`);
    expect(detail.body.blockers).toEqual([UNFIT]);
  });

  it('is an error of preflight and refuses another scheduled post, an edit and an approval; a draft is warned of it', async () => {
    const { post, mediaIds } = await aBlockedPost();
    const content = { brandId: world.brandId, platform: 'x', text: randomUUID(), mediaIds };
    const single = await world.call('POST', '/api/posts/preflight', content);
    expect([single.body.publishable, single.body.findings]).toEqual([
      false,
      [{ ...UNFIT, severity: 'error' }],
    ]);
    const { platform, ...shared } = content;
    const several = await world.call('POST', '/api/posts/preflight', { ...shared, posts: [{ platform }] });
    expect(several.body.posts[0].publishable).toBe(false);
    for (const refused of [
      await world.call('POST', '/api/posts', { ...content, scheduledAt: inDays(1) }),
      await world.call('POST', '/api/posts/batch', {
        ...shared,
        scheduledAt: inDays(1),
        posts: [{ platform }],
      }),
      await world.call('PUT', `/api/posts/${post.id}`, { text: 'Other words' }),
    ])
      expect([refused.status, refused.body.errors[0].code]).toEqual([400, UNFIT.ruleId]);
    const draft = await world.post({ mediaIds });
    expect(draft.warnings).toContainEqual({
      code: UNFIT.ruleId,
      message: MESSAGE,
      pointer: UNFIT.pointer,
      postId: null,
    });
    const suggestion = await world.post({ mediaIds, origin: 'suggestion', scheduledAt: inDays(1) });
    const approved = await world.call('POST', `/api/content-ops/items/${suggestion.id}/approve`);
    expect([approved.status, approved.body.code]).toEqual([400, 'content_cannot_be_published']);
  });

  it('refuses a draft that gets a time, with and without new words, also one that was approved without a time', async () => {
    const { mediaIds } = await aBlockedPost();
    const draft = await world.post({ mediaIds });
    const suggestion = await world.post({ origin: 'suggestion' });
    await world.call('POST', `/api/content-ops/items/${suggestion.id}/approve`);
    await api.test.database.query(`UPDATE media.rendition SET status = 'pending', failure = NULL`);
    expect((await world.call('PUT', `/api/posts/${suggestion.id}`, { mediaIds })).status).toBe(200);
    await failRenditions(api.test.database, MESSAGE);
    const scheduledAt = inDays(3);
    const reschedule = `/api/content-ops/items/${suggestion.id}/reschedule`;
    for (const refused of [
      await world.call('PUT', `/api/posts/${draft.id}`, { scheduledAt }),
      await world.call('PUT', `/api/posts/${draft.id}`, { scheduledAt, text: 'Other words' }),
      await world.call('POST', reschedule, { scheduledAt }),
    ]) {
      expect([refused.status, refused.body.code]).toEqual([400, 'content_cannot_be_published']);
      expect(refused.body.errors).toContainEqual({
        pointer: UNFIT.pointer,
        code: UNFIT.ruleId,
        detail: MESSAGE,
      });
    }
  });

  it.each([
    ['is moved', 'scheduled', (id: string) => move('PUT', `/api/posts/${id}`)],
    ['is rescheduled', 'scheduled', (id: string) => move('POST', `/api/content-ops/items/${id}/reschedule`)],
    ['gets another time after it failed', 'failed', (id: string) => move('PUT', `/api/posts/${id}`)],
    ['is retried', 'failed', (id: string) => move('POST', `/api/content-ops/items/${id}/retry`, {})],
  ])(
    'is a blocker and a warning at once of a post that %s, while it is tried once more',
    async (_, status, act) => {
      const { post } = await aBlockedPost();
      if (status === 'failed') await world.failedBefore(post.id);
      const changed = await act(post.id);
      expect(changed.status).toBe(200);
      expect(changed.body.blockers).toEqual([UNFIT]);
      const warning = expect.objectContaining({ code: UNFIT.ruleId, message: MESSAGE });
      expect(changed.body.warnings).toContainEqual(warning);
      const tried = `SELECT status, failure IS NULL AS forgets FROM media.rendition WHERE media_id = $1`;
      const mediaId = changed.body.mediaIds?.[1] ?? post.mediaIds[1];
      expect(await api.test.database.query(tried, [mediaId])).toEqual([
        { status: 'pending', forgets: false },
      ]);
    },
  );

  it('stops being one when the rendition is made: nothing of it is stored with the post', async () => {
    const { post, mediaIds } = await aBlockedPost();
    const draft = await world.post({ mediaIds });
    await world.call('POST', `/api/media/${mediaIds[1]}/renditions`, { platform: 'x', again: true });
    expect((await world.call('GET', `/api/posts/${draft.id}`)).body.blockers).toEqual([UNFIT]);
    const storage = api.service.app.get(ObjectStorage, { strict: false });
    await finishRenditions(api.test.database, storage, randomBytes(9));
    for (const { id } of [post, draft]) {
      expect((await world.call('GET', `/api/posts/${id}`)).body.blockers).toEqual([]);
      const scheduled = await world.call('PUT', `/api/posts/${id}`, { scheduledAt: inDays(3) });
      expect(scheduled.status).toBe(200);
      expect(scheduled.body.warnings).not.toContainEqual(expect.objectContaining({ code: UNFIT.ruleId }));
    }
  });
});

describe('a file of which the store lost the bytes', () => {
  it('is a blocker of scheduled posts, an error of preflight and a warning, unless its rendition was made before', async () => {
    const [mediaId, made] = [await aFile(), await aFile()];
    const lost = { ...UNFIT, pointer: '#/mediaIds/0', message: OBJECT_IS_GONE.message };
    const [post, other] = [
      await world.scheduled({ mediaIds: [mediaId] }),
      await world.scheduled({ mediaIds: [made] }),
    ];
    await api.test.database.query(
      `UPDATE media.rendition SET status = 'ready', object_key = 'x', etag = 'x', content_type = 'image/png', bytes = 1
       WHERE media_id = $1`,
      [made],
    );
    for (const id of [mediaId, made]) await loseObject(api.test.database, id);
    expect((await world.call('GET', `/api/posts/${post.id}`)).body.blockers).toEqual([lost]);
    expect((await world.call('GET', `/api/posts/${other.id}`)).body.blockers).toEqual([]);
    const brand = { 'x-brand-id': world.brandId };
    const { data } = (await world.call('GET', '/api/content-ops/queue', undefined, brand)).body;
    const item = data.find(({ contentId }: { contentId: string }) => contentId === post.id);
    expect(item.blockers).toEqual([lost]);
    const edited = await world.call('PUT', `/api/posts/${post.id}`, { text: 'Other words' });
    expect([edited.status, edited.body.errors[0].code]).toEqual([400, lost.ruleId]);

    const content = { brandId: world.brandId, platform: 'x', text: randomUUID(), mediaIds: [mediaId] };
    const checked = await world.call('POST', '/api/posts/preflight', content);
    const draft = await world.call('POST', '/api/posts', content);
    for (const { status, body } of [checked, draft])
      expect([status, body.errors[0].detail]).toEqual([409, `was rejected. ${OBJECT_IS_GONE.message}`]);
  });
});

describe('a video of which the rendition leaves out the beginning', () => {
  it('is announced with its new length, and prevents nothing', async () => {
    const facts = { ...IMAGE_FACTS, kind: 'video', durationMs: 9_000, videoCodec: 'avc1.640028' } as const;
    const film = { contentType: 'video/mp4', facts };
    const { id } = await aMediaFile(api.test.database, world.brandId, film);
    const post = await world.scheduled({ mediaIds: [id] });
    await api.test.database.query(
      `UPDATE media.rendition SET status = 'ready', object_key = 'x', etag = 'x', content_type = 'video/mp4', bytes = 1,
         duration_ms = 8200 WHERE media_id = $1`,
      [id],
    );
    const content = { brandId: world.brandId, platform: 'x', text: randomUUID(), mediaIds: [id] };
    const { body } = await world.call('POST', '/api/posts/preflight', content);
    expect(body).toMatchObject({
      publishable: true,
      findings: [
        {
          ...{ ruleId: 'x.media.shortened', severity: 'warning', pointer: '#/mediaIds/0' },
          message: expect.stringContaining('of 9000 ms is published with 8200 ms'),
        },
      ],
    });
    expect((await world.call('GET', `/api/posts/${post.id}`)).body.blockers).toEqual([]);
  });
});

describe('the other blockers of a post', () => {
  it('are the rules that a draft violates, and files that are gone', async () => {
    const gone = await aFile();
    const draft = await world.post({ text: 'x'.repeat(281), mediaIds: [gone] });
    await api.test.database.query('DELETE FROM media.file WHERE id = $1', [gone]);
    const { body } = await world.call('GET', `/api/posts/${draft.id}`);
    expect(body.blockers.map(({ ruleId }: { ruleId: string }) => ruleId)).toEqual([
      'x.text.too-long',
      'x.media.missing',
    ]);
  });
});
