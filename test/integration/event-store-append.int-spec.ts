import { randomUUID } from 'node:crypto';
import pg from 'pg';
import {
  type AppendRequest,
  type DomainEvent,
  EventStore,
  type Expectation,
  type HeldRow,
  StreamHasMoved,
} from '#libs/event-store';
import { anEventMetadata } from '#libs/event-store/testing';
import { lockIsWaitedFor, RowLock } from '../support/row-lock.js';
import { createTestDatabase, type TestDatabase } from '../support/test-database.js';

const happened = (n: number): DomainEvent => ({ type: 'ThingHappened', data: { n } });

describe('appending', () => {
  let test: TestDatabase;
  let store: EventStore;

  beforeAll(async () => {
    test = await createTestDatabase({ poolSize: 24 });
    store = new EventStore(test.database);
  });
  afterAll(() => test.drop());

  const request = (stream: string, expected: Expectation, ...numbers: number[]): AppendRequest => ({
    stream,
    streamType: 'thing',
    expected,
    events: numbers.map(happened),
    metadata: anEventMetadata(),
  });
  const append = (stream: string, expected: Expectation, ...numbers: number[]) =>
    test.database.transaction((tx) => store.append(tx, request(stream, expected, ...numbers)));
  const numbers = async (stream: string) =>
    (await store.read(stream)).events.map((event) => (event.data as { n: number }).n);
  const refusal = (attempt: Promise<unknown>) =>
    attempt.then(
      () => 'stored',
      (error: unknown) => (error instanceof StreamHasMoved ? error.reason : error),
    );

  it('returns the events exactly as a later read', async () => {
    const stream = randomUUID();
    const metadata = anEventMetadata({ brandId: 'b', requestId: 'r' });
    const events = [
      { type: 'A', data: { at: new Date(0), left: undefined, deep: { ünï: ['💥', 1.5, null] } } },
      { type: 'B', data: {} },
    ];
    const answered = await test.database.transaction((tx) =>
      store.append(tx, { stream, streamType: 'thing', expected: 'none', events, metadata }),
    );
    const { events: read, version, now } = await store.read(stream);
    expect(read).toEqual(answered);
    expect(answered[0]?.data).toEqual({ at: '1970-01-01T00:00:00.000Z', deep: { ünï: ['💥', 1.5, null] } });
    expect(version).toBe(2);
    expect(read[1]?.at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    expect(now >= (read[1]?.at ?? '')).toBe(true);
  });

  describe.each<[Expectation, { missing: string; at1: string; at2: string }]>([
    ['none', { missing: 'stored', at1: 'version', at2: 'version' }],
    ['exists', { missing: 'version', at1: 'stored', at2: 'stored' }],
    ['any', { missing: 'stored', at1: 'stored', at2: 'stored' }],
    [1, { missing: 'version', at1: 'stored', at2: 'version' }],
  ])('expecting %s', (expected, outcome) => {
    it('is enforced, alone and in a batch', async () => {
      for (const batched of [false, true]) {
        const missing = randomUUID();
        const at1 = randomUUID();
        const at2 = randomUUID();
        await append(at1, 'none', 1);
        await append(at2, 'none', 1, 2);
        const attempt = async (stream: string) => {
          if (!batched) return refusal(append(stream, expected, 9));
          const [answer] = await test.database.transaction((tx) =>
            store.appendMany(tx, [request(stream, expected, 9)]),
          );
          return answer instanceof StreamHasMoved ? answer.reason : 'stored';
        };
        expect(await attempt(missing)).toBe(outcome.missing);
        expect(await attempt(at1)).toBe(outcome.at1);
        expect(await attempt(at2)).toBe(outcome.at2);
        expect(await numbers(missing)).toEqual(outcome.missing === 'stored' ? [9] : []);
        expect(await numbers(at1)).toEqual(outcome.at1 === 'stored' ? [1, 9] : [1]);
        expect(await numbers(at2)).toEqual(outcome.at2 === 'stored' ? [1, 2, 9] : [1, 2]);
      }
    });
  });

  it('stores all of 20 parallel appends that expect anything, in some order without gaps', async () => {
    const stream = randomUUID();
    await Promise.all(Array.from({ length: 20 }, (_, n) => append(stream, 'any', n)));
    const { events } = await store.read(stream);
    expect(events.map((event) => event.version)).toEqual(Array.from({ length: 20 }, (_, n) => n + 1));
    expect((await numbers(stream)).sort((a, b) => a - b)).toEqual(Array.from({ length: 20 }, (_, n) => n));
  });

  it('accepts exactly one of 20 parallel appends at the same version', async () => {
    const stream = randomUUID();
    await append(stream, 'none', 0);
    const outcomes = await Promise.all(Array.from({ length: 20 }, (_, n) => refusal(append(stream, 1, n))));
    expect(outcomes.filter((outcome) => outcome === 'stored')).toHaveLength(1);
    expect((await store.read(stream)).version).toBe(2);
  });

  it('appends to many streams at once and reports conflicts per stream', async () => {
    const [fresh, moved, known, taken] = [randomUUID(), randomUUID(), randomUUID(), randomUUID()] as const;
    await append(moved, 'none', 1, 2);
    await append(known, 'none', 1);
    await append(taken, 'none', 1);
    const answers = await test.database.transaction((tx) =>
      store.appendMany(tx, [
        request(moved, 1, 8),
        request(known, 1, 5, 6, 7),
        request(fresh, 'none', 3, 4),
        request(taken, 'none', 9),
      ]),
    );
    expect(answers[0]).toMatchObject({ reason: 'version', currentVersion: 2, stream: moved });
    expect(answers[1]).toEqual((await store.read(known)).events.slice(1));
    expect(answers[2]).toEqual((await store.read(fresh)).events);
    expect(answers[3]).toMatchObject({ reason: 'version', currentVersion: 1 });
    expect(await numbers(known)).toEqual([1, 5, 6, 7]);
    expect(await numbers(fresh)).toEqual([3, 4]);
  });

  it('does not deadlock when batches name the same streams in opposite orders', async () => {
    const streams = Array.from({ length: 30 }, () => randomUUID());
    for (const stream of streams) await append(stream, 'none', 0);
    const batch = (order: string[]) =>
      test.database.transaction((tx) =>
        store.appendMany(
          tx,
          order.map((stream) => request(stream, 'exists', 1)),
        ),
      );
    await Promise.all(
      Array.from({ length: 16 }, (_, n) => batch(n % 2 ? streams : streams.toReversed())).map((one) =>
        one.then((answers) => expect(answers).toHaveLength(30)),
      ),
    );
    const stored = await test.database.query<{ n: number }>(
      'SELECT count(*)::int AS n FROM events.event WHERE stream = ANY ($1)',
      [streams],
    );
    expect(stored[0]?.n).toBeGreaterThanOrEqual(60);
  });

  it('refuses a batch that names a stream twice', async () => {
    const stream = randomUUID();
    const attempt = test.database.transaction((tx) =>
      store.appendMany(tx, [request(stream, 'any', 1), request(stream, 'any', 2)]),
    );
    await expect(attempt).rejects.toThrow(RangeError);
  });

  describe('with a row that it holds', () => {
    const thing = randomUUID();
    const held = (owner: string): HeldRow => ({
      name: 'thing',
      table: 'public.held_thing',
      columns: [
        ['id', 'uuid', thing],
        ['owner', 'text', owner],
      ],
    });
    const holding = (stream: string, owner: string, ...given: number[]) =>
      store.append(test.database, { ...request(stream, 'any', ...given), held: held(owner) });
    beforeAll(async () => {
      await test.database.query('CREATE TABLE public.held_thing (id uuid PRIMARY KEY, owner text)');
      await test.database.query(`INSERT INTO public.held_thing VALUES ($1, 'ada')`, [thing]);
    });

    it('appends while the row has the values, one event or several', async () => {
      const stream = randomUUID();
      await holding(stream, 'ada', 1);
      await holding(stream, 'ada', 2, 3);
      expect(await numbers(stream)).toEqual([1, 2, 3]);
    });

    it('appends nothing while the row has other values', async () => {
      const stream = randomUUID();
      await expect(holding(stream, 'bob', 1)).rejects.toThrow(StreamHasMoved);
      expect(await numbers(stream)).toEqual([]);
    });

    it('keeps the row until the transaction ends, and is still its first write', async () => {
      const stream = randomUUID();
      let release: () => void = () => undefined;
      const released = new Promise<void>((resolve) => (release = resolve));
      const appending = test.database.transaction(async (tx) => {
        await store.append(tx, { ...request(stream, 'none', 1), held: held('ada') });
        await released;
      });
      const changing = RowLock.by(test, 'UPDATE public.held_thing SET owner = owner', []);
      await lockIsWaitedFor(test);
      release();
      await appending;
      await (await changing).meanwhile([]);
      expect(await numbers(stream)).toEqual([1]);
    });

    it('waits for a concurrent change of the row, and appends nothing after it', async () => {
      const stream = randomUUID();
      const changing = await RowLock.by(test, `UPDATE public.held_thing SET owner = 'bob'`, []);
      const [appended] = await changing.meanwhile([
        holding(stream, 'ada', 1).catch((error: unknown) => error),
      ]);
      expect(appended).toBeInstanceOf(StreamHasMoved);
      expect(await numbers(stream)).toEqual([]);
    });
  });

  it('refuses the id of a stream of another type', async () => {
    const stream = randomUUID();
    await append(stream, 'none', 1);
    const other = { ...request(stream, 'any', 2), streamType: 'other' };
    await expect(test.database.transaction((tx) => store.append(tx, other))).rejects.toThrow(StreamHasMoved);
    expect(await numbers(stream)).toEqual([1]);
  });

  it('in a TypeORM transaction that rolls back stores nothing, and touches no type parser', async () => {
    const stream = randomUUID();
    const parsers = () =>
      Object.values(pg.types.builtins).map((oid) => pg.types.getTypeParser(oid as number));
    const before = parsers();
    const attempt = test.database.transaction(async (tx) => {
      await store.append(tx, request(stream, 'none', 1, 2, 3));
      const rows = await tx.manager.query('SELECT count(*)::int AS n FROM events.event WHERE stream = $1', [
        stream,
      ]);
      expect(rows).toEqual([{ n: 3 }]);
      throw new Error('changed my mind');
    });
    await expect(attempt).rejects.toThrow('changed my mind');
    expect(await store.read(stream)).toMatchObject({ events: [], version: 0 });
    expect(await test.database.query('SELECT FROM events.stream WHERE stream = $1', [stream])).toEqual([]);
    expect(parsers()).toEqual(before);
  });

  it('wakes listeners after the commit, never after a rollback', async () => {
    let woken = 0;
    const own = new EventStore(test.database);
    own.onAppended(() => (woken += 1));
    await test.database.transaction(async (tx) => {
      await own.append(tx, request(randomUUID(), 'none', 1));
      expect(woken).toBe(0);
    });
    expect(woken).toBe(1);
    const attempt = test.database.transaction(async (tx) => {
      await own.append(tx, request(randomUUID(), 'none', 1));
      throw new Error('no');
    });
    await expect(attempt).rejects.toThrow('no');
    expect(woken).toBe(1);
  });

  it.each(['UPDATE events.event SET type = type', 'DELETE FROM events.event', 'TRUNCATE events.event'])(
    'is final: %s is refused',
    async (sql) => {
      await append(randomUUID(), 'none', 1);
      await expect(test.database.query(sql)).rejects.toThrow(/append-only/);
    },
  );
});
