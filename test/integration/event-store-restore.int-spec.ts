import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { from as copyFrom, to as copyTo } from 'pg-copy-streams';
import { DataSource } from 'typeorm';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../../local/postgres/embedded-postgres.js';
import { Database, dataSourceOptions } from '#libs/database';
import {
  BEGINNING,
  EventStore,
  eventStoreMigrations,
  LogIsFromAnotherCluster,
  Reactions,
  type RecordedEvent,
  refuseForeignLog,
  renumberLog,
} from '#libs/event-store';
import { anEventMetadata } from '#libs/event-store/testing';
import { freePort } from '../../local/ports.js';
import { createTestDatabase, type TestDatabase } from '../support/test-database.js';
import { settled } from '../support/settled.js';

const BURN_TRANSACTION_IDS = `
  DO $$ BEGIN FOR n IN 1..20000 LOOP PERFORM pg_current_xact_id(); COMMIT; END LOOP; END $$`;

describe('a log copied into another cluster', () => {
  let origin: TestDatabase;
  let cluster: EmbeddedPostgres;
  let folder: string;
  let copy: Database;

  beforeAll(async () => {
    origin = await createTestDatabase();
    folder = await mkdtemp(join(tmpdir(), 'content-operations-restore-'));
    cluster = await startEmbeddedPostgres({
      directory: join(folder, 'cluster'),
      port: await freePort(),
      persistent: false,
      password: 'test',
      settings: ['fsync=off'],
    });
    const options = dataSourceOptions({ url: cluster.url('postgres'), poolSize: 10 }, eventStoreMigrations);
    const dataSource = await new DataSource(options).initialize();
    await dataSource.runMigrations();
    copy = new Database(dataSource);
  });
  afterAll(async () => {
    await copy?.dataSource.destroy();
    await cluster?.stop();
    await origin?.drop();
    await rm(folder, { recursive: true, force: true });
  });

  it('is refused at the start; renumbered, its reactions go on without loss or repeat', async () => {
    const handled: string[] = [];
    const reactionsOf = (database: Database) => {
      const store = new EventStore(database);
      const reactions = new Reactions(database, store);
      const handle = (_: unknown, events: RecordedEvent[]) =>
        Promise.resolve(void handled.push(...events.map((event) => event.id)));
      reactions.register({ name: 'follow', tables: ['events.reaction'], handle });
      return { store, reactions };
    };

    const before = reactionsOf(origin.database);
    await origin.database.query(BURN_TRANSACTION_IDS);
    const streams = Array.from({ length: 20 }, () => randomUUID());
    for (const stream of streams) await append(origin.database, before.store, stream);
    before.reactions.start();
    while (handled.length < 20) await sleep(10);
    await before.reactions.stop();
    for (const stream of streams) await append(origin.database, before.store, stream);
    await settled(origin.database);
    const log = (await before.store.readAll(BEGINNING, 100)).events.map((event) => event.id);
    expect(log).toHaveLength(40);

    for (const table of ['events.stream', 'events.event', 'events.reaction']) {
      await transfer(origin.database, copy, table);
    }
    await expect(refuseForeignLog(copy)).rejects.toThrow(LogIsFromAnotherCluster);
    const after = reactionsOf(copy);
    expect((await after.store.readAll(BEGINNING, 100)).events).toEqual([]);

    expect(await renumberLog(copy)).toBe(40);
    await refuseForeignLog(copy);
    expect((await after.store.readAll(BEGINNING, 100)).events.map((event) => event.id)).toEqual(log);
    after.reactions.start();
    await append(copy, after.store, streams[0] as string);
    while (handled.length < 41) await sleep(10);
    await sleep(50);
    await after.reactions.stop();
    const whole = (await after.store.readAll(BEGINNING, 100)).events;
    expect(handled).toEqual(whole.map((event) => event.id));
    expect(whole.at(-1)).toMatchObject({ stream: streams[0], version: 3, position: '41' });

    expect(await renumberLog(copy)).toBe(41);
    expect((await after.store.readAll(BEGINNING, 100)).events.map((event) => event.id)).toEqual(handled);
    expect((await after.reactions.status())[0]).toMatchObject({ lagEvents: 0 });
  });
});

async function append(database: Database, store: EventStore, stream: string): Promise<void> {
  const events = [{ type: 'ThingHappened', data: {} }];
  const request = {
    stream,
    streamType: 'thing',
    expected: 'any',
    events,
    metadata: anEventMetadata(),
  } as const;
  await database.transaction((tx) => store.append(tx, request));
}

async function transfer(source: Database, target: Database, table: string): Promise<void> {
  await source.transaction((reader) =>
    target.transaction((writer) =>
      pipeline(
        reader.client.query(copyTo(`COPY ${table} TO STDOUT`)),
        writer.client.query(copyFrom(`COPY ${table} FROM STDIN`)),
      ),
    ),
  );
}
