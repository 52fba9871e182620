import { randomUUID } from 'node:crypto';
import { BusinessApi } from '../support/business-api.js';
import type { Call } from '../support/call.js';

let api: BusinessApi;
beforeAll(async () => {
  api = await BusinessApi.start();
});
afterAll(() => api.stop());

const aBrand = async (call: Call, fields: object = {}) =>
  (await call('POST', '/api/brands', { name: 'Acme', timezone: 'Europe/Berlin', ...fields })).body;

describe('POST /api/brands', () => {
  it('201 creates a brand in the only organization, with an ETag', async () => {
    const person = api.person();
    const answer = await api.as(person.token)('POST', '/api/brands', { name: '  Acme  ' });
    expect(answer.status).toBe(201);
    expect(answer.body).toMatchObject({
      organizationId: person.organizationId,
      name: 'Acme',
      timezone: 'UTC',
      version: 1,
    });
    expect(answer.headers.get('etag')).toBe('"v1"');
  });

  it('201 for the organization named by a caller of several', async () => {
    const [one, other] = [randomUUID(), randomUUID()];
    const call = api.as(api.identity.user({ organizations: [{ id: one }, { id: other }] }));
    const answer = await call('POST', '/api/brands', { name: 'Acme', organizationId: other.toUpperCase() });
    expect([answer.status, answer.body.organizationId]).toEqual([201, other]);
    const unnamed = await call('POST', '/api/brands', { name: 'Acme' });
    expect([unnamed.status, unnamed.body.code]).toEqual([400, 'organization_missing']);
  });

  it('201 in the only organization that is not bound to brands, 403 when there is none', async () => {
    const [one, other] = [randomUUID(), randomUUID()];
    const bound = { id: one, brandIds: [randomUUID()] };
    const call = api.as(api.identity.user({ organizations: [bound, { id: other }] }));
    const answer = await call('POST', '/api/brands', { name: 'Acme' });
    expect([answer.status, answer.body.organizationId]).toEqual([201, other]);
    const onlyBound = api.as(api.identity.user({ organizations: [bound] }));
    const refused = await onlyBound('POST', '/api/brands', { name: 'Acme' });
    expect([refused.status, refused.body.code]).toEqual([403, 'insufficient_scope']);
  });

  it.each([
    ['no name', {}, '#/name'],
    ['an empty name', { name: '   ' }, '#/name'],
    ['a name of two lines', { name: 'a\nb' }, '#/name'],
    ['a name that nobody sees', { name: '\u200b\u2060' }, '#/name'],
    ['a name too long', { name: 'ä'.repeat(121) }, '#/name'],
    ['no time zone of IANA', { name: 'A', timezone: 'Berlin' }, '#/timezone'],
    ['an offset for a time zone', { name: 'A', timezone: '+02:00' }, '#/timezone'],
    ['null for a time zone', { name: 'A', timezone: null }, '#/timezone'],
    ['an id that is none', { name: 'A', organizationId: '17' }, '#/organizationId'],
    ['an unknown field', { name: 'A', colour: 'red' }, '#/colour'],
  ])('400 for %s', async (_, body, pointer) => {
    const answer = await api.as(api.person().token)('POST', '/api/brands', body);
    expect([answer.status, answer.body.code]).toEqual([400, 'validation_failed']);
    expect(answer.body.errors.map((error: { pointer: string }) => error.pointer)).toContain(pointer);
  });

  it('accepts 120 characters of any length in UTF-16', async () => {
    const name = '🐢'.repeat(120);
    expect((await aBrand(api.as(api.person().token), { name })).name).toBe(name);
  });

  it('401 without credentials, 404 for a foreign organization, 403 without the scope', async () => {
    const body = { name: 'Acme' };
    expect((await api.as()('POST', '/api/brands', body)).status).toBe(401);
    const foreign = { ...body, organizationId: randomUUID() };
    const answer = await api.as(api.person().token)('POST', '/api/brands', foreign);
    expect([answer.status, answer.body.code]).toEqual([404, 'organization_not_found']);
    const reader = api.person(randomUUID(), ['accounts.read']);
    expect((await api.as(reader.token)('POST', '/api/brands', body)).status).toBe(403);
  });

  it('is created once per Idempotency-Key', async () => {
    const call = api.as(api.person().token, { 'idempotency-key': randomUUID() });
    const first = await aBrand(call);
    const again = await call('POST', '/api/brands', { name: 'Acme', timezone: 'Europe/Berlin' });
    expect([again.status, again.body.id, again.headers.get('idempotent-replayed')]).toEqual([
      201,
      first.id,
      'true',
    ]);
    expect((await call('POST', '/api/brands', { name: 'Other' })).status).toBe(422);
    expect((await call('GET', '/api/brands')).body.data).toHaveLength(1);
  });
});

