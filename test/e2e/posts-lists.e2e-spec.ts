import { randomUUID } from 'node:crypto';
import { BusinessApi } from '../support/business-api.js';
import { inDays, PostsWorld } from '../support/posts-world.js';

let api: BusinessApi;
let world: Awaited<ReturnType<typeof PostsWorld.of>>;
beforeAll(async () => {
  api = await BusinessApi.start();
});
beforeEach(async () => {
  world = await PostsWorld.of(api);
});
afterAll(() => api.stop());

const ids = (body: { data: { id: string }[] }) => body.data.map(({ id }) => id);
const list = (query = '') => world.call('GET', `/api/posts${query}`);

describe('GET /api/posts', () => {
  it('200 lists the posts of the organization newest first, with a total', async () => {
    await (await PostsWorld.of(api)).post();
    const posts = [await world.post(), await world.scheduled(), await world.post()];
    const { status, body } = await list();
    expect(status).toBe(200);
    expect(ids(body)).toEqual(posts.map(({ id }) => id).reverse());
    expect(body.pagination).toEqual({ limit: 25, hasMore: false, nextCursor: null, total: 3 });
    const { warnings: _, ...newest } = posts[2];
    expect(body.data[0]).toEqual(newest);
    expect((await list('?includeTotal=false')).body.pagination.total).toBeUndefined();
  });

  it('pages over all brands without gaps or repeats while posts are created and deleted', async () => {
    const second = await world.call('POST', '/api/brands', { name: 'Second' });
    const made: string[] = [];
    for (let n = 0; n < 9; n += 1) made.push((await world.post(n % 2 ? { brandId: second.body.id } : {})).id);
    const seen: string[] = [];
    let path = '?limit=2';
    for (let page = 0; ; page += 1) {
      const { body, headers } = await list(path);
      seen.push(...ids(body));
      if (page === 1) await world.post();
      if (page === 2) await world.call('DELETE', `/api/posts/${made[0]}`);
      if (!body.pagination.hasMore) break;
      expect(headers.get('link')).toContain(`cursor=${body.pagination.nextCursor}`);
      path = `?limit=2&cursor=${body.pagination.nextCursor}`;
    }
    expect(seen).toEqual([...made].reverse().slice(0, 8));
  });

  it('filters by one or several of status, network, brand and time', async () => {
    const draft = await world.post();
    const soon = await world.scheduled({ scheduledAt: inDays(3) });
    const late = await world.scheduled({ scheduledAt: inDays(30), platform: 'threads' });
    const failed = await world.failed({}, { scheduledAt: inDays(4) });
    const suggested = await world.post({ origin: 'suggestion', scheduledAt: inDays(5) });
    const found = async (query: string) => ids((await list(query)).body).sort();
    expect(await found('?status=failed')).toEqual([failed]);
    expect(await found('?status=draft,failed')).toEqual([draft.id, failed, suggested.id].sort());
    expect(await found('?status=scheduled&status=failed')).toEqual([soon.id, late.id, failed].sort());
    expect(await found('?platform=threads')).toEqual([late.id]);
    expect(await found(`?from=${inDays(2)}&to=${inDays(4.5)}`)).toEqual([soon.id, failed].sort());
    expect(await found(`?from=${inDays(4.5)}`)).toEqual([late.id, suggested.id].sort());
    expect(await found(`?brandId=${world.brandId}&status=draft`)).toEqual([draft.id, suggested.id].sort());
    expect((await list(`?status=failed`)).body.pagination.total).toBe(1);
  });

  it('accepts every parameter value: clamps it, ignores it or returns nothing', async () => {
    const { id } = await world.post();
    for (const query of [
      '?limit=0',
      '?limit=-1',
      '?limit=1e9',
      '?limit=abc',
      '?cursor=nonsense',
      '?utm_source=mail',
    ])
      expect([query, ids((await list(query)).body)]).toEqual([query, [id]]);
    for (const query of [
      ...['?status=gone', '?platform=myspace', '?from=yesterday', '?to=2026-13-01'],
      ...['?from=0000-06-01T00:00:00Z', '?from=0001-01-01T00:00:00%2B01:00', '?to=9999-12-31T23:59:59-01:00'],
    ])
      expect([query, ids((await list(query)).body)]).toEqual([query, [id]]);
    for (const query of ['?threadId=17', '?brandId=x', `?brandId=${randomUUID()}`])
      expect([query, (await list(query)).status, ids((await list(query)).body)]).toEqual([query, 200, []]);
    expect((await list('?limit=1e9')).body.pagination.limit).toBe(100);
    expect((await list('?limit=0')).body.pagination.limit).toBe(1);
  });

  it('ignores a cursor of another filter', async () => {
    for (let n = 0; n < 3; n += 1) await world.post();
    const { nextCursor } = (await list('?limit=1')).body.pagination;
    const other = await list(`?limit=1&status=draft&cursor=${nextCursor}`);
    expect(ids(other.body)).toEqual(ids((await list('?limit=1&status=draft')).body));
  });

  it('filters by X-Brand-ID; 404 for a foreign or missing brand', async () => {
    const second = await world.call('POST', '/api/brands', { name: 'Second' });
    await world.post();
    const { id } = await world.post({ brandId: second.body.id });
    const named = (brandId: string) =>
      api.as(world.person.token, { 'x-brand-id': brandId })('GET', '/api/posts');
    expect(ids((await named(second.body.id)).body)).toEqual([id]);
    const foreign = await PostsWorld.of(api);
    for (const brandId of [foreign.brandId, randomUUID(), '17'])
      expect((await named(brandId)).status).toBe(404);
  });

  it('shows a brand-bound caller only the posts of these brands', async () => {
    const second = await world.call('POST', '/api/brands', { name: 'Second' });
    await world.post();
    const { id } = await world.post({ brandId: second.body.id });
    const { organizationId } = world.person;
    const bound = api.identity.user({ organizations: [{ id: organizationId, brandIds: [second.body.id] }] });
    expect(ids((await api.as(bound)('GET', '/api/posts')).body)).toEqual([id]);
    const none = api.identity.user({ organizations: [{ id: organizationId, brandIds: [] }] });
    expect(ids((await api.as(none)('GET', '/api/posts')).body)).toEqual([]);
  });

  it('401 without credentials, 403 without the scope; omits organizations without the scope', async () => {
    await world.post();
    expect((await api.as()('GET', '/api/posts')).status).toBe(401);
    const { organizationId } = world.person;
    const reader = (scopes: string[]) =>
      api.as(api.identity.user({ organizations: [{ id: organizationId, scopes }, { id: randomUUID() }] }));
    expect(ids((await reader(['posts.write'])('GET', '/api/posts')).body)).toEqual([]);
    expect(ids((await reader(['posts.read'])('GET', '/api/posts')).body)).toHaveLength(1);
    const writer = api.identity.user({ organizations: [{ id: organizationId, scopes: ['posts.write'] }] });
    expect((await api.as(writer)('GET', '/api/posts')).status).toBe(403);
  });
});

