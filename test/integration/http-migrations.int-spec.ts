import { DataSource } from 'typeorm';
import { dataSourceOptions } from '#libs/database';
import { httpMigrations } from '#libs/http';
import type { TestDatabase } from '../support/test-database.js';
import { createTestDatabase } from '../support/test-database.js';

describe('the tables of requests', () => {
  let test: TestDatabase;
  beforeAll(async () => (test = await createTestDatabase()));
  afterAll(() => test.drop());

  it('go and come back', async () => {
    const source = await new DataSource(
      dataSourceOptions({ ...test.settings, poolSize: 2 }, []),
    ).initialize();
    const tables = () =>
      source.query<{ name: string }[]>(
        `SELECT table_name AS name FROM information_schema.tables WHERE table_schema = 'http' ORDER BY 1`,
      );
    const runner = source.createQueryRunner();
    const before = await tables();
    for (const Migration of httpMigrations.toReversed()) await new Migration().down(runner);
    expect(await tables()).toEqual([]);
    for (const Migration of httpMigrations) await new Migration().up(runner);
    expect(await tables()).toEqual(before);
    expect(before.map(({ name }) => name)).toEqual(['idempotent_request', 'rate_limit']);
    await runner.release();
    await source.destroy();
  });
});