describe('GET /api/brands', () => {
  it('200 lists the brands of the caller only, page by page', async () => {
    const call = api.as(api.person().token);
    await aBrand(api.as(api.person().token), { name: 'Foreign' });
    const ids: string[] = [];
    for (const name of ['A', 'B', 'C']) ids.push((await aBrand(call, { name })).id);
    const first = await call('GET', '/api/brands?limit=2');
    expect(first.body.data.map((brand: { name: string }) => brand.name)).toEqual(['A', 'B']);
    const second = await call('GET', `/api/brands?limit=2&cursor=${first.body.pagination.nextCursor}`);
    expect(second.body.data.map(({ id }: { id: string }) => id)).toEqual(ids.slice(2));
    expect(second.body.pagination).toMatchObject({ hasMore: false, nextCursor: null });
    expect(first.headers.get('link')).toMatch(/rel="next"/);
  });

  it('shows a brand-bound caller only these brands', async () => {
    const { token, organizationId } = api.person();
    const one = await aBrand(api.as(token));
    await aBrand(api.as(token));
    const bound = api.identity.user({ organizations: [{ id: organizationId, brandIds: [one.id] }] });
    const { body } = await api.as(bound)('GET', '/api/brands');
    expect(body.data.map(({ id }: { id: string }) => id)).toEqual([one.id]);
  });

  it('401 without credentials, 403 without the scope', async () => {
    expect((await api.as()('GET', '/api/brands')).status).toBe(401);
    const { token } = api.person(randomUUID(), ['posts.read']);
    expect((await api.as(token)('GET', '/api/brands')).status).toBe(403);
  });
});

describe('GET /api/brands/{brandId}', () => {
  it('200 and 304', async () => {
    const call = api.as(api.person().token);
    const brand = await aBrand(call);
    const answer = await call('GET', `/api/brands/${brand.id.toUpperCase()}`);
    expect([answer.status, answer.body]).toEqual([200, brand]);
    const again = await call('GET', `/api/brands/${brand.id}`, undefined, { 'if-none-match': '"v1"' });
    expect(again.status).toBe(304);
  });

  it('404 in the same words for what is foreign, missing or no id; 403 for what may not be read', async () => {
    const { token, organizationId } = api.person();
    const brand = await aBrand(api.as(token));
    const stranger = api.as(api.person().token);
    const said = async (id: string) => {
      const { status, body } = await stranger('GET', `/api/brands/${id}`);
      return [status, body.code, body.title, body.detail];
    };
    expect(await said(brand.id)).toEqual(await said(randomUUID()));
    expect((await stranger('GET', '/api/brands/17')).status).toBe(404);
    const writer = api.identity.user({
      organizations: [{ id: organizationId, scopes: ['accounts.write'] }, { id: randomUUID() }],
    });
    expect((await api.as(writer)('GET', `/api/brands/${brand.id}`)).status).toBe(403);
  });
});

