import { randomUUID } from 'node:crypto';
import { type BootedGateway, bootGateway } from '../support/boot-gateway.js';
import { Documented } from '../support/documented.js';

type Json = Record<string, unknown>;

/** What the tests see of a section. */
interface View extends Json {
  readonly overrides: { preferences: Json[]; preferencesTotal: number; prices: Json[] };
  readonly recentUsage: { models: Json[] };
  readonly lifecycle: Json[];
  readonly unpricedConfiguredModels: Json[];
  readonly upstreamCandidateModels: { models: Json[]; total: number };
  readonly catalogSources: Json[];
}

const OLD = 'openai/old';
const UNPRICED = 'openai/unpriced';

describe('GET /api/models/governance', () => {
  let gateway: BootedGateway;
  let documented: Documented;
  const [one, other, administrative] = [randomUUID(), randomUUID(), randomUUID()];
  const query = (sql: string, values: unknown[] = []) => gateway.test.database.query(sql, values);

  beforeAll(async () => {
    gateway = await bootGateway('http://127.0.0.1:9');
    documented = await Documented.by(gateway.service.url);
    await query(
      `INSERT INTO gateway.model (provider, id, name, capabilities, retires_at)
       VALUES ('openai', 'old', 'Old', '{images}', '2099-12-01'),
              ('openai', 'unpriced', 'Unpriced', '{images}', NULL),
              ('openai', 'new', 'New', '{images}', NULL),
              ('openai', 'gone', 'Gone', '{images}', NULL)`,
    );
    await query(
      `INSERT INTO gateway.model_observation (provider, model, source, missing_since)
       VALUES ('openai', 'old', 'openai', NULL), ('openai', 'unpriced', 'openai', NULL),
              ('openai', 'new', 'catalog', NULL), ('openai', 'gone', 'openai', now())`,
    );
    await query(
      `INSERT INTO gateway.model_preference (organization_id, capability, default_model, allowed_models, fallback_chain)
       VALUES (NULL, 'images', 'openai/gpt-image-2', NULL, $3),
              ($1, 'images', $4, NULL, NULL), ($2, 'images', 'openai/gone', NULL, NULL)`,
      [one, other, [UNPRICED], OLD],
    );
    await query(
      `INSERT INTO gateway.model_price (provider, model, starts_at, prices, source)
       VALUES ('openai', 'old', '2026-01-01', '{"images": "0.04"}', 'operator')`,
    );
    await used(one, 'gpt-image-2', 300n);
    await used(one, 'gpt-image-1', 500n);
    await used(other, 'gpt-image-2', 700n);
    await query(
      `INSERT INTO gateway.catalog_source (name, attempted_at, outcome, detail, failures)
       VALUES ('catalog', now(), 'failed', 'The response has status 503.', 4)`,
    );
  });
  afterAll(() => gateway.close());

  const used = (organizationId: string, model: string, cost: bigint) =>
    query(
      `INSERT INTO gateway.usage (id, request_id, attempt, organization_id, application_id, application, capability,
         provider, credential_id, model, state, cost, settled_at, settled_transaction)
       VALUES (gen_random_uuid(), gen_random_uuid(), 1, $1, gen_random_uuid(), 'social-publishing', 'images',
         'openai', gen_random_uuid(), $2, 'done', $3, now(), pg_current_xact_id())`,
      [organizationId, model, String(cost)],
    );
  const adminOf = (id: string, scopes = ['org.admin']) =>
    gateway.identity.user({ organizations: [{ id, scopes }] });
  const platformAdmin = () =>
    gateway.identity.user({
      principalType: 'platform_admin',
      organizations: [{ id: administrative, isAdministrative: true, scopes: ['org.admin'] }],
    });
  async function read(token: string, headers: Record<string, string> = {}) {
    const response = await fetch(`${gateway.service.url}/api/models/governance`, {
      headers: { authorization: `Bearer ${token}`, ...headers },
    });
    const { status, headers: received } = response;
    const text = await response.text();
    const view = JSON.parse(text) as View;
    documented.check('get /api/models/governance', { status, text, body: view, headers: received });
    return { status, view };
  }
  const named = (models: Json[]): unknown[] => models.map(({ model }) => model);

  it('GW-19: has the platform defaults, with warnings', async () => {
    const { view } = await read(platformAdmin());
    expect(view.platformDefaults).toEqual([
      expect.objectContaining({
        organizationId: null,
        capability: 'images',
        defaultModel: 'openai/gpt-image-2',
        fallbackChain: [UNPRICED],
        warnings: [expect.objectContaining({ model: UNPRICED, use: 'fallback', code: 'unpriced' })],
      }),
    ]);
  });

  it('GW-19: has the overrides of organizations and of the platform', async () => {
    const { view } = await read(platformAdmin());
    expect(view.overrides.preferences.map(({ organizationId }) => organizationId).sort()).toEqual(
      [one, other].sort(),
    );
    expect(view.overrides.preferencesTotal).toBe(2);
    expect(view.overrides.preferences.find(({ organizationId }) => organizationId === one)?.warnings).toEqual(
      [
        expect.objectContaining({ model: OLD, code: 'deprecated', retiresAt: '2099-12-01' }),
        expect.objectContaining({ model: UNPRICED, code: 'unpriced' }),
      ],
    );
    expect(view.overrides.prices).toEqual([
      { model: OLD, prices: { images: '0.04' }, startsAt: '2026-01-01T00:00:00.000Z' },
    ]);
  });

  it('GW-19: has the recent usage by model, by cost', async () => {
    const { view } = await read(platformAdmin());
    expect(view.recentUsage.models).toEqual([
      { model: 'openai/gpt-image-2', calls: 2, attempts: 2, failed: 0, unpriced: 0, cost: '0.000001' },
      { model: 'openai/gpt-image-1', calls: 1, attempts: 1, failed: 0, unpriced: 0, cost: '0.0000005' },
    ]);
  });

  it('GW-19: has the lifecycle of models that are named or used, the urgent ones first', async () => {
    const { view } = await read(platformAdmin());
    expect(named(view.lifecycle)).toEqual([
      OLD,
      'openai/gone',
      'openai/gpt-image-1',
      'openai/gpt-image-2',
      UNPRICED,
    ]);
    expect(view.lifecycle[0]).toMatchObject({
      lifecycle: 'deprecated',
      retiresAt: '2099-12-01',
      preferences: 1,
      calls: 0,
    });
    expect(view.lifecycle[1]).toMatchObject({
      lifecycle: 'active',
      unlistedSince: expect.any(String) as unknown,
    });
    expect(view.lifecycle[3]).toMatchObject({ preferences: 1, calls: 2 });
  });

  it('GW-19: has the unpriced configured models', async () => {
    const { view } = await read(platformAdmin());
    expect(view.unpricedConfiguredModels).toEqual([
      { model: UNPRICED, capability: 'images', use: 'fallback', organizationId: null },
      { model: 'openai/gone', capability: 'images', use: 'default', organizationId: other },
    ]);
  });

  it('GW-19: has the models of all organizations, however many there are', async () => {
    await query(
      `INSERT INTO gateway.model_preference (organization_id, capability, default_model, allowed_models, fallback_chain)
       SELECT ('ffffffff-0000-4000-8000-' || lpad(n::text, 12, '0'))::uuid, 'images', 'openai/gpt-image-2', NULL,
              CASE n WHEN 700 THEN ARRAY['openai/gone', 'openai/unknown'] END
         FROM generate_series(1, 700) AS n`,
    );
    const { view } = await read(platformAdmin());
    const last = 'ffffffff-0000-4000-8000-000000000700';
    expect(view.overrides.preferencesTotal).toBe(702);
    expect(view.unpricedConfiguredModels).toEqual(
      expect.arrayContaining([
        { model: 'openai/unknown', capability: 'images', use: 'fallback', organizationId: last },
        { model: 'openai/gone', capability: 'images', use: 'fallback', organizationId: last },
        { model: 'openai/gone', capability: 'images', use: 'default', organizationId: other },
        { model: UNPRICED, capability: 'images', use: 'fallback', organizationId: null },
      ]),
    );
    const of = (model: string) => view.lifecycle.find((each) => each.model === model);
    expect(of('openai/unknown')).toMatchObject({ preferences: 1 });
    expect(of('openai/gone')).toMatchObject({ preferences: 2 });
    expect(of('openai/gpt-image-2')).toMatchObject({ preferences: 701 });
    await query(`DELETE FROM gateway.model_preference WHERE organization_id::text LIKE 'ffffffff%'`);
  });

  it('GW-19: has the upstream candidate models: observed, active, neither named nor used', async () => {
    const { view } = await read(platformAdmin());
    expect(named(view.upstreamCandidateModels.models)).toEqual(['openai/new']);
    expect(view.upstreamCandidateModels.total).toBe(1);
    expect(view.upstreamCandidateModels.models[0]).not.toHaveProperty('total');
  });

  it('GW-19: has the health of the catalog sources, also of those that were never read', async () => {
    const { view } = await read(platformAdmin());
    const health = Object.fromEntries(view.catalogSources.map((one_) => [one_.source, one_]));
    expect(health.catalog).toMatchObject({
      outcome: 'failed',
      failures: 4,
      detail: 'The response has status 503.',
      succeededAt: null,
    });
    expect(health['genai-prices']).toMatchObject({ outcome: 'done', version: expect.any(String) as unknown });
    expect(health.openai).toMatchObject({ outcome: 'never', attemptedAt: null });
    expect(Object.keys(health)).toHaveLength(6);
  });

  it('GW-19: shows an organization nothing of others', async () => {
    const { status, view } = await read(adminOf(one));
    expect(status).toBe(200);
    expect(view.organizationId).toBe(one);
    expect(JSON.stringify(view)).not.toContain(other);
    expect(view.overrides).toMatchObject({ preferencesTotal: 1, preferences: [{ organizationId: one }] });
    expect(view.recentUsage.models).toMatchObject([
      { model: 'openai/gpt-image-1', cost: '0.0000005' },
      { model: 'openai/gpt-image-2', calls: 1, cost: '0.0000003' },
    ]);
    expect(named(view.lifecycle)).not.toContain('openai/gone');
    expect(view.catalogSources.find(({ source }) => source === 'catalog')).toMatchObject({
      outcome: 'failed',
      detail: null,
    });
  });

  it.each<[string, () => string, Record<string, string>, number]>([
    ['a member', () => adminOf(one, ['ai.invoke']), {}, 403],
    ['an admin, of another organization', () => adminOf(one), { 'x-organization-id': other }, 404],
    ['a platform admin, of an organization', platformAdmin, { 'x-organization-id': one }, 404],
    ['an invalid token', () => 'copa_invalid', {}, 401],
  ])('is refused to %s', async (_, token, headers, status) => {
    gateway.identity.organization(one);
    gateway.identity.organization(other);
    expect((await read(token(), headers)).status).toBe(status);
  });
});
