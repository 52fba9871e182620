import { randomUUID } from 'node:crypto';
import { BusinessApi } from '../support/business-api.js';
import { aMediaFile, IMAGE_FACTS } from '../support/media-files.js';
import { inDays, PostsWorld } from '../support/posts-world.js';

let api: BusinessApi;
let world: Awaited<ReturnType<typeof PostsWorld.of>>;
beforeAll(async () => {
  api = await BusinessApi.start();
  world = await PostsWorld.of(api);
});
afterAll(() => api.stop());

async function connect(brandId: string, userId: string, facts: object): Promise<string> {
  const id = randomUUID();
  await api.test.database.query(
    `INSERT INTO integrations.connection (id, brand_id, user_id, platform, account_id, username, display_name,
       scopes, pages, groups, state, access_token, facts)
     VALUES ($1, $2, $3, 'x', $4, 'acme', 'Acme', '{}', '[]', '[]', 'active', 'sealed', $5)`,
    [id, brandId, userId, randomUUID(), JSON.stringify(facts)],
  );
  return id;
}

const PATH = '/api/posts/preflight';
const pointers = (body: { errors: { pointer: string }[] }) => body.errors.map(({ pointer }) => pointer);
const ask = (body: object, call = world.call) => call('POST', PATH, body);
const TOO_LONG = 'x'.repeat(281);

describe('POST /api/posts/preflight for several networks', () => {
  it('answers for each entry, counted as its network counts; stores nothing', async () => {
    const link = 'https://example.com/a/very/long/path/that/counts/23';
    const body = {
      text: 'Hello',
      posts: [{ platform: 'x' }, { platform: 'x', text: TOO_LONG }, { platform: 'x', link }],
    };
    const answer = await ask(body);
    expect(answer.status).toBe(200);
    expect(answer.body.publishable).toBe(false);
    expect(answer.body.findings).toEqual([
      expect.objectContaining({ ruleId: 'x.text.too-long', pointer: '#/posts/1/text' }),
    ]);
    const [fine, long, linked] = answer.body.posts;
    expect(fine).toEqual({
      ...{ platform: 'x', publishable: true, findings: [], media: [], warnings: [] },
      textLength: { length: 5, limit: 280 },
    });
    expect(long).toMatchObject({ publishable: false, findings: [{ pointer: '#/text' }] });
    expect(long.textLength).toEqual({ length: 281, limit: 280 });
    expect(linked.textLength).toEqual({ length: 'Hello'.length + 2 + 23, limit: 280 });
    const { body: list } = await world.call('GET', `/api/posts?brandId=${world.brandId}`);
    expect(list.data).toEqual([]);
  });

  it('tells what each file becomes, null where the network takes none', async () => {
    const { id } = await aMediaFile(api.test.database, world.brandId, {});
    const body = { brandId: world.brandId, text: 'File', mediaIds: [id], posts: [{ platform: 'x' }] };
    const answer = await ask(body);
    const [{ media }] = answer.body.posts;
    expect(media).toEqual([
      expect.objectContaining({ mediaId: id, kind: 'image', maxWidth: 4096, minRatio: null }),
    ]);
    expect(media[0].formats).toContain('jpeg');
    const missing = await ask({
      ...body,
      posts: [{ platform: 'x' }, { platform: 'x', mediaIds: [randomUUID()] }],
    });
    expect([missing.status, pointers(missing.body)]).toEqual([400, ['#/posts/1/mediaIds/0']]);
  });

  it('uses what is known of a named account, as creation does', async () => {
    const facts = {
      ...IMAGE_FACTS,
      kind: 'video',
      durationMs: 21 * 60_000,
      videoCodec: 'avc1.640028',
    } as const;
    const film = { contentType: 'video/mp4', facts };
    const { id } = await aMediaFile(api.test.database, world.brandId, film);
    const of = async (subscription: string) => ({
      platform: 'x',
      target: { connectionId: await connect(world.brandId, world.person.id, { subscription }) },
    });
    const entries = [await of('None'), await of('Premium')];
    const shared = { brandId: world.brandId, text: randomUUID(), mediaIds: [id] };
    const long = { ruleId: 'x.media.video-long', severity: 'error', pointer: '#/posts/0/mediaIds/0' };
    const { body } = await ask({ ...shared, posts: entries });
    expect(body.findings).toEqual([expect.objectContaining(long)]);
    const batch = { ...shared, scheduledAt: inDays(1), posts: entries };
    const refused = await world.call('POST', '/api/posts/batch', batch);
    expect([refused.status, pointers(refused.body)]).toEqual([400, ['#/posts/0/mediaIds/0']]);
    const single = { ...shared, ...entries[1], scheduledAt: inDays(1) };
    expect((await world.call('POST', '/api/posts', single)).status).toBe(201);
  });

  it('warns as the creation of the post would', async () => {
    const text = `Same ${randomUUID()}`;
    const { id } = await world.post({ text, scheduledAt: inDays(2) });
    const shared = { brandId: world.brandId, text, scheduledAt: inDays(2) };
    const [entry] = (await ask({ ...shared, posts: [{ platform: 'x' }] })).body.posts;
    const created = await world.post({ text, scheduledAt: inDays(2) });
    expect(entry.warnings).toEqual(created.warnings);
    expect(entry.warnings).toContainEqual(expect.objectContaining({ code: 'duplicate_text', postId: id }));
  });

  it.each([
    ['neither a network nor posts', {}, '#/platform'],
    ['both', { platform: 'x', text: 'a', posts: [{ platform: 'x' }] }, '#/platform'],
    ['a target for all', { text: 'a', target: {}, posts: [{ platform: 'x' }] }, '#/target'],
    ['no text for one network', { platform: 'x' }, '#/text'],
    ['no entries', { text: 'a', posts: [] }, '#/posts'],
    ['an unknown field', { text: 'a', posts: [{ platform: 'x', a: 1 }] }, '#/posts/0/a'],
    [
      'a connection without a brand',
      { text: 'a', posts: [{ platform: 'x', target: { connectionId: randomUUID() } }] },
      '#/brandId',
    ],
    [
      'files without a brand',
      { text: 'a', posts: [{ platform: 'x', mediaIds: [randomUUID()] }] },
      '#/brandId',
    ],
  ])('400 for %s', async (_, body, pointer) => {
    const answer = await ask(body);
    expect(answer.status).toBe(400);
    expect(pointers(answer.body)).toContain(pointer);
  });

  it('404 for the brand of another organization', async () => {
    const stranger = await PostsWorld.of(api);
    const answer = await ask({ brandId: stranger.brandId, text: 'a', posts: [{ platform: 'x' }] });
    expect([answer.status, answer.body.code]).toEqual([404, 'brand_not_found']);
  });
});

