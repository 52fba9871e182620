import { randomUUID } from 'node:crypto';
import { statement } from '#libs/database';
import {
  type Aggregate,
  type DomainEvent,
  EventStore,
  type InlineView,
  Stream,
  StreamHasMoved,
  StreamNotFound,
  TableView,
  VersionIsStale,
  type ViewRow,
  viewTable,
} from '#libs/event-store';
import { anEventMetadata } from '#libs/event-store/testing';
import { createTestDatabase, type TestDatabase } from '../support/test-database.js';

type CounterEvent = DomainEvent<'Opened', { name: string }> | DomainEvent<'Added', { amount: number }>;
interface Counter {
  readonly name: string;
  readonly sum: number;
}

const counter: Aggregate<Counter, CounterEvent> = {
  streamType: 'counter',
  initial: { name: '', sum: 0 },
  evolve: (state, event) =>
    event.type === 'Opened'
      ? { name: event.data.name, sum: 0 }
      : { ...state, sum: state.sum + event.data.amount },
};
const savedByCode: InlineView<Counter> = {
  name: 'counters',
  tables: ['public.counter_view'],
  save: async (executor, rows) => {
    await executor.query(
      `INSERT INTO public.counter_view SELECT * FROM unnest($1::uuid[], $2::int[], $3::int[], $4::timestamptz[])
       ON CONFLICT (id) DO UPDATE SET sum = excluded.sum, version = excluded.version, at = excluded.at`,
      [
        rows.map((row) => row.id),
        rows.map((row) => row.state.sum),
        rows.map((row) => row.version),
        rows.map((row) => row.at),
      ],
    );
  },
};
const savedBySql = new TableView<Counter>({
  name: 'counters',
  tables: [
    viewTable({
      name: 'public.counter_view',
      key: 'id',
      columns: [
        ['sum', 'int', (row: ViewRow<Counter>) => row.state.sum],
        ['version', 'int', ({ version }) => version],
        ['at', 'timestamptz', ({ at }) => at],
      ],
      rowOf: (row) => row,
    }),
  ],
});
/** The column does not exist. */
const UNKNOWN = 'column "average" of relation "counter_view" does not exist';
const broken = {
  code: { name: 'broken', tables: ['public.counter_view'], save: () => Promise.reject(new Error(UNKNOWN)) },
  SQL: new TableView<Counter>({
    name: 'broken',
    tables: [
      viewTable({
        name: 'public.counter_view',
        key: 'id',
        columns: [['average', 'int', () => 1]],
        rowOf: (row) => row,
      }),
    ],
  }),
} as const;
const opened: CounterEvent = { type: 'Opened', data: { name: 'a' } };
const add = (amount: number) => (): ((state: Counter) => CounterEvent[]) => () => [
  { type: 'Added', data: { amount } },
];

