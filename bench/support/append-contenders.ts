import { randomUUID } from 'node:crypto';
import { getPostgreSQLEventStore, type PostgresEventStore } from '@event-driven-io/emmett-postgresql';
import { Pool, type PoolClient, types } from 'pg';
import type { EntityManager } from 'typeorm';
import { type Database, Transaction } from '#libs/database';
import { type AppendRequest, type DomainEvent, EventStore } from '#libs/event-store';
import type { Bench, BenchDatabase } from './bench.js';
import type { Contender } from './measure.js';
import { DATA, insertRaw, makeRawTable, METADATA } from './raw-insert.js';

const RAW_INSERT_MANY = {
  name: 'bench_raw_insert_many',
  text: `INSERT INTO bench_raw.event
      (transaction_id, stream, version, at, id, schema_version, stream_type, type, data, metadata)
    SELECT pg_current_xact_id(), $1, number, clock_timestamp(), id, 1, 'bench', type, data, metadata
    FROM unnest($2::uuid[], $3::text[], $4::jsonb[], $5::jsonb[]) WITH ORDINALITY AS new (id, type, data, metadata, number)`,
};

/** The same events stored in several ways, on connections of their own. */
export class AppendContenders {
  private readonly clients: PoolClient[] = [];

  private constructor(
    private readonly db: BenchDatabase,
    private readonly pool: Pool,
    private readonly emmett: PostgresEventStore,
    private readonly emmettPool: Pool,
    private readonly store: EventStore,
    private readonly ours: ReturnType<typeof parsers>,
  ) {}

  static async open(bench: Bench, writers: number): Promise<AppendContenders> {
    const db = await bench.database(writers + 2);
    await makeRawTable(db.database);
    const url = await bench.emptyDatabase();
    const ours = parsers();
    if (emmetts) useParsers(emmetts);
    const emmettPool = new Pool({ connectionString: url, max: writers });
    const emmett = getPostgreSQLEventStore(url, { connectionOptions: { pool: emmettPool } });
    await emmett.schema.migrate();
    emmetts = parsers();
    const pool = new Pool({ connectionString: db.url, max: writers });
    for (const each of [pool, emmettPool]) each.on('error', ignoreWhileClosing);
    const contenders = new AppendContenders(db, pool, emmett, emmettPool, new EventStore(db.database), ours);
    for (let n = 0; n < writers; n += 1) contenders.clients.push(await pool.connect());
    return contenders;
  }

  async close(): Promise<void> {
    for (const client of this.clients) client.release();
    await this.pool.end();
    await this.emmett.close();
    if (!this.emmettPool.ended) await this.emmettPool.end();
    await this.db.close();
    useParsers(this.ours);
  }

  /** The limit: a plain INSERT of the same row into a table with the same indexes, committed by itself. */
  raw(size = 1): Contender {
    return this.contender('raw', async (worker) => {
      const client = this.clients[worker] as PoolClient;
      if (size === 1) {
        await insertRaw(client);
      } else {
        const all = Array.from({ length: size });
        const metadata = JSON.stringify(METADATA);
        const values = [
          randomUUID(),
          all.map(() => randomUUID()),
          all.map(() => 'PostScheduled'),
          all.map(() => JSON.stringify(DATA)),
          all.map(() => metadata),
        ];
        await client.query({ ...RAW_INSERT_MANY, values });
      }
      return size;
    });
  }

  /** Our append, committed by itself: one round trip. */
  own(size = 1): Contender {
    return this.contender('own', async (worker) => {
      await this.store.append(this.autocommit(worker), request(size));
      return size;
    });
  }

  /** BEGIN, the same append, COMMIT on pg itself. */
  bareTransaction(): Contender {
    return this.contender('bare', async (worker) => {
      const client = this.clients[worker] as PoolClient;
      await client.query('BEGIN');
      await this.store.append(this.autocommit(worker), request(1));
      await client.query('COMMIT');
      return 1;
    });
  }

  /** The append as the product does it. */
  typeOrmTransaction(): Contender {
    return this.contender('typeorm', async () => {
      await this.db.database.transaction((transaction) => this.store.append(transaction, request(1)));
      return 1;
    });
  }

  emmettAppend(size = 1): Contender {
    return this.contender('emmett', async () => {
      const events = Array.from({ length: size }, () => ({
        type: 'PostScheduled',
        data: DATA,
        metadata: METADATA,
      }));
      await this.emmett.appendToStream(`bench-${randomUUID()}`, events, {
        expectedStreamVersion: 'STREAM_DOES_NOT_EXIST',
      });
      return size;
    });
  }

  private autocommit(worker: number): Transaction {
    return new Transaction(this.clients[worker] as PoolClient, undefined as unknown as EntityManager);
  }

  private contender(name: string, work: Contender['work']): Contender {
    const isEmmett = name === 'emmett';
    const prepare = async () => {
      if (emmetts) useParsers(isEmmett ? emmetts : this.ours);
      await this.emptied(isEmmett);
    };
    return { name, work, prepare };
  }

  private async emptied(emmett: boolean): Promise<void> {
    if (emmett) await this.emmett.schema.dangerous.truncate();
    else await truncateOwn(this.db.database);
    await this.db.database.query('CHECKPOINT');
  }
}

/** A closing connection can still receive the error that its database is dropped. Queries report their own errors. */
const ignoreWhileClosing = () => undefined;

/**
 * Emmett changes, once, how every connection of the process parses these types. The others must not go through its parsers,
 * and Emmett not through ours: they are exchanged before each contender runs.
 */
const PARSED = [types.builtins.INT8, types.builtins.JSON, types.builtins.JSONB];

const parsers = () => PARSED.map((oid) => types.getTypeParser(oid));

function useParsers(some: ReturnType<typeof parsers>): void {
  for (const [index, oid] of PARSED.entries())
    types.setTypeParser(oid, some[index] as (text: string) => unknown);
}

let emmetts: ReturnType<typeof parsers> | undefined;

async function truncateOwn(database: Database): Promise<void> {
  await database.transaction(async (transaction) => {
    await transaction.query(`SET LOCAL events.maintenance = 'on'`);
    await transaction.query('TRUNCATE events.event, events.stream, bench_raw.event');
  });
}

function request(size: number): AppendRequest {
  const event: DomainEvent = { type: 'PostScheduled', data: DATA };
  const events = size === 1 ? [event] : Array.from({ length: size }, () => event);
  return { stream: randomUUID(), streamType: 'bench', expected: 'none', events, metadata: METADATA };
}
