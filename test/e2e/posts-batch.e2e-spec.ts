import { randomUUID } from 'node:crypto';
import { jest } from '@jest/globals';
import { networkOf } from '../../src/integrations/networks.js';
import { BusinessApi } from '../support/business-api.js';
import { callOf } from '../support/call.js';
import { aMediaFile } from '../support/media-files.js';
import { inDays, PostsWorld } from '../support/posts-world.js';

let api: BusinessApi;
let world: PostsWorld & { person: { id: string; token: string; organizationId: string } };
beforeAll(async () => {
  api = await BusinessApi.start();
  world = await PostsWorld.of(api);
});
afterAll(() => api.stop());

const PATH = '/api/posts/batch';
const pointers = (body: { errors: { pointer: string }[] }) => body.errors.map(({ pointer }) => pointer);
const codes = (body: { errors: { code: string }[] }) => body.errors.map(({ code }) => code);
const batch = (posts: readonly object[], shared: object = {}, headers = {}, call = world.call) =>
  call('POST', PATH, { brandId: world.brandId, text: randomUUID(), posts, ...shared }, headers);

async function connect(brandId = world.brandId, platform = 'x'): Promise<string> {
  const id = randomUUID();
  await api.test.database.query(
    `INSERT INTO integrations.connection (id, brand_id, user_id, platform, account_id, username, display_name,
       scopes, pages, groups, state, access_token)
     VALUES ($1, $2, $3, $4, $5, 'acme', 'Acme', '{}', '[]', '[]', 'active', 'sealed')`,
    [id, brandId, world.person.id, platform, randomUUID()],
  );
  return id;
}

/** Events of the posts with this text, oldest first. */
const eventsOf = (text: string) =>
  api.test.database.query<{ type: string; platform: string | null }>(
    `SELECT type, data->>'platform' AS platform FROM events.event WHERE stream IN (
       SELECT stream FROM events.event WHERE data->'content'->>'text' = $1) ORDER BY transaction_id, position`,
    [text],
  );

