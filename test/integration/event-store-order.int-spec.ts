import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import {
  AppendIsNotFirstWrite,
  type AppendRequest,
  BEGINNING,
  type Cursor,
  type DomainEvent,
  EventStore,
  type Expectation,
  oldestWritingTransactions,
  Reactions,
  type RecordedEvent,
  Stream,
  StreamHasMoved,
} from '#libs/event-store';
import type { Transaction } from '#libs/database';
import { anEventMetadata } from '#libs/event-store/testing';
import { createTestDatabase, type TestDatabase } from '../support/test-database.js';
import { eventually } from '../support/eventually.js';
import { settled } from '../support/settled.js';

describe('the order of the log', () => {
  let test: TestDatabase;
  let store: EventStore;

  beforeEach(async () => {
    test = await createTestDatabase({ poolSize: 30 });
    store = new EventStore(test.database);
  });
  afterEach(() => test.drop());

  const request = (stream: string, expected: Expectation, n = 0): AppendRequest => ({
    stream,
    streamType: 'thing',
    expected,
    events: [{ type: 'ThingHappened', data: { n } }],
    metadata: anEventMetadata(),
  });
  const append = (stream: string, expected: Expectation, n = 0) =>
    test.database.separateTransaction((tx) => store.append(tx, request(stream, expected, n)));

  async function readOn(from: Cursor): Promise<{ events: RecordedEvent[]; cursor: Cursor }> {
    const events: RecordedEvent[] = [];
    let cursor = from;
    for (;;) {
      const page = await store.readAll(cursor, 50);
      if (page.events.length === 0) return { events, cursor };
      events.push(...page.events);
      cursor = page.cursor;
    }
  }

  it('shows 2 readers each commit of 16 writers once, in stream order, despite slow and rolled-back writers', async () => {
    const streams = Array.from({ length: 40 }, () => randomUUID());
    const committed = new Set<string>();
    let writing = true;

    async function write(): Promise<void> {
      for (let n = 0; n < 60; n += 1) {
        const stream = streams[Math.floor(Math.random() * streams.length)] as string;
        const chance = Math.random();
        const done = await test.database
          .separateTransaction(async (tx) => {
            const events = await store.append(tx, request(stream, 'any', n));
            if (chance < 0.3) await sleep(Math.random() * 8);
            if (chance > 0.95) throw new Error('rolled back');
            return events;
          })
          .catch((error: Error) => {
            if (error.message !== 'rolled back' && !(error instanceof StreamHasMoved)) throw error;
            return [];
          });
        for (const event of done) committed.add(event.id);
      }
    }
    async function read(): Promise<RecordedEvent[]> {
      const seen: RecordedEvent[] = [];
      let cursor = BEGINNING;
      while (writing) {
        const page = await readOn(cursor);
        seen.push(...page.events);
        cursor = page.cursor;
        await sleep(3);
      }
      await settled(test.database);
      return [...seen, ...(await readOn(cursor)).events];
    }

    const readers = [read(), read()];
    await Promise.all(Array.from({ length: 16 }, write));
    writing = false;
    for (const seen of await Promise.all(readers)) {
      expect(seen.map((event) => event.id).toSorted()).toEqual([...committed].toSorted());
      for (const events of Map.groupBy(seen, (event) => event.stream).values()) {
        expect(events.map((event) => event.version)).toEqual(events.map((_, index) => index + 1));
      }
    }
    expect(committed.size).toBeGreaterThan(800);
  });

  it.each<Expectation>(['any', 'exists', 1])(
    'refuses an append (%s) of a transaction that got its id before the stream’s last writer',
    async (expected) => {
      const stream = randomUUID();
      let conflict: unknown;
      await test.database.transaction(async (early) => {
        await store.append(early, request(randomUUID(), 'none'));
        await append(stream, 'none', 1);
        conflict = await store.append(early, request(stream, expected, 2)).catch((error: unknown) => error);
        const [inBatch] = await store.appendMany(early, [request(stream, expected, 2)]);
        expect(inBatch).toMatchObject({ reason: 'order' });
      });
      expect(conflict).toBeInstanceOf(StreamHasMoved);
      expect(conflict).toMatchObject({ reason: 'order', currentVersion: 1 });
      await append(stream, expected, 2);
      await settled(test.database);
      const { events } = await readOn(BEGINNING);
      const versions = events.filter((event) => event.stream === stream).map((event) => event.version);
      expect(versions).toEqual([1, 2]);
    },
  );

  describe('of a transaction whose first write is not an append', () => {
    const lockHead = 'SELECT FROM events.stream LIMIT 1 FOR SHARE';
    const writes = [lockHead, 'CREATE TABLE public.early ()', 'SELECT pg_current_xact_id()'];
    const streamFor = async (expected: Expectation) => {
      const stream = randomUUID();
      await append(randomUUID(), 'none');
      if (expected !== 'none') await append(stream, 'none', 1);
      return stream;
    };

    it.each<Expectation>(['none', 'any', 'exists', 1])('refuses an append (%s)', async (expected) => {
      const stream = await streamFor(expected);
      const before = (await store.read(stream)).version;
      const appends = [
        (tx: Transaction) => store.append(tx, request(stream, expected, 2)),
        () => store.append(test.database, request(stream, expected, 2)),
        (tx: Transaction) => store.appendMany(tx, [request(stream, expected, 2)]),
      ];
      for (const write of writes) {
        for (const work of appends) {
          const wrong = test.database.transaction(async (tx) => {
            await tx.query(write);
            await work(tx);
          });
          await expect(wrong).rejects.toThrow(AppendIsNotFirstWrite);
        }
      }
      expect((await store.read(stream)).version).toBe(before);
    });

    it('refuses a change', async () => {
      const stream = await streamFor(1);
      const thing = { streamType: 'thing', initial: 0, evolve: (count: number) => count + 1 };
      const things = new Stream<number, DomainEvent>(test.database, store, thing);
      const change = () =>
        things.change(stream, () => () => [{ type: 'ThingHappened', data: {} }], anEventMetadata());
      const wrong = test.database.transaction(async (tx) => {
        await tx.query(lockHead);
        await change();
      });
      await expect(wrong).rejects.toThrow(AppendIsNotFirstWrite);
      await change();
      expect((await things.load(stream)).state).toBe(2);
    });

    it('allows reads and advisory locks before, and writes and further appends after', async () => {
      const streams = [await streamFor(1), await streamFor(1)] as const;
      await test.database.transaction(async (tx) => {
        await tx.query('SELECT pg_advisory_xact_lock(1)');
        await tx.query('SELECT FROM events.stream');
        await store.append(tx, request(streams[0], 1));
        await tx.query('CREATE TABLE public.late ()');
        await store.append(tx, request(streams[1], 'any'));
        await store.appendMany(tx, [request(streams[0], 2)]);
      });
      expect((await store.read(streams[0])).version).toBe(3);
    });

    it('allows an append again after a conflict in the same transaction', async () => {
      const stream = await streamFor(1);
      await test.database.transaction(async (tx) => {
        await expect(store.append(tx, request(stream, 7))).rejects.toThrow(StreamHasMoved);
        await store.append(tx, request(stream, 1));
      });
      expect((await store.read(stream)).version).toBe(2);
    });

    it('allows a new stream that declares it', async () => {
      const stream = randomUUID();
      await test.database.transaction(async (tx) => {
        await tx.query('CREATE TABLE public.early ()');
        await store.append(tx, { ...request(stream, 'none'), afterWrites: true });
      });
      expect((await store.read(stream)).version).toBe(1);
    });
  });

  it.each(['lower', 'higher'])(
    'does not lose an event when the lower transaction id has the higher position and a reader looks after the %s id’s commit',
    async (committedFirst) => {
      const [low, high] = [randomUUID(), randomUUID()];
      const gates = { low: gate(), high: gate(), highHasAppended: gate() };
      const lower = test.database.separateTransaction(async (tx) => {
        await tx.query('SELECT pg_current_xact_id()');
        await gates.highHasAppended.opened;
        await store.append(tx, { ...request(low, 'none'), afterWrites: true });
        await gates.low.opened;
      });
      await sleep(30);
      const higher = test.database.separateTransaction(async (tx) => {
        await store.append(tx, request(high, 'none'));
        gates.highHasAppended.open();
        await gates.high.opened;
      });
      await gates.highHasAppended.opened;
      await sleep(30);
      (committedFirst === 'lower' ? gates.low : gates.high).open();
      await (committedFirst === 'lower' ? lower : higher);
      let between = await readOn(BEGINNING);
      while (committedFirst === 'lower' && between.events.length === 0) between = await readOn(BEGINNING);
      expect(between.events.map((event) => event.stream)).toEqual(committedFirst === 'lower' ? [low] : []);
      gates.low.open();
      gates.high.open();
      await Promise.all([lower, higher]);
      await settled(test.database);
      const seen = [...between.events, ...(await readOn(between.cursor)).events] as [
        RecordedEvent,
        RecordedEvent,
      ];
      expect(seen.map((event) => event.stream)).toEqual([low, high]);
      expect(BigInt(seen[0].position)).toBeGreaterThan(BigInt(seen[1].position));
    },
  );

  it('is held back by a long writing transaction of another database, which is named; nothing is lost', async () => {
    const reactions = new Reactions(test.database, store);
    const seen: string[] = [];
    reactions.register({
      name: 'watch',
      tables: ['events.reaction'],
      handle: (_, events) => Promise.resolve(void seen.push(...events.map((event) => event.stream))),
    });
    const elsewhere = new Client({
      connectionString: new URL('/postgres', test.url).href,
      application_name: 'slow report',
    });
    await elsewhere.connect();
    const stream = randomUUID();
    try {
      await elsewhere.query('BEGIN');
      await elsewhere.query('SELECT pg_current_xact_id()');
      await append(stream, 'none');
      reactions.start();
      await sleep(150);
      expect(seen).toEqual([]);
      expect(await reactions.status()).toMatchObject([{ name: 'watch', state: 'running', lagEvents: 1 }]);
      expect((await reactions.status())[0]?.lagSeconds).toBeGreaterThan(0.1);
      const [backend] = (await elsewhere.query<{ pid: number }>('SELECT pg_backend_pid() AS pid')).rows;
      const named = (await oldestWritingTransactions(test.database)).find(({ pid }) => pid === backend?.pid);
      expect(named).toEqual({ ...backend, application: 'slow report', ageSeconds: expect.any(Number) });
      expect(named?.ageSeconds).toBeGreaterThan(0.1);
      await elsewhere.query('COMMIT');
      await eventually(() => expect(seen).toEqual([stream]));
      await eventually(async () =>
        expect(await reactions.status()).toMatchObject([{ lagEvents: 0, lagSeconds: 0 }]),
      );
    } finally {
      await elsewhere.end();
      await reactions.stop();
    }
  });
});

function gate(): { opened: Promise<void>; open: () => void } {
  const { promise, resolve } = Promise.withResolvers<void>();
  return { opened: promise, open: resolve };
}
