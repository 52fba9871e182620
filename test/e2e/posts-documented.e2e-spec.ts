import { randomUUID } from 'node:crypto';
import request from 'supertest';
import { BusinessApi } from '../support/business-api.js';
import { Documented } from '../support/documented.js';
import { inDays, PostsWorld } from '../support/posts-world.js';

describe('the responses of posts and brands match the document', () => {
  let api: BusinessApi;
  let world: Awaited<ReturnType<typeof PostsWorld.of>>;
  let documented: Documented;
  const seen = new Map<string, Set<number>>();
  beforeAll(async () => {
    api = await BusinessApi.start();
    world = await PostsWorld.of(api);
    documented = await Documented.by(api.service.url);
  });
  afterAll(() => api.stop());

  const send = async (
    operation: string,
    id = '',
    body?: object,
    headers: Record<string, string> = {},
    token: string | null = world.person.token,
  ) => {
    const [method, template = ''] = operation.split(' ') as ['get' | 'post' | 'put' | 'delete', string];
    const sent = request(api.service.url)
      [method](template.replace(/\{\w+\}/, id))
      .set(headers);
    if (token) void sent.set('authorization', `Bearer ${token}`);
    const response = await (body ? sent.send(body) : sent);
    documented.check(operation, response);
    seen.set(operation, (seen.get(operation) ?? new Set()).add(response.status));
    return response.body;
  };
  const reader = (...scopes: string[]) =>
    api.identity.user({ organizations: [{ id: world.person.organizationId, scopes }] });

  it('for posts in every state', async () => {
    const suggested = await world.post({ origin: 'suggestion', scheduledAt: inDays(3), title: 'T' });
    const ids = [
      suggested.id,
      (await world.scheduled({ threadPosition: 2 })).id,
      (await world.scheduled({ platform: 'facebook', target: { pageId: '1' } })).id,
      (await world.beingSent()).id,
      (await world.published()).id,
      await world.failed(),
      await world.unconfirmed(),
    ];
    const held = await world.scheduled({ link: 'https://example.com/' });
    await world.held(held.id, inDays(3));
    for (const id of [...ids, held.id]) await send('get /api/posts/{postId}', id);
    for (const id of ids) await send('put /api/posts/{postId}', id, { title: 'New' });
    for (const id of ids) await send('delete /api/posts/{postId}', id);
    await send('get /api/posts');
  });

  it('for refusals of posts', async () => {
    const { id } = await world.post();
    const body = { brandId: world.brandId, platform: 'x', text: `Text ${randomUUID()}` };
    const several = { brandId: world.brandId, text: body.text };
    const place = { threadId: await world.aThread(), threadPosition: 1 };
    await send('post /api/posts', '', { ...body, ...place });
    await send('post /api/posts', '', { ...body, ...place });
    await send('post /api/posts', '', { ...body, text: 5, other: true });
    await send('post /api/posts', '', { ...body, brandId: randomUUID() });
    const key = { 'idempotency-key': randomUUID() };
    await send('post /api/posts', '', body, key);
    await send('post /api/posts', '', { ...body, text: 'Other' }, key);
    await send('post /api/posts/preflight', '', { platform: 'x', text: 'x'.repeat(300) });
    await send('post /api/posts/preflight', '', {});
    const entries = [{ platform: 'x', options: { privacy: 'private' } }, { platform: 'facebook' }];
    await send('post /api/posts/preflight', '', { ...several, posts: entries });
    await send('post /api/posts/batch', '', { ...several, posts: entries });
    await send('post /api/posts/batch', '', { ...several, posts: [...entries, { platform: 'x' }] });
    await send('post /api/posts/batch', '', { ...several, brandId: randomUUID(), posts: entries });
    await send('put /api/posts/{postId}', id, { scheduledAt: 'tomorrow' });
    await send('put /api/posts/{postId}', id, {}, { 'if-match': '"v9"' });
    await send('delete /api/posts/{postId}', id, undefined, { 'if-match': '"v9"' });
    await send('get /api/posts', '', undefined, { 'x-brand-id': randomUUID() });
    for (const operation of ['get', 'put', 'delete'].map((method) => `${method} /api/posts/{postId}`))
      await send(operation, randomUUID(), operation.startsWith('put') ? {} : undefined);
    for (const operation of documented.operations.filter((one) => / \/api\/posts/.test(one)))
      for (const token of [null, reader('dashboard.read')])
        await send(operation, id, /^(post|put)/.test(operation) ? body : undefined, {}, token);
  });

  it('on brands', async () => {
    const { id } = await send('post /api/brands', '', { name: 'Brand' });
    const to = { organizationId: world.person.organizationId };
    await send('post /api/brands', '', { name: '', colour: 'red' });
    await send('post /api/brands', '', { name: 'Brand', organizationId: randomUUID() });
    await send('get /api/brands');
    await send('get /api/brands/{brandId}', id);
    await send('put /api/brands/{brandId}', id, { name: 'Other' });
    await send('put /api/brands/{brandId}', id, { name: null });
    await send('put /api/brands/{brandId}', id, {}, { 'if-match': '"v9"' });
    const transfer = 'post /api/brands/{brandId}/transfer-organization';
    await send(transfer, id, to);
    await send(transfer, id, {});
    await send(transfer, id, to, { 'if-match': '"v9"' });
    for (const operation of ['get /api/brands/{brandId}', 'put /api/brands/{brandId}', transfer])
      await send(operation, randomUUID(), operation.startsWith('get') ? undefined : to);
    for (const operation of documented.operations.filter((one) => / \/api\/brands/.test(one)))
      for (const token of [null, reader('dashboard.read')])
        await send(
          operation,
          id,
          /^(post|put)/.test(operation) ? { name: 'N', ...to } : undefined,
          {},
          token,
        );
  });

  it('while identity is down', async () => {
    api.identity.goDown();
    const operations = documented.operations.filter((one) => / \/api\/(posts|brands)/.test(one));
    for (const operation of operations) await send(operation, randomUUID());
    api.identity.comeBack();
  });

  it('and every operation occurred with success, 401 and 403', () => {
    const operations = documented.operations.filter((one) => / \/api\/(posts|brands)/.test(one));
    expect(operations).toHaveLength(12);
    for (const operation of operations) {
      const statuses = [...(seen.get(operation) ?? [])].sort();
      expect({ operation, statuses }).toEqual({
        operation,
        statuses: expect.arrayContaining([401, 403, 503]),
      });
      expect(statuses.some((status) => status < 300)).toBe(true);
    }
  });
});