describe('a thread', () => {
  it('is listed in thread order over pages, independent of creation order', async () => {
    const begun = await world.post({ threadPosition: 3 });
    const { threadId } = begun;
    const parts: Record<number, string> = { 3: begun.id };
    for (const threadPosition of [1, 2])
      parts[threadPosition] = (await world.post({ threadId, threadPosition })).id;
    await world.post();
    expect(ids((await list(`?threadId=${threadId.toUpperCase()}`)).body)).toEqual([
      parts[1],
      parts[2],
      parts[3],
    ]);
    const first = await list(`?threadId=${threadId}&limit=2`);
    const rest = await list(`?threadId=${threadId}&limit=2&cursor=${first.body.pagination.nextCursor}`);
    expect(ids(rest.body)).toEqual([parts[3]]);
  });

  it('has one post per position: 409 for a second one, also for concurrent requests', async () => {
    const { threadId } = await world.post({ threadPosition: 1 });
    const body = { brandId: world.brandId, platform: 'x', text: 'Second', threadId };
    const taken = await world.call('POST', '/api/posts', { ...body, threadPosition: 1 });
    expect([taken.status, taken.body.code]).toEqual([409, 'thread_position_taken']);
    const keyed = await world.call(
      'POST',
      '/api/posts',
      { ...body, threadPosition: 1 },
      { 'idempotency-key': randomUUID() },
    );
    expect([keyed.status, keyed.body.code]).toEqual([409, 'thread_position_taken']);
    const racing = await Promise.all(
      Array.from({ length: 8 }, () => world.call('POST', '/api/posts', { ...body, threadPosition: 2 })),
    );
    expect(racing.map(({ status }) => status).sort()).toEqual([201, ...Array<number>(7).fill(409)]);
  });

  it('assigns the next position to a part without one, and an id to the first part', async () => {
    const first = await world.post({ threadPosition: 1 });
    expect(first.threadId).toMatch(/^[0-9a-f-]{36}$/);
    const second = await world.post({ threadId: first.threadId });
    expect([second.threadId, second.threadPosition]).toEqual([first.threadId, 2]);
  });

  it('assigns distinct positions to concurrent parts, also with Idempotency-Key', async () => {
    const { threadId } = await world.post({ threadPosition: 1 });
    const body = { brandId: world.brandId, platform: 'x', text: 'Next', threadId };
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, n) =>
        world.call('POST', '/api/posts', body, n % 2 ? { 'idempotency-key': randomUUID() } : {}),
      ),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array<number>(12).fill(201));
    const places = answers.map(({ body: { threadPosition } }) => threadPosition as number);
    expect(places.sort((a, b) => a - b)).toEqual(Array.from({ length: 12 }, (_, n) => n + 2));
  });

  it('is limited to one network and one brand', async () => {
    const { threadId } = await world.post({ threadPosition: 1 });
    const other = await world.call('POST', '/api/posts', {
      ...{ brandId: world.brandId, platform: 'threads', text: 'Elsewhere', threadId },
    });
    expect([other.status, other.body.code]).toEqual([400, 'thread_on_another_platform']);
    const foreign = await PostsWorld.of(api);
    const said = async (threadId: string, threadPosition?: number) => {
      const body = { brandId: foreign.brandId, platform: 'x', text: 'Elsewhere', threadId, threadPosition };
      const { status, body: refusal } = await foreign.call('POST', '/api/posts', body);
      return [status, refusal.code, refusal.detail, refusal.errors];
    };
    for (const position of [undefined, 1, 2]) {
      expect(await said(threadId, position)).toEqual(await said(randomUUID(), position));
      expect((await said(threadId, position)).slice(0, 2)).toEqual([400, 'reference_not_found']);
    }
  });

  it('reports why a part waits: the previous part is unpublished or deleted', async () => {
    const threadId = await world.aThread();
    const second = await world.scheduled({ threadId, threadPosition: 2 });
    expect(second.blockedBy).toEqual({ postId: null, position: 1 });
    const blockedBy = async () => (await world.call('GET', `/api/posts/${second.id}`)).body.blockedBy;
    const first = await world.scheduled({ threadId, threadPosition: 1 });
    expect(await blockedBy()).toEqual({ postId: first.id, position: 1 });
    await world.call('DELETE', `/api/posts/${first.id}`);
    expect(await blockedBy()).toEqual({ postId: null, position: 1 });
    await world.published({ threadId, threadPosition: 1 });
    expect(await blockedBy()).toBeNull();
  });

  it.each(['/api/posts', '/api/content-ops/items'])(
    'tells who polls %s with an ETag once the part before it is live',
    async (path) => {
      const threadId = await world.aThread();
      const second = await world.scheduled({ threadId, threadPosition: 2 });
      const read = (etag = '') =>
        world.call('GET', `${path}/${second.id}`, undefined, { 'if-none-match': etag });
      const waiting = (await read()).headers.get('etag') ?? '';
      expect((await read(waiting)).status).toBe(304);
      await world.published({ threadId, threadPosition: 1 });
      const free = await read(waiting);
      expect([free.status, free.body.blockedBy]).toEqual([200, null]);
      const edit = () =>
        world.call('PUT', `/api/posts/${second.id}`, { text: randomUUID() }, { 'if-match': waiting });
      expect([(await edit()).status, (await edit()).status]).toEqual([200, 412]);
    },
  );
});
