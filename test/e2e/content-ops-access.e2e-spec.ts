import { randomUUID } from 'node:crypto';
import { BusinessApi } from '../support/business-api.js';
import type { ApiResponse, Call, Method } from '../support/call.js';
import { ContentStage, inHours } from '../support/content-stage.js';

interface Route {
  readonly method: Method;
  readonly path: string;
  readonly body?: object;
  readonly scopes: readonly string[];
}

const item = (action: string, scopes: string[], body?: object): Route => ({
  method: 'POST',
  path: `/items/:id/${action}`,
  scopes,
  body,
});
const READS = ['posts.read'];
const WRITES = ['posts.write'];
const SCHEDULES = ['posts.write', 'calendar.write'];

const LISTS: Route[] = [
  { method: 'GET', path: '/queue', scopes: READS },
  { method: 'GET', path: '/queue?from=2026-01-01T00:00:00Z', scopes: [...READS, 'calendar.read'] },
  { method: 'GET', path: '/daily', scopes: ['analytics.read'] },
  { method: 'GET', path: '/events', scopes: ['analytics.read'] },
];
const ITEM: Route[] = [
  { method: 'GET', path: '/items/:id', scopes: READS },
  { method: 'PATCH', path: '/items/:id', scopes: WRITES, body: { text: 'Other words' } },
  item('approve', SCHEDULES),
  item('reject', WRITES),
  item('reschedule', SCHEDULES, { scheduledAt: inHours(5) }),
  item('retry', SCHEDULES),
  item('resolve', WRITES, { delivered: false }),
];
const ALL = [...LISTS, ...ITEM];
const NAMED = ALL.map((route) => [`${route.method} ${route.path}`, route] as const);
const NAMED_ITEM = ITEM.map((route) => [`${route.method} ${route.path}`, route] as const);