describe('POST /api/posts/preflight checks what the creation of the post checks', () => {
  const rules = (body: { findings: { ruleId: string; pointer: string }[] }) =>
    body.findings.map(({ ruleId, pointer }) => [ruleId, pointer]);

  it.each([
    ['a time that is over', '2020-01-01T00:00:00Z', 'schedule_in_the_past'],
    ['a time more than five years ahead', '9999-12-31T00:00:00Z', 'schedule_too_far_ahead'],
  ])('%s', async (_, scheduledAt, ruleId) => {
    for (const brand of [{}, { brandId: world.brandId }]) {
      const single = await ask({ ...brand, platform: 'x', text: 'a', scheduledAt });
      expect([single.body.publishable, rules(single.body)]).toEqual([false, [[ruleId, '#/scheduledAt']]]);
      const several = await ask({
        ...brand,
        text: 'a',
        posts: [{ platform: 'x' }, { platform: 'x', scheduledAt }],
      });
      expect(rules(several.body)).toContainEqual([ruleId, '#/posts/1/scheduledAt']);
      expect(several.body.posts[1].publishable).toBe(false);
    }
    const created = await world.call('POST', '/api/posts', {
      ...{ brandId: world.brandId, platform: 'x', text: 'a', scheduledAt },
    });
    expect([created.status, created.body.code]).toEqual([400, ruleId]);
  });

  it('content without text and files, although the network takes a link alone', async () => {
    const content = { platform: 'linkedin', text: ' ', link: 'https://example.com', title: 'A title' };
    expect(rules((await ask(content)).body)).toEqual([['post_is_empty', '#/text']]);
  });

  it('an account that is named twice', async () => {
    const target = { connectionId: await connect(world.brandId, world.person.id, {}) };
    const entry = { platform: 'x', target };
    const posts = [entry, { ...entry, text: 'Another text' }];
    const answer = await ask({ brandId: world.brandId, text: 'a', posts });
    expect(rules(answer.body)).toEqual([['account_named_twice', '#/posts/1/target']]);
  });

  it('the right to schedule', async () => {
    const { organizationId } = world.person;
    const writer = api.as(
      api.identity.user({ organizations: [{ id: organizationId, scopes: ['posts.write'] }] }),
    );
    const timed = { brandId: world.brandId, text: 'a', scheduledAt: inDays(1) };
    for (const form of [{ platform: 'x' }, { posts: [{ platform: 'x' }] }]) {
      const refused = await ask({ ...timed, ...form }, writer);
      expect([refused.status, refused.body.code]).toEqual([403, 'insufficient_scope']);
      expect((await ask({ ...timed, ...form, scheduledAt: null }, writer)).status).toBe(200);
    }
  });
});
