import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { allMigrations } from '../../src/operator/apply-migrations.js';
import { createTestDatabase, type TestDatabase } from '../support/test-database.js';

describe('the migrations', () => {
  let test: TestDatabase;
  beforeAll(async () => (test = await createTestDatabase({ isDirect: true })));
  afterAll(() => test.drop());

  const catalogue = async () => {
    const args = ['scripts/schema-catalogue.mjs', test.url];
    const { stdout } = await promisify(execFile)(process.execPath, args, { maxBuffer: 1e8 });
    return stdout.trim().split('\n');
  };

  it('leave nothing but extensions when they are reverted, and create the same schema again', async () => {
    const created = await catalogue();
    const runner = test.database.dataSource.createQueryRunner();
    for (const Migration of allMigrations.toReversed()) await new Migration().down(runner);
    const left = (await catalogue()).filter(
      (object) => !/^extension |^schema public|schema_migration/.test(object),
    );
    expect(left).toEqual([]);
    for (const Migration of allMigrations) await new Migration().up(runner);
    await runner.release();
    expect(await catalogue()).toEqual(created);
  });
});