describe('POST /api/posts/batch', () => {
  it('201 creates one post for each account, in order, each with its own variations, findings and warnings', async () => {
    const [one, two] = [await connect(), await connect()];
    const text = `Shared ${randomUUID()}`;
    const shared = { text, title: 'T', link: 'https://example.com/a', options: { madeWithAi: true } };
    const answer = await batch(
      [
        { platform: 'x', target: { connectionId: one }, title: null, options: { madeWithAi: null } },
        { platform: 'x', target: { connectionId: two }, text: 'Own', scheduledAt: inDays(3) },
        { platform: 'youtube', link: null, options: { privacy: 'private' } },
        { platform: 'x', target: { accountId: '7' }, text: 'x'.repeat(281) },
      ],
      shared,
    );
    expect(answer.status).toBe(201);
    const [a, b, c, d] = answer.body.posts;
    expect(a).toMatchObject({
      text,
      title: null,
      link: shared.link,
      options: {},
      status: 'draft',
      version: 1,
    });
    expect(b).toMatchObject({ text: 'Own', title: 'T', status: 'scheduled', options: shared.options });
    expect(c).toMatchObject({ platform: 'youtube', text, link: null });
    expect(c.options).toEqual({ madeWithAi: true, privacy: 'private' });
    expect(a.findings).toEqual([]);
    expect(d.findings).toEqual([
      expect.objectContaining({ ruleId: 'x.text.too-long', severity: 'error', pointer: '#/text' }),
      expect.objectContaining({ ruleId: 'x.target.not-connected', pointer: '#/target/accountId' }),
    ]);
    expect(d.warnings.map(({ code }: { code: string }) => code)).toEqual([
      'account_not_connected',
      'x.text.too-long',
      'x.target.not-connected',
    ]);
    for (const post of answer.body.posts)
      expect((await world.call('GET', `/api/posts/${post.id}`)).body).toMatchObject({
        text: post.text,
        version: post.version,
      });
  });

  it('writes the events of single creations, counted and audited as such', async () => {
    const text = `Counted ${randomUUID()}`;
    const connections = [await connect(), await connect()];
    const entries = connections.map((connectionId) => ({ platform: 'x', target: { connectionId } }));
    const { body } = await batch(entries, { text, scheduledAt: inDays(2) });
    expect((await eventsOf(text)).map(({ type }) => type)).toEqual([
      ...['PostDrafted', 'PostScheduled', 'PostDrafted', 'PostScheduled'],
    ]);
    await api.followed();
    const kinds = await api.test.database.query<{ kind: string }>(
      `SELECT kind FROM content_ops.audit_event WHERE content_id = ANY ($1::uuid[]) ORDER BY kind`,
      [body.posts.map(({ id }: { id: string }) => id)],
    );
    expect(kinds.map(({ kind }) => kind)).toEqual([
      ...['post.drafted', 'post.drafted', 'post.scheduled', 'post.scheduled'],
    ]);
  });

  it('400 names the errors of all entries and creates none, even if the last alone is refused', async () => {
    const text = `Refused ${randomUUID()}`;
    const fine = { platform: 'x', target: { connectionId: await connect() } };
    const shared = { text, scheduledAt: inDays(1) };
    const last = await batch([fine, { platform: 'x', text: 'x'.repeat(281) }], shared);
    expect([last.status, last.body.code]).toEqual([400, 'batch_refused']);
    expect(last.body.errors).toEqual([
      expect.objectContaining({ pointer: '#/posts/1/text', code: 'x.text.too-long' }),
    ]);
    const past = { platform: 'youtube', scheduledAt: '2020-01-01T00:00:00Z' };
    const all = await batch([{ platform: 'x', text: ' ' }, past, fine], shared);
    expect(pointers(all.body)).toEqual(['#/posts/0/text', '#/posts/1/scheduledAt']);
    expect(await eventsOf(text)).toEqual([]);
  });

  it('creates none when the database refuses the last', async () => {
    const text = `Rolled back ${randomUUID()}`;
    await api.test.database.query(
      `ALTER TABLE posts.publication ADD CONSTRAINT no_last CHECK (target->>'accountId' IS DISTINCT FROM 'last')`,
    );
    const entries = ['first', 'last'].map((accountId) => ({ platform: 'threads', target: { accountId } }));
    const answer = await batch(entries, { text, scheduledAt: inDays(1) });
    await api.test.database.query('ALTER TABLE posts.publication DROP CONSTRAINT no_last');
    expect(answer.status).toBe(500);
    expect(await eventsOf(text)).toEqual([]);
    const rows = await api.test.database.query(`SELECT 1 FROM posts.post_view WHERE details->>'text' = $1`, [
      text,
    ]);
    expect(rows).toEqual([]);
  });

  it('400 for an account that is named twice, also by its default', async () => {
    const brandId = (await world.call('POST', '/api/brands', { name: 'One account' })).body.id as string;
    const connectionId = await connect(brandId);
    const entry = { platform: 'x', target: { connectionId } };
    const answer = await batch([{ platform: 'x' }, { platform: 'youtube' }, entry], { brandId });
    expect([answer.status, codes(answer.body), pointers(answer.body)]).toEqual([
      400,
      ['account_named_twice'],
      ['#/posts/2/target'],
    ]);
  });

  it('answers the same for a connection of another organization as for one that does not exist', async () => {
    const stranger = await PostsWorld.of(api);
    const foreign = await connect(stranger.brandId);
    const errors = [];
    for (const connectionId of [foreign, randomUUID()]) {
      const answer = await batch([{ platform: 'x' }, { platform: 'x', target: { connectionId } }]);
      expect([answer.status, pointers(answer.body)]).toEqual([400, ['#/posts/1/target/connectionId']]);
      errors.push(answer.body.errors);
    }
    expect(errors[0]).toEqual(errors[1]);
    const elsewhere = await batch([{ platform: 'x' }], { brandId: stranger.brandId });
    expect([elsewhere.status, elsewhere.body.code]).toEqual([404, 'brand_not_found']);
  });

  it('checks the files of each entry: 400 for those of others, 409 when they are only not ready yet', async () => {
    const own = (await aMediaFile(api.test.database, world.brandId, {})).id;
    const uploading = (await aMediaFile(api.test.database, world.brandId, { status: 'inspecting' })).id;
    const target = { accountId: randomUUID() };
    const missing = await batch(
      [
        { platform: 'x', target },
        { platform: 'youtube', mediaIds: [randomUUID()] },
      ],
      {
        mediaIds: [own],
      },
    );
    expect([missing.status, pointers(missing.body)]).toEqual([400, ['#/posts/1/mediaIds/0']]);
    const early = await batch([{ platform: 'x', target }, { platform: 'youtube' }], {
      mediaIds: [own, uploading],
    });
    expect([early.status, pointers(early.body)]).toEqual([
      409,
      ['#/posts/0/mediaIds/1', '#/posts/1/mediaIds/1'],
    ]);
    const fine = await batch([{ platform: 'x', target }, { platform: 'youtube' }], { mediaIds: [own] });
    expect(fine.status).toBe(201);
    const [uses] = await api.test.database.query<{ count: number }>(
      'SELECT count(*)::int AS count FROM media.use WHERE media_id = $1',
      [own],
    );
    expect(uses?.count).toBe(2);
  });

  it('of a service principal are suggestions; a person needs calendar.write for a time', async () => {
    const organization = { id: world.person.organizationId };
    const service = api.as(api.identity.service({ organization }));
    const suggested = await batch([{ platform: 'x' }], { scheduledAt: inDays(2) }, {}, service);
    expect(suggested.body.posts).toEqual([
      expect.objectContaining({ origin: 'suggestion', status: 'draft', scheduledAt: null }),
    ]);
    expect(suggested.body.posts[0].approval.state).toBe('pending');
    const scopes = ['posts.write'];
    const writer = api.as(api.identity.user({ organizations: [{ ...organization, scopes }] }));
    const timed = await batch(
      [{ platform: 'x' }, { platform: 'youtube', scheduledAt: inDays(2) }],
      {},
      {},
      writer,
    );
    expect([timed.status, timed.body.code]).toEqual([403, 'insufficient_scope']);
    expect((await batch([{ platform: 'x' }], {}, {}, writer)).status).toBe(201);
  });

  it('replays with an Idempotency-Key, also at two replicas at once', async () => {
    const replica = await api.replica();
    const text = `Once ${randomUUID()}`;
    const key = { 'idempotency-key': randomUUID() };
    const entries = [
      { platform: 'x', target: { accountId: '1' } },
      { platform: 'x', target: { accountId: '2' } },
    ];
    const there = callOf(replica.url, { authorization: `Bearer ${world.person.token}` });
    const answers = await Promise.all([
      batch(entries, { text }, key),
      batch(entries, { text }, key, there),
      batch(entries, { text }, key),
    ]);
    const repeated = await batch(entries, { text }, key, there);
    await replica.close();
    expect(answers.filter(({ status }) => status === 201).length).toBeGreaterThanOrEqual(1);
    for (const { status } of answers) expect([201, 409]).toContain(status);
    expect([repeated.status, repeated.headers.get('idempotent-replayed')]).toEqual([201, 'true']);
    expect(await eventsOf(text)).toHaveLength(2);
    const other = await batch(entries, { text: 'Another' }, key);
    expect(other.status).toBe(422);
  });

  it.each([
    ['no entries', { posts: [] }, '#/posts'],
    ['entries that are no list', { posts: { 0: { platform: 'x' } } }, '#/posts'],
    ['51 entries', { posts: Array.from({ length: 51 }, () => ({ platform: 'x' })) }, '#/posts'],
    ['an entry that is null', { posts: [null] }, '#/posts'],
    ['an entry that is a list', { posts: [[]] }, '#/posts'],
    ['an entry without a network', { posts: [{}] }, '#/posts/0/platform'],
    ['an unknown network', { posts: [{ platform: 'myspace' }] }, '#/posts/0/platform'],
    ['an unknown field', { posts: [{ platform: 'x', txt: 'a' }] }, '#/posts/0/txt'],
    ['a thread', { posts: [{ platform: 'x', threadId: randomUUID() }] }, '#/posts/0/threadId'],
    ['an unknown option', { posts: [{ platform: 'x', options: { a: 1 } }] }, '#/posts/0/options/a'],
    ['null for a text', { posts: [{ platform: 'x', text: null }] }, '#/posts/0/text'],
    ['a far too long text', { posts: [{ platform: 'x', text: 'x'.repeat(65_001) }] }, '#/posts/0/text'],
    ['no text at all', { text: undefined, posts: [{ platform: 'x' }] }, '#/posts/0/text'],
    ['a target for all', { target: {}, posts: [{ platform: 'x' }] }, '#/target'],
    ['an origin that skips approval', { origin: 'person', posts: [{ platform: 'x' }] }, '#/origin'],
  ])('400 for %s', async (_, fields, pointer) => {
    const answer = await batch([], fields);
    expect(answer.status).toBe(400);
    expect(pointers(answer.body)).toContain(pointer);
  });

  it('401 without a caller, 403 without posts.write', async () => {
    expect((await batch([{ platform: 'x' }], {}, {}, api.as())).status).toBe(401);
    const reader = api.as(
      api.identity.user({ organizations: [{ id: randomUUID(), scopes: ['posts.read'] }] }),
    );
    expect((await batch([{ platform: 'x' }], {}, {}, reader)).status).toBe(403);
  });

  it('counts each entry against the limit of the caller', async () => {
    const limited = await api.replica({ RATE_LIMIT_PER_MINUTE: '10' });
    const call = callOf(limited.url, { authorization: `Bearer ${world.person.token}` });
    const entries = (count: number) =>
      Array.from({ length: count }, (_, index) => ({ platform: 'x', target: { accountId: String(index) } }));
    const first = await batch(entries(6), {}, {}, call);
    expect([first.status, first.headers.get('x-ratelimit-remaining')]).toEqual([201, '4']);
    const refused = await batch(entries(6), {}, {}, call);
    await limited.close();
    expect(refused.status).toBe(429);
    expect(refused.headers.get('retry-after')).toMatch(/^\d+$/);
  });
});

