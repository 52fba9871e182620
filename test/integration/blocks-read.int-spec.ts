import { DataSource } from 'typeorm';
import { Database, dataSourceOptions, statement } from '#libs/database';
import { BlocksRead, blocksOf, explainStatements } from '../../bench/support/blocks-read.js';
import { createTestDatabase, type TestDatabase } from '../support/test-database.js';

describe('blocks that statements read', () => {
  let test: TestDatabase;
  let database: Database;
  beforeAll(async () => {
    test = await createTestDatabase();
    await explainStatements(test);
    const options = dataSourceOptions({ ...test.settings, poolSize: 2 }, []);
    database = new Database(await new DataSource(options).initialize());
  });
  afterAll(async () => {
    await database.dataSource.destroy();
    await test.drop();
  });

  it('are counted for each statement of a service, named ones and those of a transaction too', async () => {
    await test.database.query('CREATE TABLE numbers AS SELECT n FROM generate_series(1, 10000) AS n');
    const blocks = new BlocksRead(database);
    const named = statement('sum_of_numbers', 'SELECT sum(n) FROM numbers WHERE n > $1');
    const statements = await blocks.during(() =>
      database.transaction(async (transaction) => {
        await transaction.query(named, [5]);
        await transaction.query('SELECT count(*) FROM numbers');
      }),
    );
    expect(statements.map(({ text }) => text)).toEqual([named.text, 'SELECT count(*) FROM numbers']);
    const [{ pages } = { pages: 0 }] = await test.database.query<{ pages: number }>(
      `SELECT pg_relation_size('numbers') / current_setting('block_size')::int AS pages`,
    );
    expect(blocksOf(statements)).toBe(2 * Number(pages));
    expect(await blocks.of(() => database.query(named, [5]))).toBe(Number(pages));
  });
});
