import { Logger } from '@nestjs/common';
import { Leases } from '#libs/due-work';
import { Metrics } from '#libs/http';
import { Catalog } from '../../src/platform/gateway/ai/models/catalog/catalog.js';
import type { CatalogEntry } from '../../src/platform/gateway/ai/models/sources/catalog-entry.js';
import type {
  CatalogSource,
  SourceOutcome,
} from '../../src/platform/gateway/ai/models/sync/catalog-sources.js';
import {
  MAX_MODELS,
  ModelSync,
  ModelSyncIsRunning,
} from '../../src/platform/gateway/ai/models/sync/model-sync.js';
import { ModelSyncSweep } from '../../src/platform/gateway/ai/models/sync/model-sync.sweep.js';
import { RetirementAlarms } from '../../src/platform/gateway/ai/models/sync/retirement-alarms.js';
import { createTestDatabase, type TestDatabase } from '../support/test-database.js';

const entry = (id: string, retiresAt: string | null = null): CatalogEntry => ({
  provider: 'openai',
  id,
  name: null,
  capabilities: ['images'],
  contextWindow: null,
  accepts: {},
  maxOutputTokens: null,
  stage: 'active',
  retiresAt,
  prices: [],
});
const has = (...entries: CatalogEntry[]): SourceOutcome => ({
  kind: 'read',
  providers: ['openai'],
  reading: { entries, rejected: 0, reasons: [] },
});
const source = (name: string, read: () => SourceOutcome | Promise<SourceOutcome>): CatalogSource => ({
  name,
  read: () => Promise.resolve().then(read),
});