describe('a thread on a network without threads', () => {
  it('400 at creation; posts of threads that exist can be read and changed', async () => {
    const rules = networkOf('youtube').rules;
    const replaced = jest.replaceProperty(rules, 'hasThreads', true);
    const { id } = await world.post({ platform: 'youtube', threadPosition: 1 });
    const existing = (await world.call('GET', `/api/posts/${id}`)).body;
    replaced.replaceValue(false);
    const body = { brandId: world.brandId, platform: 'youtube', text: 'Part' };
    const ofThread = await world.call('POST', '/api/posts', { ...body, threadId: existing.threadId });
    const first = await world.call('POST', '/api/posts', { ...body, threadPosition: 1 });
    const read = await world.call('GET', `/api/posts/${id}`);
    const changed = await world.call('PUT', `/api/posts/${id}`, { text: 'Changed' });
    const alone = await world.call('POST', '/api/posts', body);
    replaced.restore();
    for (const [refused, pointer] of [
      [ofThread, '#/threadId'],
      [first, '#/threadPosition'],
    ] as const)
      expect([refused.status, refused.body.code, pointers(refused.body)]).toEqual([
        400,
        'threads_not_supported',
        [pointer],
      ]);
    expect(read.body).toEqual(existing);
    expect([changed.status, alone.status]).toEqual([200, 201]);
  });
});
