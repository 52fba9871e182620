import { to as copyTo } from 'pg-copy-streams';
import { DataSource } from 'typeorm';
import { Database, type DatabaseSettings, dataSourceOptions, longRunning, statement } from '#libs/database';
import { freePort } from '../../local/ports.js';
import { NAMED_STATEMENTS, NO_PGBOUNCER, type PgBouncer, startPgBouncer } from '../support/pgbouncer.js';
import { createTestDatabase, serverUrl, type TestDatabase } from '../support/test-database.js';

const LIMITS = { statementTimeoutMs: 300, longStatementTimeoutMs: 60_000 };
const SLEEP = 'SELECT pg_sleep(30)';
const TOO_LONG = { code: '57014' };
const SHOWN = `SELECT current_setting('statement_timeout') AS limit`;

function limits(start: () => Promise<{ database: Database; test: TestDatabase; close(): Promise<void> }>) {
  let running: Awaited<ReturnType<typeof start>>;
  let database: Database;

  beforeAll(async () => {
    running = await start();
    database = running.database;
  });
  afterAll(() => running.close());

  const shown = async (ask = () => database.query<{ limit: string }>(SHOWN)) => (await ask())[0]?.limit;

  it('end a statement by itself', async () => {
    await expect(database.query(SLEEP)).rejects.toMatchObject(TOO_LONG);
    await expect(database.query('SELECT pg_sleep($1)', [30])).rejects.toMatchObject(TOO_LONG);
    await expect(database.dataSource.query(SLEEP)).rejects.toMatchObject(TOO_LONG);
    expect(await database.query('SELECT 1 AS one')).toEqual([{ one: 1 }]);
  });

  it('end a statement of a transaction, and a COPY', async () => {
    const sleeping = database.transaction((transaction) => transaction.query(SLEEP));
    await expect(sleeping).rejects.toMatchObject(TOO_LONG);
    const sleepingToo = database.dataSource.transaction((manager) => manager.query(SLEEP));
    await expect(sleepingToo).rejects.toMatchObject(TOO_LONG);
    const copying = database.transaction(async ({ client }) => {
      for await (const _chunk of client.query(copyTo(`COPY (${SLEEP}) TO STDOUT`)));
    });
    await expect(copying).rejects.toMatchObject(TOO_LONG);
  });

  it('are longer for long work, and only for that', async () => {
    expect(await shown()).toBe('300ms');
    const ask = () => database.query<{ limit: string }>(SHOWN);
    expect(await longRunning(() => shown())).toBe('1min');
    expect(await longRunning(() => shown(() => database.transaction(ask)))).toBe('1min');
    expect(await longRunning(() => shown(() => database.session((session) => session.query(SHOWN))))).toBe(
      '1min',
    );
    expect(await shown()).toBe('300ms');
    expect(await shown(() => database.transaction(ask))).toBe('300ms');
    await longRunning(() => database.query('SELECT pg_sleep(0.5)'));
  });

  it('leave results, errors and named statements as they are', async () => {
    const named = statement('time_limits_sample', 'SELECT $1::int AS n UNION ALL SELECT 2 ORDER BY n');
    for (const n of [1, 0, 1])
      expect(await longRunning(() => database.query(named, [n]))).toEqual([{ n }, { n: 2 }]);
    for (const ask of [
      () => database.query(named, ['x']),
      () => longRunning(() => database.query(named, ['x'])),
    ])
      await expect(ask()).rejects.toMatchObject({ code: '22P02' });
    await expect(longRunning(() => database.query('SELECT nothing'))).rejects.toMatchObject({
      code: '42703',
    });
    await expect(longRunning(() => database.query('SELEC'))).rejects.toMatchObject({ code: '42601' });
    const broken = statement('time_limits_broken', 'SELECT * FROM made_later');
    await expect(longRunning(() => database.query(broken))).rejects.toMatchObject({ code: '42P01' });
    await running.test.database.query('CREATE TABLE made_later AS SELECT 1 AS n');
    for (let times = 0; times < 3; times += 1)
      expect(await longRunning(() => database.query(broken))).toEqual([{ n: 1 }]);
    expect(await longRunning(() => database.query('SELECT 1 AS n WHERE false'))).toEqual([]);
  });
}

async function connected(test: TestDatabase, settings: DatabaseSettings) {
  const dataSource = await new DataSource(dataSourceOptions({ ...settings, ...LIMITS }, [])).initialize();
  const close = async () => {
    await dataSource.destroy();
    await test.drop();
  };
  return { test, database: new Database(dataSource), close };
}

describe('the time limits of statements', () => {
  describe('directly', () =>
    limits(async () => {
      const test = await createTestDatabase({ isDirect: true });
      return connected(test, { url: test.url, poolSize: 2 });
    }));

  describe('without names of statements', () =>
    limits(async () => {
      const test = await createTestDatabase({ isDirect: true });
      return connected(test, { url: test.url, poolSize: 2, namedStatements: 'off' });
    }));

  const unless = NO_PGBOUNCER ? describe.skip : describe;
  unless(`by way of PgBouncer in transaction mode${NO_PGBOUNCER ? `: ${NO_PGBOUNCER}` : ''}`, () => {
    let pooler: PgBouncer;
    limits(async () => {
      pooler = await startPgBouncer(serverUrl('postgres'), await freePort(), 1);
      const test = await createTestDatabase();
      const running = await connected(test, {
        url: pooler.url(test.url),
        poolSize: 2,
        namedStatements: NAMED_STATEMENTS,
      });
      const close = async () => {
        await running.close();
        await pooler.stop();
      };
      return { ...running, close };
    });

    it('are kept by no session that others share', async () => {
      const test = await createTestDatabase();
      const url = pooler.url(test.url);
      const limited = await connected(test, { url, poolSize: 1, namedStatements: 'off' });
      // The one session of the pooler, as another client finds it.
      const plain = await new DataSource({ type: 'postgres', url }).initialize();
      try {
        await limited.database.query('SELECT 1');
        await longRunning(() => limited.database.transaction((transaction) => transaction.query('SELECT 1')));
        const settings = `SELECT current_setting('statement_timeout') AS limit,
          current_setting('idle_in_transaction_session_timeout') AS idle`;
        expect(await plain.query(settings)).toEqual([{ limit: '0', idle: '0' }]);
        const [inside] = await limited.database.transaction((transaction) => transaction.query(settings));
        expect(inside).toEqual({ limit: '300ms', idle: '30s' });
      } finally {
        await plain.destroy();
        await limited.close();
      }
    });
  });
});
