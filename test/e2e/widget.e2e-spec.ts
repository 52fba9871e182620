import { randomUUID } from 'node:crypto';
import { BusinessApi } from '../support/business-api.js';
import { ContentStage, inHours } from '../support/content-stage.js';

describe('the widget', () => {
  let api: BusinessApi;
  let stage: ContentStage;

  beforeAll(async () => {
    api = await BusinessApi.start({ PUBLIC_URL: 'https://social.example.com' });
    stage = await ContentStage.set(api, 'Pacific/Chatham');
  });

  afterAll(() => api.stop());

  const widget = (token = stage.token, headers: Record<string, string> = {}) =>
    api.as(token)('GET', '/api/widget', undefined, headers);

  it('is empty without activity', async () => {
    const quiet = await widget();
    expect(quiet.status).toBe(200);
    expect(quiet.body).toMatchObject({
      brands: 1,
      stats: { pendingApprovals: 0, needsTime: 0, scheduledNext24Hours: 0, failed: 0, publishedToday: 0 },
      ...{ nextPosts: [], actions: [] },
    });
    expect(quiet.body.generatedAt).toMatch(/^\d{4}-.*Z$/);
  });

  it('counts pending, upcoming and today’s published posts, with links', async () => {
    const second = await stage.scheduled(inHours(5));
    const first = await stage.scheduled(inHours(2), { text: 'é'.repeat(200) });
    await stage.scheduled(inHours(30));
    await stage.suggestion(inHours(3));
    await stage.suggestion();
    await stage.failed();
    await stage.published();
    await api.followed();
    const { body } = await widget();
    expect(body.stats).toEqual({
      ...{ pendingApprovals: 2, needsTime: 0, scheduledNext24Hours: 2, failed: 1, publishedToday: 1 },
    });
    expect(body.nextPosts.slice(0, 2)).toMatchObject([
      {
        contentId: first,
        excerpt: `${'é'.repeat(139)}…`,
        href: `https://social.example.com/api/content-ops/items/${first}`,
      },
      { contentId: second, brandId: stage.brandId, platform: 'x' },
    ]);
    expect(body.actions).toEqual([
      expect.objectContaining({ id: 'settle-failures', count: 1, label: 'Look at 1 failure' }),
      expect.objectContaining({
        ...{ id: 'review-approvals', count: 2, label: 'Review 2 suggestions' },
        href: 'https://social.example.com/api/content-ops/queue?state=pending',
      }),
      expect.objectContaining({ id: 'open-calendar', count: 2 }),
    ]);
    const queue = await stage.person(
      'GET',
      new URL(body.actions[1].href as string).pathname + '?state=pending',
    );
    expect(queue.body.data).toHaveLength(2);
  });

  it('is limited to the requested brand, and to brands of the caller', async () => {
    const stranger = await ContentStage.set(api);
    const brandId = await stage.anotherBrand();
    expect((await widget(stage.token, { 'x-brand-id': brandId })).body.stats.pendingApprovals).toBe(0);
    expect((await widget(stranger.token)).body).toMatchObject({ brands: 1, nextPosts: [] });
    for (const foreign of [stranger.brandId, randomUUID(), 'acme']) {
      const refused = await widget(stage.token, { 'x-brand-id': foreign });
      expect([refused.status, refused.body.code]).toEqual([404, 'brand_not_found']);
    }
  });

  it('requires a bearer with dashboard.read', async () => {
    expect((await api.as()('GET', '/api/widget')).status).toBe(401);
    const token = api.identity.user({
      organizations: [{ id: stage.organizationId, scopes: ['posts.read'] }],
    });
    expect([(await widget(token)).status, (await widget(token)).body.code]).toEqual([
      403,
      'insufficient_scope',
    ]);
    const reader = api.identity.user({
      organizations: [{ id: stage.organizationId, scopes: ['dashboard.read'] }],
    });
    expect((await widget(reader)).status).toBe(200);
  });

  it('shows posts and activity only of brands that the caller may read', async () => {
    const own = await ContentStage.set(api);
    const other = await ContentStage.set(api);
    for (const each of [own, other]) {
      await each.scheduled(inHours(2), { text: 'A secret of its brand' });
      await each.suggestion();
      await each.published();
    }
    await api.followed();
    const seen = async (...organizations: { id: string; scopes: string[] }[]) =>
      (await widget(api.identity.user({ organizations }))).body;
    const [id, elsewhere] = [own.organizationId, other.organizationId];
    const none = { pendingApprovals: null, needsTime: null, scheduledNext24Hours: null, failed: null };
    const onlyDashboard = await seen({ id, scopes: ['dashboard.read'] });
    expect(onlyDashboard).toMatchObject({ brands: 1, stats: { ...none, publishedToday: null } });
    expect([onlyDashboard.nextPosts, onlyDashboard.actions]).toEqual([[], []]);
    expect((await seen({ id, scopes: ['dashboard.read', 'analytics.read'] })).stats).toEqual({
      ...{ ...none, publishedToday: 1 },
    });
    const posts = await seen(
      { id, scopes: ['dashboard.read', 'posts.read'] },
      { id: elsewhere, scopes: ['dashboard.read'] },
    );
    expect(posts).toMatchObject({ brands: 2, stats: { pendingApprovals: 1, publishedToday: null } });
    expect(posts.nextPosts.map(({ brandId }: { brandId: string }) => brandId)).toEqual([own.brandId]);
  });

  it('returns 503 while identity is down', async () => {
    api.identity.goDown();
    try {
      expect((await widget()).status).toBe(503);
    } finally {
      api.identity.comeBack();
    }
  });
});