describe('synchronization of the model catalog', () => {
  let test: TestDatabase;
  const catalog = new Catalog();

  beforeAll(() => Logger.overrideLogger(false));
  beforeEach(async () => {
    test = await createTestDatabase();
  });
  afterEach(() => test.drop());

  const syncOf = (...all: CatalogSource[]) =>
    new ModelSync(test.database, new Leases(), catalog, { all } as never);
  const alarms = () => new RetirementAlarms(test.database, new Metrics());
  const sweepOf = (...all: CatalogSource[]) =>
    new ModelSyncSweep(test.database, syncOf(...all), alarms(), { everyMinutes: 60 });
  const models = () => test.database.query<{ id: string }>('SELECT id FROM gateway.model ORDER BY id');
  const health = () =>
    test.database.query(
      'SELECT name, outcome, models, failures, succeeded_at IS NOT NULL AS succeeded FROM gateway.catalog_source ORDER BY name',
    );

  it('GW-20: a failing source is reported, whatever its failure, and the rest are stored', async () => {
    const results = await syncOf(
      source('openai', () => has(entry('a'))),
      source('anthropic', () => ({ kind: 'failed', detail: 'The response has status 503.' })),
      source('google', () => {
        throw new Error('defect');
      }),
      source('openrouter', () => has({ ...entry('b'), provider: 'NOT A PROVIDER' })),
      source('catalog', () => ({ kind: 'skipped', detail: 'No address.' })),
    ).run();
    expect(results.map(({ source: name, outcome }) => [name, outcome])).toEqual([
      ['openai', 'done'],
      ['anthropic', 'failed'],
      ['google', 'failed'],
      ['openrouter', 'failed'],
      ['catalog', 'skipped'],
    ]);
    expect(await models()).toEqual([{ id: 'a' }]);
    expect(await health()).toContainEqual({
      name: 'anthropic',
      outcome: 'failed',
      models: 0,
      failures: 1,
      succeeded: false,
    });
  });

  it('keeps what a source had while it fails, and counts the failures in a row', async () => {
    let outcome: SourceOutcome = has(entry('a'));
    const sync = syncOf(source('openai', () => outcome));
    await sync.run();
    outcome = { kind: 'failed', detail: 'The list has no readable models.' };
    await sync.run();
    await sync.run();
    const failing = { name: 'openai', outcome: 'failed', models: 1, failures: 2, succeeded: true };
    expect(await health()).toEqual([failing]);
    expect(await models()).toEqual([{ id: 'a' }]);
    expect(
      await test.database.query('SELECT FROM gateway.model_observation WHERE missing_since IS NOT NULL'),
    ).toEqual([]);
    outcome = has(entry('a'));
    await sync.run();
    expect(await health()).toEqual([{ ...failing, outcome: 'done', failures: 0 }]);
  });

  it('stores nothing of a source with more models than any provider offers', async () => {
    const entries = Array.from({ length: MAX_MODELS + 1 }, (_, index) => entry(`m${index}`));
    const [result] = await syncOf(source('catalog', () => has(...entries))).run();
    expect(result).toMatchObject({ outcome: 'failed', detail: `It has more than ${MAX_MODELS} models.` });
    expect(await models()).toEqual([]);
  });

  it('runs once at a time over all replicas', async () => {
    let release = (): void => undefined;
    const waiting = new Promise<void>((resolve) => (release = resolve));
    let reads = 0;
    const slow = source('openai', async () => {
      reads += 1;
      await waiting;
      return has(entry('a'));
    });
    const [one, other] = [syncOf(slow), syncOf(slow)];
    const running = one.run();
    while (reads === 0) await new Promise((resolve) => setImmediate(resolve));
    await expect(other.run()).rejects.toThrow(ModelSyncIsRunning);
    await expect(one.run()).rejects.toThrow(ModelSyncIsRunning);
    release();
    await running;
    await other.run();
    expect(reads).toBe(2);
  });

  it('runs by itself when the last one is too long ago', async () => {
    let reads = 0;
    const sweep = sweepOf(
      source('openai', () => {
        reads += 1;
        return has(entry('a'));
      }),
    );
    await sweep.sweep();
    await sweep.sweep();
    expect(reads).toBe(1);
    await test.database.query(
      `UPDATE gateway.catalog_source SET attempted_at = now() - interval '61 minutes'`,
    );
    await sweep.sweep();
    expect(reads).toBe(2);
  });

  describe('GW-08: alarms of retirements', () => {
    const prefer = (
      organizationId: string | null,
      defaultModel: string | null,
      chain: string[] | null = null,
    ) =>
      test.database.query(
        `INSERT INTO gateway.model_preference (organization_id, capability, default_model, fallback_chain)
         VALUES ($1, 'images', $2, $3)`,
        [organizationId, defaultModel, chain],
      );
    const retire = (id: string, days: number) =>
      test.database.query(
        `INSERT INTO gateway.model (provider, id, name, retires_at)
         VALUES ('openai', $1, $1, (now() AT TIME ZONE 'UTC')::date + $2::int)
         ON CONFLICT (provider, id) DO UPDATE SET retires_at = excluded.retires_at`,
        [id, days],
      );
    const raised = async () =>
      (await alarms().raise()).map(({ model, preferences }) => `${model} ${preferences}`);
    const ORGANIZATION = '0197a1f0-3c6e-7000-8000-000000000001';

    it('are raised 30 days ahead for models that preferences name, over all replicas once', async () => {
      await retire('default', 30);
      await retire('fallback', 1);
      await retire('later', 31);
      await retire('unnamed', 1);
      await prefer(null, 'openai/default', ['openai/fallback', 'openai/later']);
      await prefer(ORGANIZATION, 'openai/default');
      const all = await Promise.all([raised(), raised(), raised()]);
      expect(all.flat().sort()).toEqual(['openai/default 2', 'openai/fallback 1']);
      expect(await raised()).toEqual([]);
    });

    it('are raised again when the date changes, and for a model that is chosen late', async () => {
      await retire('a', 20);
      await prefer(null, 'openai/a');
      expect(await raised()).toEqual(['openai/a 1']);
      await retire('a', 10);
      expect(await raised()).toEqual(['openai/a 1']);
      await retire('b', 5);
      expect(await raised()).toEqual([]);
      await prefer(ORGANIZATION, null, ['openai/b']);
      expect(await raised()).toEqual(['openai/b 1']);
    });
  });
});
