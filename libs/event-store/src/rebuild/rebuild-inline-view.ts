import type { Database, Executor, Transaction } from '#libs/database';
import { statement } from '#libs/database';
import type { Aggregate } from '../aggregate.js';
import type { DomainEvent, RecordedEvent } from '../domain-event.js';
import type { InlineView, ViewRow } from '../inline-view.js';
import { qualified } from '../reactions/place.js';
import type { Upcasters } from '../upcasters.js';

/** What a rebuild needs to know of a stream; Stream itself is one. */
export interface Projected<State, E extends DomainEvent> {
  readonly aggregate: Aggregate<State, E>;
  readonly view: InlineView<State>;
}

const EVENTS_PER_READ = 4_000;
/** How long one transaction may wait for the other's work; then the server cuts it, as it cuts any that nobody ends. */
const PATIENCE = `SET LOCAL idle_in_transaction_session_timeout = '15min'`;
const BEFORE_ALL = '00000000-0000-0000-0000-000000000000';

/** Along the index of (stream, version): no sort, whatever the size of the log. */
const READ_BY_STREAM = statement(
  'events_read_by_stream',
  `SELECT stream, version, type, schema_version AS "schemaVersion", data,
     to_char(at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS at
   FROM events.event WHERE (stream, version) > ($2::uuid, $3::int) AND stream_type = $1
   ORDER BY stream, version LIMIT $4`,
);

/**
 * Folds every stream again and saves the rows anew, in one transaction: readers see the old rows until it commits,
 * appends of all streams wait that long. Memory holds one read ahead, whatever the size of the log.
 * @returns the number of streams.
 */
export async function rebuildInlineView<State, E extends DomainEvent>(
  database: Database,
  upcasters: Upcasters,
  { aggregate, view }: Projected<State, E>,
): Promise<number> {
  return database.separateTransaction((reader) =>
    database.separateTransaction(async (writer) => {
      for (const each of [reader, writer]) await each.query(PATIENCE);
      await writer.query('LOCK TABLE events.stream IN SHARE MODE');
      await empty(writer, view.tables);
      await reader.query('SET LOCAL enable_seqscan = off');
      await reader.query('SET LOCAL enable_sort = off');
      const folding = new Folding(aggregate, upcasters);
      let streams = 0;
      for await (const events of byStream(reader, aggregate.streamType)) {
        const rows = folding.add(events);
        streams += rows.length;
        if (rows.length > 0) await view.save(writer, rows);
      }
      return streams;
    }),
  );
}

async function empty(writer: Transaction, tables: readonly string[]): Promise<void> {
  for (const name of tables.toReversed()) {
    const { schema, table } = qualified(name);
    await writer.query(`DELETE FROM ${schema}.${table}`);
  }
}

/** Reads one page ahead while the last one is worked on. Ends with an empty page. */
async function* byStream(reader: Executor, streamType: string): AsyncGenerator<RecordedEvent[]> {
  const after = (last?: RecordedEvent) =>
    reader.query<RecordedEvent>(READ_BY_STREAM, [
      streamType,
      last?.stream ?? BEFORE_ALL,
      last?.version ?? 0,
      EVENTS_PER_READ,
    ]);
  let next = after();
  for (;;) {
    const page = await next;
    if (page.length > 0) next = after(page.at(-1));
    // Who works on this page may fail before it comes to look at the next one.
    next.catch(() => undefined);
    yield page;
    if (page.length === 0) return;
  }
}

/** Folds events that come stream by stream; a stream is complete when the next one begins or nothing follows. */
class Folding<State, E extends DomainEvent> {
  private open: ViewRow<State> | undefined;

  constructor(
    private readonly aggregate: Aggregate<State, E>,
    private readonly upcasters: Upcasters,
  ) {}

  /** @param events [] at the end. @returns the streams that are complete now. */
  add(events: readonly RecordedEvent[]): ViewRow<State>[] {
    const complete: ViewRow<State>[] = [];
    for (const stored of events) {
      const event = this.upcasters.upToDate(stored);
      if (this.open && this.open.id !== event.stream) complete.push(this.open);
      const before = this.open?.id === event.stream ? this.open.state : this.aggregate.initial;
      const state = this.aggregate.evolve(before, event as unknown as E, event.at);
      this.open = { id: event.stream, state, version: event.version, at: event.at };
    }
    if (events.length === 0 && this.open) complete.push(this.open);
    return complete;
  }
}
