import { type Database, statement, type Transaction } from '#libs/database';
import { fold, isEventOf } from '../aggregate.js';
import type { DomainEvent, RecordedEvent } from '../domain-event.js';
import type { EventStore } from '../event-store.js';
import type { InlineView, ProjectedStream, ViewRow } from '../inline-view.js';
import { parseTableName } from '../reactions/table-names.js';
import { TableView } from '../table-view.js';
import type { LogConsumer } from './log-pass.js';

interface Head {
  readonly stream: string;
  readonly version: number;
}

const MAX_FOLDED_STREAMS = 150_000;
const STREAMS_PER_SAVE = 500;
/** The transaction is idle while the process folds events. */
const IDLE_TIMEOUT = `SET LOCAL idle_in_transaction_session_timeout = '15min'`;
const LOWEST_ID = '00000000-0000-0000-0000-000000000000';

const READ_HEADS_OF_TYPE = statement(
  'events_read_heads_of_type',
  `SELECT stream, version FROM events.stream WHERE stream_type = $1 AND stream > $2::uuid
   ORDER BY stream LIMIT $3`,
);

/**
 * Rebuilds the rows of one view. Folds streams while the log is read; writers continue. `finish` blocks writers, reads the
 * streams that changed since, and replaces the rows that differ in one transaction: readers see the old rows until it
 * commits.
 */
export class ViewRebuild<State, E extends DomainEvent> implements LogConsumer {
  private readonly folded = new Map<string, ViewRow<State>>();

  constructor(
    private readonly database: Database,
    private readonly store: EventStore,
    private readonly projected: ProjectedStream<State, E>,
    private readonly maxFoldedStreams = MAX_FOLDED_STREAMS,
  ) {}

  get name(): string {
    return this.projected.view.name;
  }

  /** @throws EventIsNewer */
  handle(events: readonly RecordedEvent[]): Promise<void> {
    const { aggregate } = this.projected;
    for (const stored of events) {
      if (!isEventOf(aggregate, stored)) continue;
      const known = this.folded.get(stored.stream);
      if (!known && this.folded.size >= this.maxFoldedStreams) continue;
      const event = this.store.upcast(stored);
      const { stream, version, at } = event;
      const state = aggregate.evolve(known?.state ?? aggregate.initial, event, at);
      this.folded.set(stream, { id: stream, state, version, at });
    }
    return Promise.resolve();
  }

  /** @returns the number of streams. */
  finish(): Promise<number> {
    const { view } = this.projected;
    return this.database.separateTransaction(async (transaction) => {
      await transaction.query(IDLE_TIMEOUT);
      await transaction.query('LOCK TABLE events.stream IN SHARE MODE');
      const comparesRows = isTableView(view) && !(await isEmpty(transaction, view.tables));
      return comparesRows ? this.replaceStale(transaction, view) : this.replaceAll(transaction, view);
    });
  }

  private async replaceAll(transaction: Transaction, view: InlineView<State>): Promise<number> {
    await deleteRows(transaction, view.tables);
    let streams = 0;
    for await (const heads of this.heads(transaction)) {
      await view.save(transaction, await this.rowsOf(heads));
      this.release(heads);
      streams += heads.length;
    }
    return streams;
  }

  /** Keeps correct rows: comparing takes half the time of writing and leaves no dead rows. */
  private async replaceStale(transaction: Transaction, view: TableView<State>): Promise<number> {
    const stale: Head[] = [];
    let streams = 0;
    for await (const heads of this.heads(transaction)) {
      const ids = await view.deleteStale(transaction, await this.rowsOf(heads));
      const isKept = ({ stream }: Head) => ids.has(stream) && this.folded.size <= this.maxFoldedStreams;
      this.release(heads.filter((head) => !isKept(head)));
      stale.push(...heads.filter(({ stream }) => ids.has(stream)));
      streams += heads.length;
    }
    await view.deleteUnknown(transaction, this.projected.aggregate.streamType);
    for (let from = 0; from < stale.length; from += STREAMS_PER_SAVE) {
      const heads = stale.slice(from, from + STREAMS_PER_SAVE);
      await view.save(transaction, await this.rowsOf(heads));
      this.release(heads);
    }
    return streams;
  }

  private release(heads: readonly Head[]): void {
    for (const { stream } of heads) this.folded.delete(stream);
  }

  private async *heads(transaction: Transaction): AsyncGenerator<Head[]> {
    const { streamType } = this.projected.aggregate;
    for (let after = LOWEST_ID; ;) {
      const page = await transaction.query<Head>(READ_HEADS_OF_TYPE, [streamType, after, STREAMS_PER_SAVE]);
      const last = page.at(-1);
      if (!last) return;
      yield page;
      after = last.stream;
    }
  }

  /** Uses a folded stream only if its version is that of the head. */
  private async rowsOf(heads: readonly Head[]): Promise<ViewRow<State>[]> {
    const isCurrent = ({ stream, version }: Head) => this.folded.get(stream)?.version === version;
    const stale = heads.filter((head) => !isCurrent(head)).map(({ stream }) => stream);
    if (stale.length > 0) {
      for (const [stream, { events }] of await this.store.readMany<E>(stale)) this.fold(stream, events);
    }
    return heads.map(({ stream }) => this.folded.get(stream) as ViewRow<State>);
  }

  private fold(id: string, events: readonly RecordedEvent<E>[]): void {
    const { aggregate } = this.projected;
    const last = events.at(-1) as RecordedEvent<E>;
    const state = fold(aggregate, aggregate.initial, events);
    this.folded.set(id, { id, state, version: last.version, at: last.at });
  }
}

const isTableView = <State>(view: InlineView<State>): view is TableView<State> => view instanceof TableView;

async function isEmpty(transaction: Transaction, tables: readonly string[]): Promise<boolean> {
  const rows = tables.map(
    (name) => `EXISTS (SELECT FROM ${parseTableName(name).schema}.${parseTableName(name).table})`,
  );
  const [found] = await transaction.query<{ any: boolean }>(`SELECT ${rows.join(' OR ')} AS any`);
  return found?.any === false;
}

async function deleteRows(transaction: Transaction, tables: readonly string[]): Promise<void> {
  for (const name of tables.toReversed()) {
    const { schema, table } = parseTableName(name);
    await transaction.query(`DELETE FROM ${schema}.${table}`);
  }
}