describe.each([
  ['code', savedByCode],
  ['SQL', savedBySql],
] as const)('changing a stream whose view is saved by %s', (by, view) => {
  let test: TestDatabase;
  let store: EventStore;
  let counters: Stream<Counter, CounterEvent>;
  const context = anEventMetadata();

  beforeAll(async () => {
    test = await createTestDatabase({ poolSize: 24 });
    await test.database.query(
      'CREATE TABLE counter_view (id uuid PRIMARY KEY, sum int, version int, at timestamptz)',
    );
    store = new EventStore(test.database);
    counters = new Stream(test.database, store, counter, view);
  });
  afterAll(() => test.drop());

  const create = async () => (await counters.create(randomUUID(), () => [opened], context)).id;
  const row = async (id: string) =>
    (
      await test.database.query<{ sum: number; version: number; at: Date }>(
        'SELECT * FROM counter_view WHERE id = $1',
        [id],
      )
    )[0];

  it('decides on the folded state with the database’s time, and the view shows it at once', async () => {
    const id = await create();
    await counters.change(id, add(2), context);
    const nows: string[] = [];
    const changed = await counters.change(
      id,
      (now) => (state) => (nows.push(now), [{ type: 'Added', data: { amount: state.sum * 10 } }]),
      (state) => ({ ...context, brandId: state.name }),
    );
    expect(changed).toMatchObject({ id, version: 3, state: { name: 'a', sum: 22 } });
    expect(changed.events[0]?.metadata.brandId).toBe('a');
    expect(changed.at >= (nows[0] ?? '')).toBe(true);
    expect(await row(id)).toMatchObject({ sum: 22, version: 3, at: new Date(changed.at) });
    expect(await counters.load(id)).toMatchObject({ state: changed.state, version: 3, at: changed.at });
  });

  it('loses none of as many changes at the same moment as a change is tried', async () => {
    const id = await create();
    // Each conflict is another one's success: the last of ten succeeds at its tenth try, on any machine.
    await Promise.all(Array.from({ length: 10 }, () => counters.change(id, add(1), context)));
    expect(await counters.load(id)).toMatchObject({ version: 11, state: { sum: 10 } });
    expect(await row(id)).toMatchObject({ sum: 10, version: 11 });
  });

  it('appends nothing for a decision that nothing changes', async () => {
    const id = await create();
    const unchanged = await counters.change(id, () => () => [], context);
    expect(unchanged).toMatchObject({ version: 1, events: [] });
  });

  it('stores neither events nor rows when the view cannot be saved', async () => {
    const id = randomUUID();
    const stream = new Stream(test.database, store, counter, broken[by]);
    await expect(stream.create(id, () => [opened], context)).rejects.toThrow(UNKNOWN);
    await expect(counters.load(id)).rejects.toThrow(StreamNotFound);
  });

  it('stores no row for a decision that lost a concurrent update', async () => {
    const id = await create();
    const stale = [await counters.load(id)];
    await counters.change(id, add(5), context);
    const tries: number[] = [];
    const load = async () => ({ from: stale.pop() ?? (await counters.load(id)), context });
    await counters.changeAs(id, load, ({ from: { state } }) => (tries.push(state.sum), add(1)()(state)));
    expect(tries).toEqual([0, 5]);
    expect(await row(id)).toMatchObject({ sum: 6, version: 3 });
    await expect(counters.create(id, () => [opened], context)).rejects.toThrow(StreamHasMoved);
    expect(await row(id)).toMatchObject({ sum: 6, version: 3 });
  });

  it('authorizes each try on what it reads, and returns what the stored decision is based on', async () => {
    const id = await create();
    const lost = new Error('lost access');
    const authorize = async (limit: number) => {
      const from = await counters.load(id);
      if (from.state.sum > limit) throw lost;
      return { from, context };
    };
    const interrupted = async (limit: number) => {
      const basis = await authorize(limit);
      if (basis.from.version === 1) await counters.change(id, add(5), context);
      return basis;
    };
    const decide = () => add(1)()({ name: '', sum: 0 });
    await expect(counters.changeAs(id, () => interrupted(4), decide)).rejects.toThrow(lost);
    expect(await row(id)).toMatchObject({ sum: 5, version: 2 });
    const { basis, changed } = await counters.changeAs(id, () => interrupted(5), decide);
    expect([basis.from.version, changed.version, changed.state.sum]).toEqual([2, 3, 6]);
  });

  it('stores events and rows with the transaction that runs, or not at all', async () => {
    const id = await create();
    const attempt = test.database.transaction(async () => {
      await counters.change(id, add(5), context);
      await counters.change(id, add(5), context);
      expect(await row(id)).toMatchObject({ sum: 10, version: 3 });
      throw new Error('changed my mind');
    });
    await expect(attempt).rejects.toThrow('changed my mind');
    expect(await counters.load(id)).toMatchObject({ version: 1 });
    expect(await row(id)).toMatchObject({ sum: 0, version: 1 });
  });

  it('gives events their decision time, monotonic within the stream', async () => {
    const id = await create();
    const nows: string[] = [];
    const decide = (now: string) => (
      nows.push(now),
      () => [1, 2].flatMap((amount) => add(amount)()({ name: '', sum: 0 }))
    );
    for (let n = 0; n < 5; n += 1) await counters.change(id, decide, context);
    const { events } = await store.read(id);
    expect(events.slice(1).map(({ at }) => at)).toEqual(nows.flatMap((now) => [now, now]));
    expect(events.map(({ at }) => at)).toEqual(events.map(({ at }) => at).toSorted());
  });

  it('wakes readers once what was changed is durable', async () => {
    const own = new EventStore(test.database);
    const stream = new Stream(test.database, own, counter, view);
    let woken = 0;
    own.onAppended(() => (woken += 1));
    const { id } = await stream.create(randomUUID(), () => [opened], context);
    expect(woken).toBe(1);
    await test.database.transaction(async () => {
      await stream.change(id, add(1), context);
      expect(woken).toBe(1);
    });
    expect(woken).toBe(2);
  });

  it('loads a stream and what belongs to it by one statement', async () => {
    const id = await create();
    const sum = statement('sum_of_counter', 'SELECT sum FROM public.counter_view WHERE id = $1');
    const { loaded, value } = await counters.loadWith<number>(id, sum);
    expect(value).toBe(0);
    expect(loaded).toEqual({ ...(await counters.load(id)), now: loaded.now });
    await test.database.query('DELETE FROM counter_view WHERE id = $1', [id]);
    expect((await counters.loadWith<number>(id, sum)).value).toBeNull();
    await expect(counters.loadWith(randomUUID(), sum)).rejects.toThrow(StreamNotFound);
  });

  it('refuses a decision about a version that has passed, and names the current one', async () => {
    const id = await create();
    await counters.change(id, add(1), context);
    const stale = counters.change(id, add(1), context, { ifVersion: 1 });
    await expect(stale).rejects.toThrow(VersionIsStale);
    await expect(stale).rejects.toMatchObject({ members: { currentVersion: 2 }, kind: 'precondition' });
    await counters.change(id, add(1), context, { ifVersion: 2 });
    expect((await counters.load(id)).version).toBe(3);
  });

  it('finds no stream of another type by its id', async () => {
    const id = await create();
    const others = new Stream(test.database, store, { ...counter, streamType: 'other' });
    await expect(others.load(id)).rejects.toThrow(StreamNotFound);
    expect((await others.loadMany([id])).size).toBe(0);
    await expect(counters.load(randomUUID())).rejects.toThrow(StreamNotFound);
    await expect(counters.create(id, () => [opened], context)).rejects.toThrow(StreamHasMoved);
  });

  it('in a running transaction: repeats a version conflict, but passes an order conflict to the caller', async () => {
    const id = await create();
    let interfered = false;
    const interfere = () => (state: Counter) => {
      void state;
      return [{ type: 'Added', data: { amount: 1 } } as const];
    };
    await test.database.transaction(async () => {
      const before = store.read.bind(store);
      store.read = async (stream) => {
        const contents = await before(stream);
        if (!interfered) {
          interfered = true;
          await test.database.separateTransaction((tx) =>
            store.append(tx, {
              stream: id,
              streamType: 'counter',
              expected: 1,
              events: [{ type: 'Added', data: { amount: 100 } }],
              metadata: context,
            }),
          );
        }
        return contents as never;
      };
      await counters.change(id, interfere, context);
      store.read = before;
    });
    expect(await counters.load(id)).toMatchObject({ version: 3, state: { sum: 101 } });

    let decided = 0;
    const tooEarly = test.database.transaction(async (tx) => {
      await tx.query('SELECT pg_current_xact_id()');
      await test.database.separateTransaction((other) =>
        store.append(other, {
          stream: id,
          streamType: 'counter',
          expected: 'any',
          events: [{ type: 'Added', data: { amount: 1 } }],
          metadata: context,
        }),
      );
      await counters.change(id, () => ((decided += 1), add(1)()), context);
    });
    await expect(tooEarly).rejects.toMatchObject({ reason: 'order' });
    expect(decided).toBe(1);
  });

  it('appends many decisions by one statement and saves the rows of those that held', async () => {
    const [a, b, c] = [await create(), await create(), await create()];
    const loaded = await counters.loadMany([a, b, c]);
    await counters.change(b, add(50), context);
    const answers = await test.database.transaction((tx) =>
      counters.changeMany(
        tx,
        [...loaded].map(([id, from]) => ({
          id,
          from,
          events: [{ type: 'Added', data: { amount: 7 } }] as const,
          context,
        })),
      ),
    );
    expect(answers[0]).toMatchObject({ id: a, version: 2, state: { sum: 7 } });
    expect(answers[1]).toBeInstanceOf(StreamHasMoved);
    expect(answers[2]).toMatchObject({ id: c, version: 2 });
    expect([(await row(a))?.sum, (await row(b))?.sum, (await row(c))?.sum]).toEqual([7, 50, 7]);
  });

  describe('with a follow-up', () => {
    const followedUp = (run: (sums: [number, number][]) => Promise<void>) =>
      new Stream(test.database, store, counter, view, {
        concerns: ({ state }) => state.sum >= 10,
        run: (changes) => run(changes.map(({ before, state }) => [before.sum, state.sum])),
      });

    it('runs it after the append in one transaction, for the changes that it concerns', async () => {
      const seen: unknown[] = [];
      const stream = followedUp(async (sums) => {
        const [appended] = await test.database.query('SELECT pg_current_xact_id_if_assigned() AS id');
        seen.push(sums, (appended as { id: string | null }).id !== null, test.database.isInTransaction);
      });
      const [a, b] = [await create(), await create()];
      await stream.change(a, add(9), context);
      expect(seen).toEqual([]);
      await stream.change(a, add(1), context);
      expect(seen).toEqual([[[9, 10]], true, true]);
      const loaded = await stream.loadMany([a, b]);
      const changes = [...loaded].map(([id, from]) => ({ id, from, events: add(1)()(from.state), context }));
      await test.database.transaction((tx) => stream.changeMany(tx, changes));
      expect(seen.slice(3)).toEqual([[[10, 11]], true, true]);
    });

    it('stores neither events nor rows when it fails, and none of it after a lost race', async () => {
      const id = await create();
      const refused = followedUp(() => Promise.reject(new Error('refused')));
      await expect(refused.change(id, add(10), context)).rejects.toThrow('refused');
      expect([(await counters.load(id)).version, (await row(id))?.sum]).toEqual([1, 0]);
      let runs = 0;
      const stream = followedUp(() => Promise.resolve(void (runs += 1)));
      const stale = [await counters.load(id)];
      await counters.change(id, add(5), context);
      const load = async () => ({ from: stale.pop() ?? (await counters.load(id)), context });
      await stream.changeAs(id, load, ({ from: { state } }) => add(10)()(state));
      expect([runs, (await row(id))?.sum]).toEqual([1, 15]);
    });
  });

  it('reports streams that it cannot fold, and throws when the caller ignores them', async () => {
    const [a, b] = [await create(), await create()];
    const broken = new Error('This cannot follow.');
    const strict = new Stream<Counter, CounterEvent>(test.database, store, {
      ...counter,
      evolve: (state, event, at) => {
        if (event.type === 'Added') throw broken;
        return counter.evolve(state, event, at);
      },
    });
    await counters.change(b, add(1), context);
    await expect(strict.loadMany([a, b])).rejects.toBe(broken);
    const unreadable: unknown[] = [];
    const loaded = await strict.loadMany([a, b], (...each) => unreadable.push(each));
    expect([...loaded.keys()]).toEqual([a]);
    expect(unreadable).toEqual([[b, broken]]);
  });

  it('reads events of every schema version ever written in today’s shape', async () => {
    const id = await create();
    await counters.change(id, add(3), context);
    const later = new EventStore(test.database);
    const today = new Stream<Counter, CounterEvent>(test.database, later, {
      ...counter,
      upcasters: {
        Added: [
          ({ amount }: { amount: number }) => ({ cents: amount * 100 }),
          ({ cents }: { cents: number }) => ({ amount: cents }),
        ],
      },
    });
    expect((await today.load(id)).state.sum).toBe(300);
    const changed = await today.change(id, add(4), context);
    expect(changed.events[0]).toMatchObject({ schemaVersion: 3, data: { amount: 4 } });
    expect((await today.load(id)).state.sum).toBe(304);
    await expect(counters.load(id)).rejects.toThrow(/schema version 3; this release knows 1/);
  });
});
