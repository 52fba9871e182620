import { DataSource } from 'typeorm';
import { Database, DatabaseIsUnavailable, dataSourceOptions, longRunning } from '#libs/database';
import { problemOf } from '../../libs/http/src/problems/problem-of.js';
import { freePort } from '../../local/ports.js';
import { OwnPostgres } from '../support/own-postgres.js';
import { NAMED_STATEMENTS, NO_PGBOUNCER, type PgBouncer, startPgBouncer } from '../support/pgbouncer.js';

const CONNECTIONS = 8;
const LIMITS = { statementTimeoutMs: 300, longStatementTimeoutMs: 600_000, answerMarginMs: 700 };
const ONE = 'SELECT 1 AS one';
const TIMEOUT = { status: 503, code: 'database_timeout' };

const unless = NO_PGBOUNCER ? describe.skip : describe;

unless(`behind a pooler that does not answer${NO_PGBOUNCER ? `: ${NO_PGBOUNCER}` : ''}`, () => {
  let server: OwnPostgres;
  let pooler: PgBouncer;
  let database: Database;

  beforeAll(async () => {
    server = await OwnPostgres.start();
    pooler = await startPgBouncer(server.url, await freePort(), 2);
    const url = pooler.url(server.url);
    const settings = { url, poolSize: CONNECTIONS, namedStatements: NAMED_STATEMENTS, ...LIMITS };
    database = new Database(await new DataSource(dataSourceOptions(settings, [])).initialize());
    await database.query('CREATE TABLE answer (n int)');
  });
  // A new connection has a limit of its own; these are about those that are there.
  beforeEach(async () => {
    await Promise.all(Array.from({ length: CONNECTIONS }, () => database.query('SELECT pg_sleep(0.02)')));
  });
  afterAll(async () => {
    pooler.goOn();
    await pooler.stop();
    await database.dataSource.destroy();
    await server.tearDown();
  });

  const failure = (work: Promise<unknown>) =>
    work.then(
      () => undefined,
      (error: unknown) => error,
    );

  it('a write without a response to COMMIT ends as unconfirmed, and its connection is not reused', async () => {
    const before = database.pool.totalCount;
    const error = await failure(
      database.transaction(async (transaction) => {
        await transaction.query('INSERT INTO answer VALUES (1)');
        pooler.pause();
      }),
    );
    expect(error).toBeInstanceOf(DatabaseIsUnavailable);
    expect(problemOf(error)).toMatchObject(TIMEOUT);
    expect(database.pool.totalCount).toBe(before - 1);
    pooler.goOn();
    const again = Array.from({ length: CONNECTIONS }, () => database.query(ONE));
    expect(await Promise.all(again)).toEqual(again.map(() => [{ one: 1 }]));
  });

  it('statements end soon after their limit while the server does not respond, long work does not', async () => {
    await server.freeze();
    let hasEnded = false;
    const long = [
      () => database.query(ONE),
      () => database.transaction((transaction) => transaction.query(ONE)),
    ].map((ask) => failure(longRunning(ask)).finally(() => (hasEnded = true)));
    const short = [
      () => database.query(ONE),
      () => database.query({ name: 'one', text: ONE }),
      () => database.transaction((transaction) => transaction.query(ONE)),
      () => database.session((session) => session.query(ONE)),
      () => database.dataSource.query(ONE),
    ].map((ask) => failure(ask()));
    const errors = await Promise.all(short);
    expect(hasEnded).toBe(false);
    server.thaw();
    for (const error of errors) expect(problemOf(error)).toMatchObject(TIMEOUT);
    expect(await Promise.all(long)).toEqual([undefined, undefined]);
  });
});
