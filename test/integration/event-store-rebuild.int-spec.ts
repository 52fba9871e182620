import { AsyncLocalStorage } from 'node:async_hooks';
import { createHash, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { jest } from '@jest/globals';
import fc from 'fast-check';
import { DataSource } from 'typeorm';
import { Database, dataSourceOptions, type Transaction } from '#libs/database';
import {
  type Aggregate,
  type DomainEvent,
  EventStore,
  type InlineView,
  Projections,
  type Reaction,
  Reactions,
  type RecordedEvent,
  Stream,
  TableView,
  type ViewRow,
  viewTable,
} from '#libs/event-store';
import { anEventMetadata } from '#libs/event-store/testing';
import { createTestDatabase, serverUrl, type TestDatabase } from '../support/test-database.js';
import { settled } from '../support/settled.js';
import { waitUntil } from '../support/wait-until.js';

type NoteEvent = DomainEvent<'Written', { text: string }> | DomainEvent<'Torn', Record<string, never>>;
interface Note {
  readonly text: string;
  readonly torn: boolean;
  readonly lastAt: string;
}
const note: Aggregate<Note, NoteEvent> = {
  streamType: 'note',
  initial: { text: '', torn: false, lastAt: '' },
  evolve: (state, event, at) =>
    event.type === 'Written'
      ? { text: state.text + event.data.text, torn: false, lastAt: at }
      : { ...state, torn: true, lastAt: at },
};
/** A torn note has no row. */
const view = new TableView<Note>({
  name: 'notes',
  tables: [
    viewTable({
      name: 'desk.note_view',
      key: 'id',
      columns: [
        ['text', 'text', (row: ViewRow<Note>) => row.state.text],
        ['version', 'int', ({ version }) => version],
        ['at', 'timestamptz', ({ at }) => at],
      ],
      rowOf: (row) => (row.state.torn ? null : row),
    }),
  ],
});

class CountLetters implements Reaction {
  readonly name = 'letters';
  readonly tables = ['desk.letter_count'];

  constructor(
    private readonly table = 'letter_count',
    readonly rebuild: 'swap' | 'compare' = 'swap',
  ) {}

  async handle(transaction: Transaction, events: RecordedEvent[]): Promise<void> {
    const counts = new Map<string, number>();
    for (const event of events) {
      const text = (event.data as { text?: string }).text ?? '-';
      counts.set(text.length.toString(), (counts.get(text.length.toString()) ?? 0) + 1);
    }
    await transaction.query(
      `INSERT INTO ${this.table} AS counted SELECT * FROM unnest($1::text[], $2::int[])
       ON CONFLICT (length) DO UPDATE SET times = counted.times + excluded.times`,
      [[...counts.keys()], [...counts.values()]],
    );
  }
}

describe('rebuilding from the log', () => {
  let test: TestDatabase;
  let store: EventStore;
  let notes: Stream<Note, NoteEvent>;
  let reactions: Reactions;
  let projections: Projections;
  const context = anEventMetadata();

  beforeEach(async () => {
    test = await createTestDatabase();
    await test.database.query(`CREATE SCHEMA desk`);
    await test.database.query(
      `CREATE TABLE desk.note_view (id uuid PRIMARY KEY, text text NOT NULL, version int, at timestamptz(3))`,
    );
    await test.database.query(`CREATE TABLE desk.letter_count (length text PRIMARY KEY, times int NOT NULL)`);
    await test.database.query(`CREATE INDEX letters_by_times ON desk.letter_count (times)`);
    store = new EventStore(test.database);
    notes = new Stream(test.database, store, note, view);
    reactions = new Reactions(test.database, store);
    projections = new Projections(test.database, store, reactions, () => [{ aggregate: note, view }]);
  });
  afterEach(async () => {
    await reactions.stop();
    await test.drop();
  });

  async function checksum(table: string): Promise<string> {
    const [row] = await test.database.query<{ rows: string }>(
      `SELECT coalesce(string_agg(t::text, E'\\n' ORDER BY t::text), '') AS rows FROM ${table} t`,
    );
    return createHash('sha256')
      .update(row?.rows ?? '')
      .digest('hex');
  }
  async function write(texts: readonly string[]): Promise<void> {
    const ids: string[] = [];
    for (const [index, text] of texts.entries()) {
      const known = ids[index % 7];
      if (known && index % 3) {
        const event: NoteEvent = index % 5 ? { type: 'Written', data: { text } } : { type: 'Torn', data: {} };
        await notes.change(known, () => () => [event], context);
      } else {
        ids.push((await notes.create(randomUUID(), () => [{ type: 'Written', data: { text } }], context)).id);
      }
    }
  }
  const caughtUp = async () => {
    while ((await reactions.status()).some((status) => status.lagEvents > 0)) await sleep(10);
  };

  it('reproduces the live rows, twice, for every history', async () => {
    reactions.register(new CountLetters(), { batchSize: 7 });
    reactions.start();
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.string({ unit: 'grapheme-composite', maxLength: 8 }), { maxLength: 25 }),
        async (texts) => {
          await write(texts.map((text) => text.replaceAll('\0', '')));
          await caughtUp();
          const live = [await checksum('desk.note_view'), await checksum('desk.letter_count')];
          for (const _ of ['once', 'and again']) {
            await projections.rebuild();
            expect([await checksum('desk.note_view'), await checksum('desk.letter_count')]).toEqual(live);
          }
        },
      ),
      { numRuns: 8 },
    );
  });

  it('repairs rows that were lost, changed or made up, and keeps the tables’ indexes', async () => {
    reactions.register(new CountLetters());
    reactions.start();
    await write(Array.from({ length: 40 }, (_, n) => 'x'.repeat(n % 5)));
    await caughtUp();
    const live = [await checksum('desk.note_view'), await checksum('desk.letter_count')];
    await test.database.query(`UPDATE desk.letter_count SET times = times + 1`);
    await test.database.query(`INSERT INTO desk.letter_count VALUES ('99', 1)`);
    await test.database.query(`DELETE FROM desk.note_view WHERE version = 1`);
    await test.database.query(`INSERT INTO desk.note_view VALUES (gen_random_uuid(), 'made up', 1, now())`);
    const rebuilt = await projections.rebuild();
    expect(rebuilt).toMatchObject([
      { name: 'notes', kind: 'view' },
      { name: 'letters', kind: 'reaction', count: 40 },
    ]);
    expect([await checksum('desk.note_view'), await checksum('desk.letter_count')]).toEqual(live);
    const indexes = await test.database.query(
      `SELECT indexname FROM pg_indexes WHERE tablename = 'letter_count' ORDER BY 1`,
    );
    expect(indexes).toEqual([{ indexname: 'letter_count_pkey' }, { indexname: 'letters_by_times' }]);
    expect(await test.database.query(`SELECT FROM pg_namespace WHERE nspname ~ 'rebuild'`)).toEqual([]);
  });

  it('of a view made of tables writes only the rows that differ', async () => {
    await write(['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h']);
    const versions = async () =>
      new Map(
        (
          await test.database.query<{ id: string; row: string }>(
            'SELECT id, xmin::text || ctid::text AS row FROM desk.note_view ORDER BY id',
          )
        ).map(({ id, row }) => [id, row]),
      );
    const before = await versions();
    const changed = [...before.keys()][1] as string;
    await test.database.query(`UPDATE desk.note_view SET text = 'changed' WHERE id = $1`, [changed]);
    await projections.rebuild('notes');
    const after = await versions();
    const rewritten = [...after].filter(([id, row]) => before.get(id) !== row).map(([id]) => id);
    expect(before.size).toBeGreaterThan(2);
    expect([...after.keys()]).toEqual([...before.keys()]);
    expect(rewritten).toEqual([changed]);
  });

  it('repairs rows with swapped unique values', async () => {
    await test.database.query('CREATE UNIQUE INDEX one_note_per_text ON desk.note_view (text)');
    await write(['first', 'second']);
    const live = await checksum('desk.note_view');
    await test.database.query(`UPDATE desk.note_view SET text = text || ' moved'`);
    await test.database.query(
      `UPDATE desk.note_view SET text = CASE text WHEN 'first moved' THEN 'second' ELSE 'first' END`,
    );
    await projections.rebuild('notes');
    expect(await checksum('desk.note_view')).toBe(live);
  });

  it('loses and repeats nothing while events keep coming', async () => {
    reactions.register(new CountLetters(), { batchSize: 3 });
    reactions.start();
    let writing = true;
    const writer = (async () => {
      while (writing) await write(['a', 'bb', 'ccc', 'd']);
    })();
    for (let n = 0; n < 5; n += 1) await projections.rebuild();
    writing = false;
    await writer;
    await caughtUp();
    const live = [await checksum('desk.note_view'), await checksum('desk.letter_count')];
    const [{ events } = { events: 0 }] = await test.database.query<{ events: number }>(
      'SELECT count(*)::int AS events FROM events.event',
    );
    const [{ counted } = { counted: -1 }] = await test.database.query<{ counted: number }>(
      'SELECT sum(times)::int AS counted FROM desk.letter_count',
    );
    expect(counted).toBe(events);
    await projections.rebuild();
    expect([await checksum('desk.note_view'), await checksum('desk.letter_count')]).toEqual(live);
  });

  it('lets writers wait while a view is rebuilt, so that their rows are the newer ones', async () => {
    const order: string[] = [];
    const { id } = await notes.create(
      randomUUID(),
      () => [{ type: 'Written', data: { text: 'a' } }],
      context,
    );
    const change = () =>
      notes
        .change(id, () => () => [{ type: 'Written', data: { text: 'b' } }], context)
        .then(() => order.push('changed'));
    const slow: InlineView<Note> = {
      name: view.name,
      tables: view.tables,
      save: async (executor, rows) => {
        changing ??= outside(change);
        await sleep(150);
        await view.save(executor, rows);
        order.push('rebuilt');
      },
    };
    const outside = AsyncLocalStorage.snapshot();
    let changing: Promise<unknown> | undefined;
    const own = new EventStore(test.database);
    const views = () => [{ aggregate: note, view: slow }];
    await new Projections(test.database, own, new Reactions(test.database, own), views).rebuild('notes');
    await changing;
    expect(order).toEqual(['rebuilt', 'changed']);
    expect(await test.database.query('SELECT text, version FROM desk.note_view')).toEqual([
      { text: 'ab', version: 2 },
    ]);
  });

  it('of what is only compared counts the rows that differ and leaves them alone', async () => {
    reactions.register(new CountLetters('letter_count', 'compare'));
    reactions.start();
    await write(['a', 'bb', 'ccc']);
    await caughtUp();
    expect(await projections.rebuild('letters')).toMatchObject([{ differences: 0 }]);
    await test.database.query(`UPDATE desk.letter_count SET times = 5 WHERE length = '1'`);
    const altered = await checksum('desk.letter_count');
    expect(await projections.rebuild('letters')).toMatchObject([{ differences: 2 }]);
    expect(await checksum('desk.letter_count')).toBe(altered);
  });

  it('refuses a reaction that would write to its live table, and changes nothing', async () => {
    reactions.register(new CountLetters('desk.letter_count'));
    reactions.start();
    await write(['a', 'bb']);
    await caughtUp();
    const live = await checksum('desk.letter_count');
    await expect(projections.rebuild('letters')).rejects.toThrow(/without the schema/);
    expect(await checksum('desk.letter_count')).toBe(live);
  });

  it('finds projections by name, and runs one rebuild at a time', async () => {
    await expect(projections.rebuild('unknown')).rejects.toThrow(/Use one of: notes\./);
    let first: Promise<unknown> = Promise.resolve();
    await test.database.separateTransaction(async (reader) => {
      await reader.query('LOCK TABLE desk.note_view IN ACCESS EXCLUSIVE MODE');
      first = projections.rebuild();
      await waitUntil(async () => {
        const waits =
          'SELECT FROM pg_locks WHERE NOT granted AND pg_backend_pid() = ANY (pg_blocking_pids(pid))';
        return (await reader.query(waits)).length > 0;
      });
      await expect(projections.rebuild()).rejects.toThrow('Another rebuild is running.');
    });
    await first;
  });

  it('reads again what it had no memory to fold, and what was appended meanwhile', async () => {
    await write(Array.from({ length: 40 }, (_, n) => 'x'.repeat(n % 5)));
    const live = await checksum('desk.note_view');
    await test.database.query('DELETE FROM desk.note_view');
    expect(await projections.rebuild('notes', { maxFoldedStreams: 2 })).toMatchObject([{ count: 18 }]);
    expect(await checksum('desk.note_view')).toBe(live);

    const [{ id } = { id: '' }] = await test.database.query<{ id: string }>(
      'SELECT id FROM desk.note_view LIMIT 1',
    );
    // Transactions of other test files hold back what is read without a lock.
    await settled(test.database);
    const readAllUpTo = store.readAllUpTo.bind(store);
    jest.spyOn(store, 'readAllUpTo').mockImplementationOnce(async (...place) => {
      const page = await readAllUpTo(...place);
      await outside(() =>
        notes.change(id, () => () => [{ type: 'Written', data: { text: 'late' } }], context),
      );
      return page;
    });
    const outside = AsyncLocalStorage.snapshot();
    await projections.rebuild('notes');
    const [row] = await test.database.query<{ text: string }>(
      'SELECT text FROM desk.note_view WHERE id = $1',
      [id],
    );
    expect(row?.text).toBe((await notes.load(id)).state.text);
    expect(row?.text).toContain('late');
  });

  it('refuses an event of a type that this release does not know, and changes nothing', async () => {
    await write(['a', 'bb', 'ccc']);
    await test.database.query(`UPDATE desk.note_view SET text = 'as it was'`);
    const before = await checksum('desk.note_view');
    await test.database.transaction((transaction) =>
      store.append(transaction, {
        ...{ stream: randomUUID(), streamType: 'note', expected: 'none', metadata: context },
        events: [{ type: 'Archived', data: {} }],
      }),
    );
    const own = new EventStore(test.database);
    const older = new Stream(
      test.database,
      own,
      { ...note, eventTypes: { Written: true, Torn: true } },
      view,
    );
    const views = () => [{ aggregate: older.aggregate, view }];
    const rebuild = new Projections(test.database, own, new Reactions(test.database, own), views).rebuild(
      'notes',
    );
    await expect(rebuild).rejects.toMatchObject({ code: 'event_of_newer_release' });
    expect(await checksum('desk.note_view')).toBe(before);
  });

  it('folds a stream that is longer than one page', async () => {
    const events = Array.from({ length: 4_500 }, (): NoteEvent => ({ type: 'Written', data: { text: 'x' } }));
    const { id } = await notes.create(randomUUID(), () => events, context);
    const live = await checksum('desk.note_view');
    await test.database.query('DELETE FROM desk.note_view');
    expect(await projections.rebuild('notes')).toMatchObject([{ count: 1 }]);
    expect(await checksum('desk.note_view')).toBe(live);
    expect((await notes.load(id)).state.text).toHaveLength(4_500);
  });
  it('of a view goes on however long one of its transactions waits for the other', async () => {
    await write(['a', 'bb', 'ccc']);
    const live = await checksum('desk.note_view');
    await test.database.query(
      `CREATE FUNCTION desk.take_time() RETURNS trigger LANGUAGE plpgsql AS
         $$ BEGIN PERFORM pg_sleep(1.2); RETURN NULL; END $$;
       CREATE TRIGGER take_time BEFORE DELETE ON desk.note_view EXECUTE FUNCTION desk.take_time()`,
    );
    // A pooler refuses the setting at the start of a connection.
    const url = serverUrl(new URL(test.url).pathname.slice(1));
    const options = dataSourceOptions({ url, poolSize: 4 }, []);
    const extra = { idle_in_transaction_session_timeout: 400 };
    const dataSource = await new DataSource({ ...options, extra }).initialize();
    const impatient = new Database(dataSource);
    const own = new EventStore(impatient);
    const slow: InlineView<Note> = {
      ...{ name: view.name, tables: view.tables },
      save: async (executor, rows) => {
        await sleep(1_200);
        await view.save(executor, rows);
      },
    };
    const views = () => [{ aggregate: note, view: slow }];
    await new Projections(impatient, own, new Reactions(impatient, own), views).rebuild();
    await dataSource.destroy();
    expect(await checksum('desk.note_view')).toBe(live);
  });
});