describe('who may use content operations', () => {
  let api: BusinessApi;
  let stage: ContentStage;
  let stranger: ContentStage;
  let contentId: string;

  beforeAll(async () => {
    api = await BusinessApi.start();
    stage = await ContentStage.set(api);
    stranger = await ContentStage.set(api);
    contentId = await stage.suggestion(inHours(20));
  });

  afterEach(async () => {
    const { version } = (await stage.person('GET', `/api/content-ops/items/${contentId}`)).body;
    expect(version).toBe(1);
  });
  afterAll(() => api.stop());

  const send = (
    call: Call,
    { method, path, body }: Route,
    headers?: Record<string, string>,
    id = contentId,
  ) => call(method, `/api/content-ops${path.replace(':id', id)}`, body, headers);
  const codeOf = ({ status, body }: ApiResponse) => [status, body.code];

  it.each(NAMED)(
    '%s answers 401 and a challenge without credentials, or with wrong ones',
    async (_, route) => {
      for (const call of [api.as(), api.as('copa_unknown'), api.withKey('cop_live_unknown')]) {
        const refused = await send(call, route);
        expect(codeOf(refused)).toEqual([401, 'unauthenticated']);
        expect(refused.headers.get('www-authenticate')).toMatch(/^Bearer /);
      }
    },
  );

  it.each(NAMED)('%s answers 403 to a key that lacks one of its scopes', async (_, route) => {
    for (const missing of route.scopes) {
      const key = stage.key(
        [...new Set(ALL.flatMap(({ scopes }) => scopes))].filter((scope) => scope !== missing),
      );
      const refused = await send(key, route);
      expect(codeOf(refused)).toEqual([403, 'insufficient_scope']);
    }
  });

  it.each(NAMED)(
    '%s answers 404 when X-Brand-ID names a brand of others, none, or no id',
    async (_, route) => {
      for (const brandId of [stranger.brandId, randomUUID(), 'acme']) {
        const refused = await send(stage.person, route, { 'x-brand-id': brandId });
        expect(codeOf(refused)).toEqual([404, 'brand_not_found']);
      }
    },
  );

  it.each(NAMED)(
    '%s answers 404 to a key that is bound to another brand than the one named',
    async (_, route) => {
      const key = stage.key(undefined, [await stage.anotherBrand()]);
      expect(codeOf(await send(key, route, { 'x-brand-id': stage.brandId }))).toEqual([
        404,
        'brand_not_found',
      ]);
    },
  );

  it.each(NAMED_ITEM)('%s answers strangers as if the item did not exist', async (_, route) => {
    const callers = [stranger.person, stranger.key(), stage.key(undefined, [await stage.anotherBrand()])];
    for (const call of callers) {
      const foreign = await send(call, route);
      const missing = await send(call, route, {}, randomUUID());
      const { requestId: _a, instance: _b, ...said } = foreign.body;
      const { requestId: _c, instance: _d, ...same } = missing.body;
      expect([foreign.status, said]).toEqual([404, same]);
    }
  });

  it.each(NAMED_ITEM)('%s does not find an item of another brand than the one named', async (_, route) => {
    const brandId = await stage.anotherBrand();
    expect(codeOf(await send(stage.person, route, { 'x-brand-id': brandId }))).toEqual([
      404,
      'post_not_found',
    ]);
  });

  it.each(NAMED)('%s answers 503 while identity is unavailable, to every caller', async (_, route) => {
    api.identity.goDown();
    try {
      const closed = await send(stage.person, route);
      expect(closed.status).toBe(503);
      expect(Number(closed.headers.get('retry-after'))).toBeGreaterThan(0);
    } finally {
      api.identity.comeBack();
    }
  });

  it('lets strangers see nothing in lists', async () => {
    await api.followed();
    expect((await stranger.person('GET', '/api/content-ops/queue')).body.data).toEqual([]);
    const events = (await stranger.person('GET', '/api/content-ops/events')).body.data;
    expect(events.map((event: { brandId: string }) => event.brandId)).not.toContain(stage.brandId);
    const days = (await stranger.person('GET', '/api/content-ops/daily')).body.data;
    expect(new Set(days.map((day: { brandId: string }) => day.brandId))).toEqual(new Set([stranger.brandId]));
  });

  it('shows a key only the brands it is bound to', async () => {
    const bound = await stage.anotherBrand();
    await stage.scheduled(inHours(30), { brandId: bound });
    const key = stage.key(undefined, [bound]);
    await api.followed();
    const brandsIn = async (path: string) =>
      new Set((await key('GET', path)).body.data.map((row: { brandId: string }) => row.brandId));
    for (const list of ['queue', 'daily', 'events']) {
      expect(await brandsIn(`/api/content-ops/${list}`)).toEqual(new Set([bound]));
    }
  });

  it('takes bearer and key together only when they agree on the organization', async () => {
    const keyOf = (organizationId: string) => api.identity.apiKey({ organization: { id: organizationId } });
    const both = (organizationId: string) =>
      api.as(stage.token, { 'x-api-key': keyOf(organizationId) })('GET', '/api/content-ops/queue');
    expect((await both(stage.organizationId)).status).toBe(200);
    expect((await both(stranger.organizationId)).status).toBe(401);
  });

  it('takes a key nowhere else', async () => {
    expect((await stage.key()('GET', '/api/posts')).status).toBe(401);
    expect((await stage.key()('GET', '/api/widget')).status).toBe(401);
  });

  it('needs no calendar.write to approve what has no time ahead', async () => {
    const id = await stage.suggestion();
    const approved = await stage.key(['posts.write'])('POST', `/api/content-ops/items/${id}/approve`);
    expect([approved.status, approved.body.approvalState]).toEqual([200, 'approved']);
  });

  it('shows a transferred brand to its new organization, history and all, and no more to its former', async () => {
    const both = randomUUID();
    const organizations = [{ id: both, role: 'owner' }, { id: stranger.organizationId }];
    const token = api.identity.user({ organizations });
    const mover = api.as(token);
    const brand = (await mover('POST', '/api/brands', { name: 'Moving', organizationId: both })).body
      .id as string;
    const post = (
      await mover('POST', '/api/posts', {
        brandId: brand,
        platform: 'x',
        text: 'Moves along',
        scheduledAt: inHours(9),
      })
    ).body.id as string;
    const before = api.as(api.identity.user({ organizations: [{ id: both }] }));
    await api.followed();
    expect((await before('GET', `/api/content-ops/events?contentId=${post}`)).body.data).toHaveLength(2);
    await mover('POST', `/api/brands/${brand}/transfer-organization`, {
      organizationId: stranger.organizationId,
    });
    await api.followed();
    expect((await before('GET', `/api/content-ops/items/${post}`)).status).toBe(404);
    expect((await before('GET', '/api/content-ops/queue')).body.data).toEqual([]);
    const kinds = (await before('GET', '/api/content-ops/events')).body.data.map(
      ({ kind }: { kind: string }) => kind,
    );
    expect(kinds).toEqual(['organization.brand_transferred_out']);
    const { body } = await stranger.person('GET', '/api/content-ops/events', undefined, {
      'x-brand-id': brand,
    });
    expect(body.data.map((event: { kind: string }) => event.kind)).toEqual([
      'brand.created',
      'post.drafted',
      'post.scheduled',
      'brand.transferred',
    ]);
  });
});
