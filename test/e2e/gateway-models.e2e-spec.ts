import { randomUUID } from 'node:crypto';
import { type BootedGateway, bootGateway, GATEWAY_TOKEN } from '../support/boot-gateway.js';
import { Documented } from '../support/documented.js';

type Json = Record<string, unknown>;
interface Called {
  readonly status: number;
  readonly body: Json;
  readonly etag: string | null;
}

const operationOf = (method: string, path: string): string =>
  `${method.toLowerCase()} /api${path.replace(/\?.*/, '').replace(/preferences\/\w+/, 'preferences/{capability}')}`;

describe('models at the gateway', () => {
  let gateway: BootedGateway;
  let documented: Documented;
  const organizationId = randomUUID();
  const administrative = randomUUID();

  beforeAll(async () => {
    gateway = await bootGateway('http://127.0.0.1:9');
    documented = await Documented.by(gateway.service.url);
  });
  afterAll(() => gateway.close());
  beforeEach(() => gateway.test.database.query('DELETE FROM gateway.model_preference'));

  const person = (scopes: string[], grant: { id?: string } = {}) =>
    gateway.identity.user({ organizations: [{ id: organizationId, scopes, ...grant }] });
  const admin = () => person(['ai.invoke', 'org.admin', 'usage.read']);
  const platformAdmin = (principalType: 'platform_admin' | 'platform_super_admin' = 'platform_admin') =>
    gateway.identity.user({
      principalType,
      organizations: [{ id: administrative, isAdministrative: true, scopes: ['ai.invoke'] }],
    });
  async function call(
    method: string,
    path: string,
    token: string,
    body?: object,
    headers = {},
  ): Promise<Called> {
    const response = await fetch(`${gateway.service.url}/api${path}`, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        ...(body && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    const json = (text === '' ? {} : JSON.parse(text)) as Json;
    const { status, headers: received } = response;
    documented.check(operationOf(method, path), { status, text, body: json, headers: received });
    return {
      status,
      body: json,
      etag: response.headers.get('etag'),
    };
  }
  const names = ({ body }: Called): unknown[] => (body.data as Json[]).map(({ model }) => model);
  const codes = ({ body }: Called): unknown[] =>
    (body.errors as Json[]).map(({ pointer, code }) => `${String(pointer)} ${String(code)}`);
  const images = { defaultModel: 'openai/gpt-image-2', fallbackChain: ['openai/gpt-image-1'] };

  describe('GET /api/models', () => {
    it('lists the catalog by capability, provider and lifecycle, page by page', async () => {
      const token = person(['ai.invoke']);
      const path = '/models?capability=images&provider=openai,google&lifecycle=active&limit=3';
      const first = await call('GET', path, token);
      const { nextCursor, total } = first.body.pagination as { nextCursor: string; total: number };
      const second = await call('GET', `${path}&cursor=${nextCursor}`, token);
      expect(first.status).toBe(200);
      const all = [...names(first), ...names(second)];
      expect(all).toHaveLength(6);
      expect([...all].sort()).toEqual(all);
      expect(total).toBeGreaterThan(6);
      expect(first.body.data).toContainEqual(
        expect.objectContaining({
          provider: 'google',
          capabilities: ['images'],
          lifecycle: 'active',
          priced: true,
        }),
      );
    });

    it('shows prices in dollars, and models without one as unpriced', async () => {
      await gateway.test.database.query(
        `INSERT INTO gateway.model (provider, id, name, capabilities) VALUES ('openai', 'free', 'Free', '{images}')`,
      );
      const found = await call(
        'GET',
        '/models?capability=images&provider=openai&limit=100',
        person(['ai.invoke']),
      );
      expect(found.body.data).toContainEqual(
        expect.objectContaining({ model: 'openai/free', priced: false, prices: null }),
      );
      expect(found.body.data).toContainEqual(
        expect.objectContaining({
          model: 'openai/gpt-image-2',
          prices: expect.objectContaining({ outputImageTokens: '30' }) as unknown,
        }),
      );
    });

    it('requires the scope', async () => {
      expect((await call('GET', '/models', person(['usage.read']))).status).toBe(403);
    });
  });

  describe('prices that platform administrators set', () => {
    const prices = { inputTokens: '2', outputTokens: '8' };
    const add = (id: string) =>
      gateway.test.database.query(
        `INSERT INTO gateway.model (provider, id, name, capabilities) VALUES ('openai', $1, $1, '{completions}')`,
        [id],
      );
    const set = (body: object, token = platformAdmin()) =>
      call('POST', '/platform/model-prices', token, body);
    const listed = async (id: string) =>
      (await call('GET', `/platform/model-prices?model=openai/${id}`, platformAdmin()))
        .body as unknown as Json[];
    const shown = async (id: string) => {
      const all = await call(
        'GET',
        '/models?capability=completions&provider=openai&limit=100',
        person(['ai.invoke']),
      );
      return (all.body.data as Json[]).find(({ model }) => model === `openai/${id}`);
    };

    it('price a model that no source has a price of, and the audit has who', async () => {
      await add('new-1');
      expect(await shown('new-1')).toMatchObject({ priced: false });
      const answer = await set({ model: 'openai/new-1', prices });
      expect(answer).toMatchObject({ status: 201, body: { source: 'operator', applies: true, prices } });
      expect(await shown('new-1')).toMatchObject({ priced: true, prices, priceSource: 'operator' });
      const audit = await call('GET', '/audit/platform', platformAdmin());
      expect((audit.body.data as Json[])[0]).toMatchObject({
        action: 'model_price_set',
        target: { type: 'model', id: 'openai/new-1' },
        details: { prices },
      });
    });

    it('count before those of the package, and stay when a later one is set', async () => {
      const { body } = await set({
        model: 'openai/gpt-5.4-mini',
        prices: { inputTokens: '9', outputTokens: '9' },
      });
      expect(body).toMatchObject({ applies: true });
      await set({ model: 'openai/gpt-5.4-mini', prices });
      const stored = await listed('gpt-5.4-mini');
      expect(stored.slice(0, 3)).toMatchObject([
        { source: 'operator', prices, applies: true },
        { source: 'operator', prices: { inputTokens: '9' }, applies: false },
        { source: 'genai-prices', applies: false },
      ]);
    });

    it('are refused for unknown models, and when they are no prices', async () => {
      expect(await set({ model: 'openai/nothing', prices })).toMatchObject({
        status: 422,
        body: { code: 'model_not_found' },
      });
      const wrong = { model: 'openai', prices: { inputTokens: 1 } };
      const refused = await set(wrong);
      expect(refused.status).toBe(400);
      expect((refused.body.errors as Json[]).map(({ pointer }) => pointer)).toEqual(
        expect.arrayContaining(['#/model', '#/prices']),
      );
    });

    it('are for platform administrators', async () => {
      const body = { model: 'openai/gpt-5.4-mini', prices };
      expect((await set(body, admin())).status).toBe(403);
      expect((await call('GET', '/platform/model-prices?model=openai/x', admin())).status).toBe(403);
    });
  });

  it('does not offer a model that is retired: neither in the list nor for preferences', async () => {
    await gateway.test.database.query(
      `INSERT INTO gateway.model (provider, id, name, capabilities, retires_at)
       VALUES ('openai', 'life-gone', 'Gone', '{completions}', '2026-01-01'),
              ('openai', 'life-near', 'Near', '{completions}', '2099-12-01')`,
    );
    const listed = async (id: string, filter = '') => {
      const path = `/models?capability=completions&provider=openai&limit=100${filter}`;
      const { body } = await call('GET', path, person(['ai.invoke']));
      return (body.data as Json[]).find(({ model }) => model === `openai/${id}`);
    };
    expect(await listed('life-gone')).toBeUndefined();
    expect(await listed('life-gone', '&lifecycle=retired')).toMatchObject({ retiresAt: '2026-01-01' });
    expect(await listed('life-near')).toMatchObject({ lifecycle: 'deprecated', retiresAt: '2099-12-01' });
    const refused = await call('PUT', '/preferences/completions', admin(), {
      defaultModel: 'openai/life-gone',
    });
    expect(refused.body.errors).toMatchObject([
      { pointer: '#/defaultModel', code: 'model_retired', detail: 'must not be retired' },
    ]);
  });

  describe('GW-07: preferences of an organization', () => {
    it('are empty at first, and then as stored', async () => {
      const empty = await call('GET', '/preferences/images', admin());
      expect(empty.body).toMatchObject({ version: 0, defaultModel: null, fallbackChain: null, warnings: [] });
      const put = await call('PUT', '/preferences/images', admin(), images, { 'if-match': empty.etag ?? '' });
      expect(put).toMatchObject({
        status: 200,
        body: { ...images, allowedModels: null, version: 1, organizationId, capability: 'images' },
      });
      const read = await call('GET', '/preferences/images', person(['ai.invoke']));
      expect(read.body).toEqual(put.body);
      expect((await call('GET', '/preferences/completions', admin())).body).toMatchObject({ version: 0 });
    });

    it('continue after a refusal by a content policy as the owner of the chain says', async () => {
      await call('PUT', '/platform/preferences/images', platformAdmin(), {
        ...images,
        fallbackOnPolicy: true,
      });
      const applying = async (own: object) =>
        (await call('PUT', '/preferences/images', admin(), own)).body.effective;
      expect(await applying({ defaultModel: 'openai/gpt-image-1' })).toMatchObject({
        fallbackOnPolicy: true,
      });
      expect(await applying({ fallbackChain: [] })).toMatchObject({ fallbackOnPolicy: false });
    });

    it('replace those of the platform, which bound what is allowed', async () => {
      const allowedModels = ['openai/gpt-image-2', 'openai/gpt-image-1', 'google/gemini-2.5-flash-image'];
      const platform = { defaultModel: 'google/gemini-2.5-flash-image', allowedModels, fallbackChain: [] };
      await call('PUT', '/platform/preferences/images', platformAdmin(), platform);
      expect((await call('GET', '/preferences/images', admin())).body).toMatchObject({
        version: 0,
        effective: { defaultModel: 'google/gemini-2.5-flash-image', allowedModels, fallbackChain: [] },
      });
      const own = { allowedModels: ['openai/gpt-image-2'], fallbackChain: null };
      expect((await call('PUT', '/preferences/images', admin(), own)).body).toMatchObject({
        effective: { defaultModel: 'google/gemini-2.5-flash-image', allowedModels: ['openai/gpt-image-2'] },
        warnings: [{ model: 'google/gemini-2.5-flash-image', use: 'default', code: 'not_allowed' }],
      });
      const beyond = await call('PUT', '/preferences/images', admin(), {
        defaultModel: 'openai/gpt-image-1.5',
      });
      expect(beyond.status).toBe(400);
      expect(codes(beyond)).toEqual(['#/defaultModel model_not_allowed']);
    });

    it('are refused whole when a model is wrong', async () => {
      await gateway.test.database.query(
        `INSERT INTO gateway.model (provider, id, name, capabilities, retires_at)
         VALUES ('openai', 'gone', 'Gone', '{images}', current_date) ON CONFLICT DO NOTHING`,
      );
      const wrong = {
        defaultModel: 'openai/gpt-image-2',
        fallbackChain: [
          'openai/gpt-image-2',
          'openai/no-such',
          'openai/gpt-5',
          'openai/gone',
          'openai/gpt-image-1',
        ],
        allowedModels: ['openai/gpt-image-2', 'openai/gpt-image-2'],
      };
      const refused = await call('PUT', '/preferences/images', admin(), wrong);
      expect(refused.status).toBe(400);
      expect(codes(refused)).toEqual([
        '#/fallbackChain/0 duplicate',
        '#/fallbackChain/1 model_not_found',
        '#/fallbackChain/2 other_capability',
        '#/fallbackChain/3 model_retired',
        '#/fallbackChain/4 model_not_allowed',
        '#/allowedModels/1 duplicate',
      ]);
      expect((await call('GET', '/preferences/images', admin())).body).toMatchObject({ version: 0 });
    });

    it.each([
      ['a chain of 11', { fallbackChain: Array.from({ length: 11 }, (_, i) => `openai/m${i}`) }],
      ['names without a provider', { defaultModel: 'gpt-image-2' }],
      ['a number', { defaultModel: 7 }],
      ['unknown fields', { default: 'openai/gpt-image-2' }],
    ])('refuse %s', async (_, body) => {
      expect((await call('PUT', '/preferences/images', admin(), body)).status).toBe(400);
    });

    it('change only from the version that was read', async () => {
      const change = (version: string) =>
        call('PUT', '/preferences/images', admin(), images, { 'if-match': version });
      expect((await change('"v1"')).status).toBe(412);
      const [one, other] = await Promise.all([change('"v0"'), change('"v0"')]);
      expect([one.status, other.status].sort()).toEqual([200, 412]);
      expect((await change('"v0"')).status).toBe(412);
      expect((await change('"v1"')).status).toBe(200);
    });

    it('are audited, with the old and the new one', async () => {
      await call('PUT', '/preferences/images', admin(), images);
      await call('PUT', '/preferences/images', admin(), {});
      const { body } = await call('GET', '/audit?limit=1', admin());
      expect(body.data).toEqual([
        expect.objectContaining({
          action: 'model_preference_changed',
          organizationId,
          target: { type: 'model_preference', id: 'images' },
          details: {
            before: { ...images, allowedModels: null, fallbackOnPolicy: false },
            after: { defaultModel: null, fallbackChain: null, allowedModels: null, fallbackOnPolicy: false },
          },
        }),
      ]);
    });

    it('warn of models that are about to be retired or have no price', async () => {
      await gateway.test.database.query(
        `INSERT INTO gateway.model (provider, id, name, capabilities, retires_at)
         VALUES ('openai', 'old', 'Old', '{images}', '2099-01-01'),
                ('openai', 'unpriced', 'Unpriced', '{images}', NULL)`,
      );
      const body = { defaultModel: 'openai/old', fallbackChain: ['openai/unpriced', 'openai/gpt-image-2'] };
      expect((await call('PUT', '/preferences/images', admin(), body)).body.warnings).toEqual([
        expect.objectContaining({
          model: 'openai/old',
          code: 'deprecated',
          retiresAt: '2099-01-01',
        }),
        expect.objectContaining({ model: 'openai/unpriced', use: 'fallback', code: 'unpriced' }),
      ]);
    });

    it('have a new ETag when those of the platform change', async () => {
      const before = await call('GET', '/preferences/images', admin());
      await call('PUT', '/platform/preferences/images', platformAdmin(), images);
      const after = await call('GET', '/preferences/images', admin(), undefined, {
        'if-none-match': before.etag ?? '',
      });
      expect(after.status).toBe(200);
      expect(after.etag).not.toBe(before.etag);
    });

    it('are 400 for a capability that does not exist, also for services', async () => {
      const headers = await gateway.headers({ organizationId });
      for (const sent of [headers, { authorization: `Bearer ${admin()}` }]) {
        const response = await fetch(`${gateway.service.url}/api/preferences/video`, { headers: sent });
        const { code } = (await response.json()) as { code: string };
        expect([response.status, code]).toEqual([400, 'capability_unknown']);
      }
    });

    it.each<[string, () => string, string, number]>([
      ['a member', () => person(['ai.invoke']), '/preferences/images', 403],
      [
        'an admin of another organization',
        () => person(['org.admin'], { id: randomUUID() }),
        '/platform/preferences/images',
        403,
      ],
      ['an admin of an organization', admin, '/platform/preferences/images', 403],
      ['an admin', admin, '/preferences/video', 400],
    ])('are not changed by %s at %s', async (_, token, path, status) => {
      gateway.identity.organization(organizationId);
      expect((await call('PUT', path, token(), images)).status).toBe(status);
    });

    it('are read by services for the organization that they call for, within their capabilities', async () => {
      await call('PUT', '/preferences/images', admin(), {
        ...images,
        allowedModels: ['openai/gpt-image-2', 'openai/gpt-image-1'],
      });
      const read = async (path: string) => {
        const headers = await gateway.headers({ organizationId, token: GATEWAY_TOKEN });
        const response = await fetch(`${gateway.service.url}/api${path}`, { headers });
        return { status: response.status, body: (await response.json()) as Json };
      };
      expect(await read('/preferences/images')).toMatchObject({ status: 200, body: { effective: images } });
      const { body } = await read('/preferences/images/models');
      expect((body.data as Json[]).map(({ model }) => model)).toEqual([
        'openai/gpt-image-1',
        'openai/gpt-image-2',
      ]);
    });
  });
});