describe('PUT /api/brands/{brandId}', () => {
  it('200 changes what is sent and leaves the rest', async () => {
    const call = api.as(api.person().token);
    const brand = await aBrand(call);
    const renamed = await call('PUT', `/api/brands/${brand.id}`, { name: 'Acme & Co' });
    expect(renamed.body).toMatchObject({ name: 'Acme & Co', timezone: 'Europe/Berlin', version: 2 });
    expect(renamed.headers.get('etag')).toBe('"v2"');
    const same = await call('PUT', `/api/brands/${brand.id}`, { name: 'Acme & Co' });
    expect(same.body.version).toBe(2);
  });

  it('412 on a stale If-Match, and the right one goes through', async () => {
    const call = api.as(api.person().token);
    const brand = await aBrand(call);
    const put = (tag: string, name: string) =>
      call('PUT', `/api/brands/${brand.id}`, { name }, { 'if-match': tag });
    expect((await put('"v1"', 'Second')).status).toBe(200);
    const stale = await put('"v1"', 'Third');
    expect([stale.status, stale.body.code]).toEqual([412, 'version_mismatch']);
    expect((await call('GET', `/api/brands/${brand.id}`)).body.name).toBe('Second');
  });

  it('400, 401, 403, 404', async () => {
    const { token, organizationId } = api.person();
    const { id } = await aBrand(api.as(token));
    const path = `/api/brands/${id}`;
    for (const body of [{ name: null }, { timezone: null }, { organizationId }, { name: 5 }])
      expect((await api.as(token)('PUT', path, body)).status).toBe(400);
    expect((await api.as()('PUT', path, {})).status).toBe(401);
    const reader = api.person(organizationId, ['accounts.read']);
    expect((await api.as(reader.token)('PUT', path, { name: 'X' })).status).toBe(403);
    const stranger = api.as(api.person().token);
    for (const headers of [{}, { 'if-match': '"v9"' }] as Record<string, string>[])
      expect((await stranger('PUT', path, { name: 'X' }, headers)).status).toBe(404);
  });
});

