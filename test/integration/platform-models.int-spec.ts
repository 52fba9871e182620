import { SANDBOX_MODELS } from '../../local/providers.js';
import { Catalog } from '../../src/platform/gateway/ai/models/catalog/catalog.js';
import { CatalogSeed } from '../../src/platform/gateway/ai/models/catalog/catalog-seed.js';
import { ModelsStore } from '../../src/platform/gateway/ai/models/catalog/models.store.js';
import { ensureModels } from '../../src/platform/gateway/ai/models/preferences/platform-defaults.js';
import { warningsOf } from '../../src/platform/gateway/ai/models/preferences/preference.js';
import { createTestDatabase, type TestDatabase } from '../support/test-database.js';

describe('the models of a platform in the sandbox', () => {
  let test: TestDatabase;

  beforeEach(async () => {
    test = await createTestDatabase();
  });
  afterEach(() => test.drop());

  it('are active and priced in the seed, so that calls work before a source is read', async () => {
    await new CatalogSeed(test.database, new Catalog()).onApplicationBootstrap();
    const models = new ModelsStore(test.database);
    for (const { capability, ...preference } of SANDBOX_MODELS) {
      const stored = { ...preference, allowedModels: null, fallbackOnPolicy: false };
      const named = await models.named([preference.defaultModel, ...preference.fallbackChain]);
      expect(warningsOf(stored, capability, named)).toEqual([]);
    }
  });

  it('are added once, and never replace what is stored', async () => {
    await test.database.query(
      `INSERT INTO gateway.model_preference (capability, default_model) VALUES ('images', 'openai/gpt-image-1')`,
    );
    await ensureModels(test.database, SANDBOX_MODELS);
    await ensureModels(test.database, SANDBOX_MODELS);
    expect(
      await test.database.query(
        `SELECT capability, default_model, version FROM gateway.model_preference ORDER BY capability`,
      ),
    ).toEqual([
      { capability: 'completions', default_model: 'openai/gpt-5.4-mini', version: 1 },
      { capability: 'images', default_model: 'openai/gpt-image-1', version: 1 },
      { capability: 'transcriptions', default_model: 'openai/gpt-transcribe', version: 1 },
    ]);
    expect(await test.database.query(`SELECT target_id FROM gateway.audit ORDER BY target_id`)).toEqual([
      { target_id: 'completions' },
      { target_id: 'transcriptions' },
    ]);
  });
});
