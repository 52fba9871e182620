import { Catalog } from '../../src/platform/gateway/ai/models/catalog/catalog.js';
import { CatalogSeed } from '../../src/platform/gateway/ai/models/catalog/catalog-seed.js';
import { lifecycleNow } from '../../src/platform/gateway/ai/plan-sql/lifecycle.sql.js';
import type { CatalogEntry } from '../../src/platform/gateway/ai/models/sources/catalog-entry.js';
import { SEED_VERSION } from '../../src/platform/gateway/ai/models/sources/genai-prices.js';
import { createTestDatabase, type TestDatabase } from '../support/test-database.js';

const entry = (id: string, changes: Partial<CatalogEntry> = {}): CatalogEntry => ({
  provider: 'openai',
  id,
  name: null,
  capabilities: ['completions'],
  contextWindow: null,
  accepts: {},
  maxOutputTokens: null,
  stage: 'active',
  retiresAt: null,
  prices: [],
  ...changes,
});

describe('the catalog of models', () => {
  let test: TestDatabase;
  const catalog = new Catalog();

  beforeEach(async () => {
    test = await createTestDatabase();
  });
  afterEach(() => test.drop());

  const seeded = () => new CatalogSeed(test.database, catalog).onApplicationBootstrap();
  const read = (source: string, ...entries: CatalogEntry[]) =>
    test.database.transaction((transaction) => catalog.record(transaction, source, ['openai'], entries));
  const model = async (id: string) =>
    (
      await test.database.query<Record<string, unknown>>(
        `SELECT name, capabilities, context_window, lifecycle, retires_at::text, deprecated_at = current_date AS deprecated_today
           FROM gateway.model WHERE provider = 'openai' AND id = $1`,
        [id],
      )
    )[0];
  const price = async (id: string) =>
    (
      await test.database.query<{ prices: object; source: string }>(
        `SELECT prices, source FROM gateway.current_model_price WHERE provider = 'openai' AND model = $1`,
        [id],
      )
    )[0];
  const rows = async (table: string): Promise<number> =>
    (await test.database.query<{ count: number }>(`SELECT count(*)::int FROM gateway.${table}`))[0]?.count ??
    0;

  it('keeps what sources say that requests may hold', async () => {
    await read('catalog', entry('m', { accepts: { temperature: false, tools: true } }));
    await read('openai', entry('m', { accepts: { tools: false } }));
    await read('genai-prices', entry('m'));
    const [row] = await test.database.query(`SELECT accepts FROM gateway.model WHERE id = 'm'`);
    expect(row).toEqual({ accepts: { temperature: false, tools: false } });
  });

  it('takes the readings of two processes in turn, whatever the order of their models', async () => {
    const entries = Array.from({ length: 1_000 }, (_, index) => entry(`gpt-${index}`));
    await read('catalog', ...entries);
    await Promise.all([read('catalog', ...entries), read('openai', ...entries.toReversed())]);
    expect(await rows('model_observation')).toBe(2_000);
  });

  it('knows the lifecycle of a model today, by its stage and its dates', async () => {
    const rows = await test.database.query<{ name: string; lifecycle: string }>(
      `SELECT name, ${lifecycleNow('m')} AS lifecycle
         FROM (VALUES ('active', 'active', NULL::int, NULL::int), ('will be deprecated', 'active', 1, NULL),
                 ('deprecated since today', 'active', 0, NULL), ('deprecated', 'deprecated', NULL, NULL),
                 ('retires tomorrow', 'active', NULL, 1), ('retired since today', 'active', NULL, 0),
                 ('retired long ago', 'deprecated', -90, -30), ('retired', 'retired', NULL, NULL)) AS v (name, stage, d, r),
              LATERAL (SELECT stage AS lifecycle, (now() AT TIME ZONE 'UTC')::date + d AS deprecated_at,
                              (now() AT TIME ZONE 'UTC')::date + r AS retires_at) AS m`,
    );
    expect(Object.fromEntries(rows.map(({ name, lifecycle }) => [name, lifecycle]))).toEqual({
      active: 'active',
      'will be deprecated': 'active',
      'deprecated since today': 'deprecated',
      deprecated: 'deprecated',
      'retires tomorrow': 'deprecated',
      'retired since today': 'retired',
      'retired long ago': 'retired',
      retired: 'retired',
    });
  });

  describe('after a start', () => {
    it('has the models and prices of the package, without a network', async () => {
      await seeded();
      expect(await model('gpt-5')).toMatchObject({
        capabilities: ['completions'],
        context_window: 400_000,
        lifecycle: 'active',
      });
      expect(await price('gpt-5')).toMatchObject({ source: 'genai-prices', prices: { inputTokens: '1.25' } });
      expect(await model('text-embedding-3-small')).toBeUndefined();
      expect(await rows('model')).toBeGreaterThan(500);
    });

    it('is stored once by replicas that start together', async () => {
      await Promise.all([1, 2, 3, 4].map(seeded));
      const [models, prices] = [await rows('model'), await rows('model_price')];
      await seeded();
      expect([await rows('model'), await rows('model_price')]).toEqual([models, prices]);
    });

    it('is not replaced by that of an older replica', async () => {
      await seeded();
      await test.database.query(`UPDATE gateway.catalog_source SET version = '99.0'`);
      await test.database.query(`DELETE FROM gateway.model`);
      await seeded();
      expect(await rows('model')).toBe(0);
    });

    it('follows a newer version: prices from now on, earlier ones kept', async () => {
      await seeded();
      await test.database.query(
        `UPDATE gateway.model_price SET prices = '{"inputTokens": "9"}' WHERE model = 'gpt-5'`,
      );
      await test.database.query(`UPDATE gateway.catalog_source SET version = '0.0.1'`);
      await seeded();
      expect(await price('gpt-5')).toMatchObject({ prices: { inputTokens: '1.25' } });
      const before = await test.database.query(
        `SELECT prices FROM gateway.model_price WHERE model = 'gpt-5' ORDER BY starts_at`,
      );
      expect(before[0]).toEqual({ prices: { inputTokens: '9' } });
      expect(await test.database.query('SELECT version FROM gateway.catalog_source')).toEqual([
        { version: SEED_VERSION },
      ]);
    });
  });

  describe('with a list of a provider', () => {
    it('gives a dated name of a model the price of the model', async () => {
      await seeded();
      await read('openai', entry('gpt-5-2025-08-07'), entry('tomorrows-model', { capabilities: [] }));
      expect(await price('gpt-5-2025-08-07')).toEqual(await price('gpt-5'));
      expect(await price('tomorrows-model')).toBeUndefined();
    });

    it('keeps what other sources know, and adds what the provider says', async () => {
      await seeded();
      await read('openai', entry('gpt-5', { maxOutputTokens: 128_000, retiresAt: '2030-01-31' }));
      expect(await model('gpt-5')).toMatchObject({
        name: 'GPT-5',
        context_window: 400_000,
        retires_at: '2030-01-31',
        deprecated_today: true,
      });
      await read('openai', entry('gpt-5'));
      expect(await model('gpt-5')).toMatchObject({ retires_at: null, deprecated_today: null });
    });

    it('keeps models that the provider no longer lists, as missing since then', async () => {
      const missing = () =>
        test.database.query(
          `SELECT model FROM gateway.model_observation WHERE missing_since IS NOT NULL ORDER BY model`,
        );
      await read('openai', entry('a'), entry('b'));
      await read('openai', entry('b'));
      expect(await missing()).toEqual([{ model: 'a' }]);
      expect(await model('a')).toMatchObject({ lifecycle: 'active' });
      await read('openai', entry('a'), entry('b'));
      expect(await missing()).toEqual([]);
    });
  });

  describe('with an open catalog', () => {
    const at = (inputTokens: string) => [{ startsAt: new Date(0), prices: { inputTokens } }];

    it('uses its prices for models without one in the package, and the operator before both', async () => {
      await seeded();
      await read('catalog', entry('gpt-5', { prices: at('7') }), entry('new', { prices: at('7') }));
      expect(await price('gpt-5')).toMatchObject({ source: 'genai-prices' });
      expect(await price('new')).toMatchObject({ source: 'catalog', prices: { inputTokens: '7' } });
      await test.database.query(
        `INSERT INTO gateway.model_price (provider, model, starts_at, prices, source)
         VALUES ('openai', 'gpt-5', now(), '{"inputTokens": "8"}', 'operator')`,
      );
      expect(await price('gpt-5')).toMatchObject({ source: 'operator', prices: { inputTokens: '8' } });
    });

    it('ends a deprecation when no source says so any more', async () => {
      await read('catalog', entry('a', { stage: 'deprecated' }));
      expect(await model('a')).toMatchObject({ lifecycle: 'deprecated' });
      await read('openai', entry('a'));
      expect(await model('a')).toMatchObject({ lifecycle: 'deprecated', deprecated_today: true });
      await read('catalog', entry('a'));
      expect(await model('a')).toMatchObject({ lifecycle: 'active', deprecated_today: null });
    });
  });
});