describe('POST /api/brands/{brandId}/transfer-organization', () => {
  const both = (one: string, other: string, scopes?: readonly string[]) =>
    api.as(
      api.identity.user({
        organizations: [
          { id: one, role: 'owner' },
          { id: other, scopes },
        ],
      }),
    );

  it('200 moves the brand with its posts; the former organization sees nothing any more', async () => {
    const [from, to] = [randomUUID(), randomUUID()];
    const mover = both(from, to);
    const former = api.as(api.person(from).token);
    const next = api.as(api.person(to).token);
    const { id } = await aBrand(former);
    const post = await former('POST', '/api/posts', { brandId: id, platform: 'x', text: 'Stays the same.' });
    const answer = await mover('POST', `/api/brands/${id}/transfer-organization`, { organizationId: to });
    expect(answer.body).toMatchObject({ id, organizationId: to, name: 'Acme', version: 2 });
    expect((await former('GET', `/api/brands/${id}`)).status).toBe(404);
    expect((await former('GET', `/api/posts/${post.body.id}`)).status).toBe(404);
    expect((await former('GET', '/api/posts')).body.data).toEqual([]);
    expect((await next('GET', `/api/posts/${post.body.id}`)).body).toMatchObject({
      id: post.body.id,
      brandId: id,
      text: 'Stays the same.',
      version: post.body.version,
    });
  });

  it('ends bindings to a transferred brand: a former binding gives no access', async () => {
    const [from, to] = [randomUUID(), randomUUID()];
    const { id } = await aBrand(api.as(api.person(from).token));
    const bound = api.as(api.identity.user({ organizations: [{ id: from, brandIds: [id] }] }));
    expect((await bound('GET', `/api/brands/${id}`)).status).toBe(200);
    await both(from, to)('POST', `/api/brands/${id}/transfer-organization`, { organizationId: to });
    expect((await bound('GET', `/api/brands/${id}`)).status).toBe(404);
    expect((await bound('GET', '/api/brands')).body.data).toEqual([]);
  });

  it('ends the bindings of either organization’s keys while the brand is not with them, and only then', async () => {
    const [home, guest] = [randomUUID(), randomUUID()];
    const owned = [home, guest].map((organization) => ({ id: organization, role: 'owner' }));
    const mover = api.as(api.identity.user({ organizations: owned }));
    const { id } = await aBrand(mover, { organizationId: home });
    const post = { brandId: id, platform: 'x', text: 'Where it belongs.', origin: 'suggestion' };
    const item = `/api/content-ops/items/${(await mover('POST', '/api/posts', post)).body.id}`;
    const keyOf = (organizationId: string) =>
      api.withKey(api.identity.apiKey({ organization: { id: organizationId, brandIds: [id] } }));
    const keys = [keyOf(home), keyOf(guest)];
    const seen = async () => {
      const answers = await Promise.all(keys.map((key) => key('GET', item)));
      const queues = await Promise.all(keys.map((key) => key('GET', '/api/content-ops/queue')));
      return answers.map(({ status }, index) => [status, queues[index]?.body.data.length]);
    };
    const moveTo = (organizationId: string) =>
      mover('POST', `/api/brands/${id}/transfer-organization`, { organizationId });
    const [reaches, doesNot] = [
      [200, 1],
      [404, 0],
    ];
    expect(await seen()).toEqual([reaches, doesNot]);
    await moveTo(guest);
    expect(await seen()).toEqual([doesNot, reaches]);
    await moveTo(home);
    expect(await seen()).toEqual([reaches, doesNot]);
  });

  it('200 without a new version when it is there already; once per Idempotency-Key', async () => {
    const person = api.person();
    const call = api.as(person.token, { 'idempotency-key': randomUUID() });
    const { id } = await aBrand(api.as(person.token));
    const to = { organizationId: person.organizationId };
    for (const replayed of [null, 'true']) {
      const answer = await call('POST', `/api/brands/${id}/transfer-organization`, to);
      expect([answer.status, answer.body.version]).toEqual([200, 1]);
      expect(answer.headers.get('idempotent-replayed')).toBe(replayed);
    }
  });

  it('400, 401, 403, 404 and 412', async () => {
    const [from, to] = [randomUUID(), randomUUID()];
    const owner = api.as(api.person(from).token);
    const { id } = await aBrand(owner);
    const path = `/api/brands/${id}/transfer-organization`;
    const body = { organizationId: to };
    expect((await owner('POST', path, {})).status).toBe(400);
    expect((await owner('POST', path, { organizationId: 'x' })).status).toBe(400);
    expect((await api.as()('POST', path, body)).status).toBe(401);
    const foreign = await owner('POST', path, body);
    expect([foreign.status, foreign.body.code]).toEqual([404, 'organization_not_found']);
    expect((await both(from, to, ['accounts.read'])('POST', path, body)).status).toBe(403);
    const thief = await api.as(api.person(to).token)('POST', path, body);
    expect([thief.status, thief.body.code]).toEqual([404, 'brand_not_found']);
    const stale = await both(from, to)('POST', path, body, { 'if-match': '"v7"' });
    expect(stale.status).toBe(412);
    expect((await owner('GET', `/api/brands/${id}`)).body.organizationId).toBe(from);
  });

  it('403 for everybody in the source organization but its owners', async () => {
    const [from, to] = [randomUUID(), randomUUID()];
    const { id } = await aBrand(api.as(api.person(from).token));
    const move = (call: Call) =>
      call('POST', `/api/brands/${id}/transfer-organization`, { organizationId: to });
    for (const role of ['admin', 'member', 'viewer', 'Owner', 'co-owner']) {
      const organizations = [
        { id: from, role },
        { id: to, role: 'owner' },
      ];
      const refused = await move(api.as(api.identity.user({ organizations })));
      expect([role, refused.status, refused.body.code]).toEqual([role, 403, 'owner_required']);
    }
    const principal = api.identity.service({ organization: { id: from, role: 'owner' } });
    expect((await move(api.as(principal))).body.code).toBe('owner_required');
    expect((await move(both(from, to))).status).toBe(200);
  });

  it('is one entry in the audit chain of either organization, and a rebuilt audit is the same', async () => {
    const people = [api.person(), api.person()] as const;
    const [from, to] = people.map(({ organizationId }) => organizationId) as [string, string];
    const { id } = await aBrand(api.as(people[0].token));
    await both(from, to)('POST', `/api/brands/${id}/transfer-organization`, { organizationId: to });
    await api.followed();
    const seenBy = async ({ token }: { token: string }) => {
      const { body } = await api.as(token)('GET', '/api/content-ops/events?limit=100');
      return body.data.map(({ kind, organizationId, brandId, details }: Record<string, unknown>) => ({
        ...{ kind, organizationId, brandId, details },
      }));
    };
    const details = { transferredBrandId: id, fromOrganizationId: from, toOrganizationId: to };
    const entryOf = (organizationId: string, kind: string) => ({
      ...{ kind: `organization.${kind}`, organizationId, brandId: null, details },
    });
    expect(await seenBy(people[0])).toEqual([entryOf(from, 'brand_transferred_out')]);
    const seenByTarget = await seenBy(people[1]);
    expect(seenByTarget.slice(2)).toEqual([entryOf(to, 'brand_transferred_in')]);
    expect(seenByTarget.map(({ kind }: { kind: string }) => kind).slice(0, 2)).toEqual([
      'brand.created',
      'brand.transferred',
    ]);
    expect(await api.test.database.query('SELECT * FROM content_ops.audit_faults()')).toEqual([]);
    expect(await api.rebuilt('content-ops.audit')).toMatchObject({ differences: 0 });
  });

  it('of many brands at once between the same organizations moves each once', async () => {
    const owners = [randomUUID(), randomUUID()];
    const organizations = owners.map((organizationId) => ({ id: organizationId, role: 'owner' }));
    const call = api.as(api.identity.user({ organizations }));
    const ids = await Promise.all(
      Array.from({ length: 8 }, async (_, n) => (await aBrand(call, { organizationId: owners[n % 2] })).id),
    );
    const moves = ids.map((id, n) =>
      call('POST', `/api/brands/${id}/transfer-organization`, { organizationId: owners[(n + 1) % 2] }),
    );
    expect((await Promise.all(moves)).map(({ status }) => status)).toEqual(ids.map(() => 200));
    const log = await api.test.database.query<{ type: string; n: number }>(
      'SELECT type, count(*)::int AS n FROM events.event WHERE stream = ANY ($1) GROUP BY type ORDER BY type',
      [owners],
    );
    expect(log).toEqual([
      { type: 'BrandTransferredIn', n: 8 },
      { type: 'BrandTransferredOut', n: 8 },
    ]);
  });

  it('cannot be crossed by a change of the former organization', async () => {
    const [from, to] = [randomUUID(), randomUUID()];
    const former = api.as(api.person(from).token);
    const mover = both(from, to);
    const { id } = await aBrand(former);
    const renames = Array.from({ length: 8 }, (_, n) =>
      former('PUT', `/api/brands/${id}`, { name: `N${n}` }),
    );
    const move = mover('POST', `/api/brands/${id}/transfer-organization`, { organizationId: to });
    const statuses = (await Promise.all(renames)).map(({ status }) => status);
    expect((await move).status).toBe(200);
    for (const status of statuses) expect([200, 404]).toContain(status);
    const log = await api.test.database.query<{ type: string; organization: string }>(
      `SELECT type, metadata->>'organizationId' AS organization FROM events.event WHERE stream = $1 ORDER BY version`,
      [id],
    );
    const moved = log.findIndex(({ type }) => type === 'BrandTransferred');
    expect(log.slice(moved + 1).map(({ type }) => type)).not.toContain('BrandRenamed');
    expect(log.every(({ organization }) => organization === from)).toBe(true);
  });
});

describe('identity', () => {
  it('503 with Retry-After while it is down, and well again by itself', async () => {
    const call = api.as(api.person().token);
    api.identity.goDown();
    const answer = await call('GET', '/api/brands');
    api.identity.comeBack();
    expect(answer.status).toBe(503);
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await call('GET', '/api/brands')).status).toBe(200);
  });

  it('does not take an API key here', async () => {
    const key = api.identity.apiKey({ organization: { id: randomUUID() } });
    expect((await api.withKey(key)('GET', '/api/brands')).status).toBe(401);
    expect((await api.withKey(key)('GET', '/api/posts')).status).toBe(401);
  });
});
