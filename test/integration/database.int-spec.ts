import { jest } from '@jest/globals';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { from as copyFrom, to as copyTo } from 'pg-copy-streams';
import { DataSource } from 'typeorm';
import { SystemClock } from '#libs/clock';
import {
  arrayOfJson,
  Database,
  DatabaseIsUnavailable,
  dataSourceOptions,
  statement,
  type Transaction,
} from '#libs/database';
import { EventStore, Reactions } from '#libs/event-store';
import { HealthChecks } from '#libs/health';
import { EventLogCheck } from '../../src/api/event-log.metrics.js';
import { RoundTrips } from '../support/round-trips.js';
import { createTestDatabase, onServer, type TestDatabase } from '../support/test-database.js';
import { waitUntil } from '../support/wait-until.js';

/** A way to the server that breaks, or falls silent: what is sent then arrives nowhere, and nobody is told. */
async function wayThatBreaks(target: string) {
  const { hostname, port } = new URL(target);
  const sockets: Socket[] = [];
  const server = createServer((near) => {
    const far = connect(Number(port), hostname);
    sockets.push(near, far);
    near.pipe(far).pipe(near);
    for (const end of [near, far]) end.on('error', () => undefined);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = new URL(target);
  url.port = String((server.address() as AddressInfo).port);
  return {
    url: url.toString(),
    reset: () => sockets.forEach((socket) => socket.resetAndDestroy()),
    fallSilent: () => sockets.forEach((socket) => socket.unpipe()),
    close: async () => {
      sockets.forEach((socket) => socket.destroy());
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

describe('the database', () => {
  const checks = new HealthChecks(new SystemClock());
  let test: TestDatabase;

  beforeAll(async () => {
    test = await createTestDatabase();
    await test.database.query('CREATE TABLE thing (id int PRIMARY KEY)');
  });

  afterEach(() => test.database.query('TRUNCATE thing'));
  afterAll(() => test.drop());

  const things = async () =>
    (await test.database.query<{ id: number }>('SELECT id FROM thing ORDER BY id')).map((row) => row.id);

  it('stores what a transaction wrote when it resolves, and calls back after that', async () => {
    const seen: number[][] = [];
    await test.database.transaction(async (transaction) => {
      transaction.afterCommit(() => seen.push([1]));
      await transaction.query('INSERT INTO thing VALUES (1)');
      expect(seen).toEqual([]);
    });
    expect(await things()).toEqual([1]);
    expect(seen).toEqual([[1]]);
  });

  it('stores nothing when it rejects, and never calls back', async () => {
    const callback = jest.fn();
    const attempt = test.database.transaction(async (transaction) => {
      transaction.afterCommit(callback);
      await transaction.query('INSERT INTO thing VALUES (1)');
      throw new Error('changed my mind');
    });
    await expect(attempt).rejects.toThrow('changed my mind');
    expect(await things()).toEqual([]);
    expect(callback).not.toHaveBeenCalled();
  });

  it('makes an inner transaction and plain queries part of the outer one', async () => {
    const attempt = test.database.transaction(async () => {
      await test.database.transaction((inner) => inner.query('INSERT INTO thing VALUES (1)'));
      await test.database.query('INSERT INTO thing VALUES (2)');
      expect(await things()).toEqual([1, 2]);
      throw new Error('all of it');
    });
    await expect(attempt).rejects.toThrow('all of it');
    expect(await things()).toEqual([]);
  });

  describe('begins a transaction together with its first statement', () => {
    const roundTripsOf = (work: (transaction: Transaction) => Promise<unknown>) =>
      new RoundTrips(test.database).during(() => test.database.transaction(work).catch(() => undefined));

    it('and sends nothing without statements', async () => {
      expect(await roundTripsOf(() => Promise.resolve())).toEqual([]);
      expect(await roundTripsOf(() => Promise.reject(new Error('refused')))).toEqual([]);
    });

    it('named or not, with values or without', async () => {
      const named = statement('test_insert_thing_first', 'INSERT INTO thing VALUES ($1)');
      for (const id of [1, 2])
        expect(await roundTripsOf((transaction) => transaction.query(named, [id]))).toHaveLength(2);
      expect(await roundTripsOf((tx) => tx.query('INSERT INTO thing VALUES (3)'))).toHaveLength(2);
      expect(await roundTripsOf((tx) => tx.manager.query('INSERT INTO thing VALUES (4)'))).toHaveLength(2);
      expect(await things()).toEqual([1, 2, 3, 4]);
    });

    it('also if two are sent at once, and only once', async () => {
      const both = (tx: Transaction) =>
        Promise.all([5, 6].map((id) => tx.query('INSERT INTO thing VALUES ($1)', [id])));
      const refused = test.database.transaction(async (tx) => {
        await both(tx);
        throw new Error('changed my mind');
      });
      await expect(refused).rejects.toThrow('changed my mind');
      expect(await things()).toEqual([]);
      await test.database.transaction(both);
      expect(await things()).toEqual([5, 6]);
    });

    it('whose error rolls everything back, even if it is caught', async () => {
      const attempt = test.database.transaction(async (tx) => {
        await tx.query('INSERT INTO missing VALUES ($1)', [1]).catch(() => undefined);
        await tx.query('INSERT INTO thing VALUES (7)');
      });
      await expect(attempt).rejects.toThrow(/aborted/);
      expect(await things()).toEqual([]);
    });

    it('also if that is a stream of COPY', async () => {
      const copying = test.database.transaction(async ({ client }) => {
        await pipeline(Readable.from(['8\n', '9\n']), client.query(copyFrom('COPY thing FROM STDIN')));
        throw new Error('changed my mind');
      });
      await expect(copying).rejects.toThrow('changed my mind');
      expect(await things()).toEqual([]);
    });
  });

  describe('ends a transaction together with its last statement', () => {
    const last = statement(
      'test_insert_thing_last',
      'INSERT INTO thing SELECT 8 / $1::text::int RETURNING id',
    );
    const ends = (value: string, work = (_: Transaction): Promise<unknown> => Promise.resolve()) =>
      test.database.transaction(async (transaction) => {
        transaction.beforeCommit(last, [value]);
        await work(transaction);
      });

    it('in one round trip, also if it is the only one', async () => {
      const roundTrips = new RoundTrips(test.database);
      expect(await roundTrips.during(() => ends('1'))).toHaveLength(1);
      const two = () => ends('2', (transaction) => transaction.query('INSERT INTO thing VALUES (1)'));
      expect(await roundTrips.during(two)).toHaveLength(2);
      expect(await things()).toEqual([1, 4, 8]);
    });

    it('and commits nothing when that fails, or when the work does; the next transaction is not affected', async () => {
      const failed = ends('0', (transaction) => transaction.query('INSERT INTO thing VALUES (1)'));
      await expect(failed).rejects.toMatchObject({ code: '22012' });
      const refused = ends('1', async (transaction) => {
        await transaction.query('INSERT INTO thing VALUES (2)');
        throw new Error('changed my mind');
      });
      await expect(refused).rejects.toThrow('changed my mind');
      await expect(ends('1', () => Promise.reject(new Error('at once')))).rejects.toThrow('at once');
      await test.database.transaction((transaction) => transaction.query('INSERT INTO thing VALUES (3)'));
      expect(await things()).toEqual([3]);
    });
  });

  it('keeps a separate transaction when the outer one is rolled back', async () => {
    const attempt = test.database.transaction(async () => {
      await test.database.separateTransaction((own) => own.query('INSERT INTO thing VALUES (7)'));
      throw new Error('outer');
    });
    await expect(attempt).rejects.toThrow('outer');
    expect(await things()).toEqual([7]);
  });

  it('sends named statements, in and out of transactions', async () => {
    const insert = statement('test_insert_thing', 'INSERT INTO thing VALUES ($1) RETURNING id');
    await test.database.query(insert, [3]);
    await test.database.transaction((transaction) => transaction.query(insert, [4]));
    expect(await things()).toEqual([3, 4]);
  });

  it('accepts an array of arbitrary JSON texts', async () => {
    const awkward = ['', '"', '\\', '\\"', '{a,b}', 'NULL', '\n\t\u0001\u007f', '\u2028', '\ud800', 'é😀'];
    const texts = [...awkward, awkward, { [awkward.join('')]: null }].map((value) => JSON.stringify(value));
    const rows = await test.database.query<{ text: string }>('SELECT unnest($1::text[]) AS text', [
      arrayOfJson(texts),
    ]);
    expect(rows.map(({ text }) => text)).toEqual(texts);
    expect(await test.database.query('SELECT $1::text[] AS texts', [arrayOfJson([])])).toEqual([
      { texts: [] },
    ]);
  });

  it('names an outage instead of failing with the driver’s words', async () => {
    const gone = await createTestDatabase();
    const name = new URL(gone.url).pathname.slice(1);
    // A pooler keeps the statement in its queue, so it needs a limit.
    const limits = { statementTimeoutMs: 500, answerMarginMs: 500 };
    const options = dataSourceOptions({ ...gone.settings, poolSize: 1, ...limits }, []);
    const dataSource = await new DataSource(options).initialize();
    await onServer((server) => server.query(`DROP DATABASE ${name} WITH (FORCE)`));
    await expect(new Database(dataSource).query('SELECT 1')).rejects.toThrow();
    await dataSource.destroy();
    const killed = test.database.transaction(async (transaction) => {
      await transaction.query('SELECT pg_terminate_backend(pg_backend_pid())');
    });
    await expect(killed).rejects.toThrow(DatabaseIsUnavailable);
    expect(await things()).toEqual([]);
    await gone.drop();
  });
  it('is not blamed for what fails in work with it', async () => {
    const missing = Object.assign(new Error('no such directory'), { code: 'ENOENT', syscall: 'open' });
    const reset = Object.assign(new Error('another socket'), { code: 'ECONNRESET', syscall: 'read' });
    for (const error of [missing, reset]) {
      await expect(test.database.transaction(() => Promise.reject(error))).rejects.toBe(error);
      await expect(test.database.session(() => Promise.reject(error))).rejects.toBe(error);
    }
  });

  it('is named when the connection of a session breaks under a stream', async () => {
    const way = await wayThatBreaks(test.url);
    const dataSource = await new DataSource(
      dataSourceOptions({ url: way.url, poolSize: 2 }, []),
    ).initialize();
    const copying = new Database(dataSource).session(async ({ client }) => {
      const rows = client.query(
        copyTo('COPY (SELECT pg_sleep(0.01) FROM generate_series(1, 100000)) TO STDOUT'),
      );
      for await (const _ of rows) way.reset();
    });
    await expect(copying).rejects.toThrow(DatabaseIsUnavailable);
    await way.close();
    await dataSource.destroy();
  });

  describe('that falls silent', () => {
    let way: Awaited<ReturnType<typeof wayThatBreaks>>;
    let dataSource: DataSource;
    let database: Database;

    beforeEach(async () => {
      way = await wayThatBreaks(test.url);
      dataSource = await new DataSource(dataSourceOptions({ url: way.url, poolSize: 2 }, [])).initialize();
      database = new Database(dataSource);
    });
    afterEach(async () => {
      await way.close();
      await dataSource.destroy();
    });

    it.each<[string, () => Promise<unknown>]>([
      ['a ping', () => database.ping(200)],
      ['a query that is given a time', () => database.within(200).query('SELECT $1::text', ['asked'])],
      [
        'the check of the log',
        () => new EventLogCheck(database, new Reactions(database, new EventStore(database)), checks).check(),
      ],
    ])('is unavailable after %s, and its connection is dropped', async (_what, ask) => {
      expect(await database.within(30_000).query('SELECT $1::text AS said', ['yes'])).toEqual([
        { said: 'yes' },
      ]);
      const before = database.pool.totalCount;
      way.fallSilent();
      await expect(ask()).rejects.toThrow(DatabaseIsUnavailable);
      await waitUntil(() => database.pool.totalCount === before - 1);
    });
  });
});
