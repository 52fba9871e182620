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
