import { Injectable } from '@nestjs/common';
import type { Instant } from '#libs/content';
import { Database, type Statement, type Transaction } from '#libs/database';
import {
  conflictOf,
  type Head,
  mapReadable,
  type OnUnreadable,
  StreamHasMoved,
  throwUnreadable,
} from './event-store.errors.js';
import type { AppendRequest } from './append-request.js';
import { byRequest, runAppendMany, validateBatch } from './append-many.js';
import { appendStatement } from './append.statements.js';
import { DeclaredTypes } from './declared-types.js';
import { BEGINNING, type Cursor, type DomainEvent, type RecordedEvent } from './domain-event.js';
import { type AppendedRow, FirstWrites, PreparedAppend, type Unit } from './prepared-append.js';
import type { ViewRow } from './inline-view.js';
import {
  READ_ALL,
  READ_ALL_UP_TO,
  READ_HEADS,
  READ_NOW,
  READ_SETTLED_END,
  READ_STREAM,
  READ_STREAMS,
  readStreamWith,
} from './read.statements.js';
import type { TableView } from './table-view.js';
import { Upcasters } from './upcasters.js';

type StreamRow = RecordedEvent & { now: Instant; value?: unknown };

/** The events of one stream and the database's time of the read. `version` 0: the stream does not exist. */
export interface StreamContents<E extends DomainEvent = DomainEvent> {
  readonly events: RecordedEvent<E>[];
  readonly version: number;
  readonly now: Instant;
}

/** The log: append under an expectation, read one stream, read all events in order. */
@Injectable()
export class EventStore {
  readonly upcasters = new Upcasters();
  readonly types = new DeclaredTypes();
  private readonly listeners: (() => void)[] = [];
  private readonly firstWrites = new FirstWrites();

  constructor(private readonly database: Database) {}

  /**
   * An event in the current schema, for readers of the whole log.
   * @throws EventIsNewer for a later schema version, and for a type that is not declared for its stream type
   */
  upcast<Event extends RecordedEvent>(event: Event): Event {
    this.types.require(event);
    return this.upcasters.upcast(event);
  }

  /** The database's clock. All decisions about time use it. */
  async now(): Promise<Instant> {
    const [row] = await this.database.query<{ now: Instant }>(READ_NOW);
    return (row as { now: Instant }).now;
  }

  /** The whole stream, old schemas upcast. Joins a running transaction. */
  async read<E extends DomainEvent = DomainEvent>(stream: string): Promise<StreamContents<E>> {
    const rows = await this.database.query<StreamRow>(READ_STREAM, [stream]);
    return this.contents<E>(rows, (rows[0] as StreamRow).now);
  }

  /**
   * As `read`, with the value of another query in the same statement.
   * @param query returns at most one row with one column about the stream, whose id is $1
   */
  async readWith<E extends DomainEvent, Value>(
    stream: string,
    query: Statement,
  ): Promise<StreamContents<E> & { readonly value: Value | null }> {
    const rows = await this.database.query<StreamRow>(readStreamWith(query), [stream]);
    const first = rows[0] as StreamRow;
    return { ...this.contents<E>(rows, first.now), value: first.value as Value | null };
  }

  /**
   * Many streams by one statement. The result includes streams without events, at version 0.
   * @param unreadable called for each stream that this release cannot read; the result omits it. Default: throw.
   */
  async readMany<E extends DomainEvent = DomainEvent>(
    streams: readonly string[],
    unreadable: OnUnreadable = throwUnreadable,
  ): Promise<Map<string, StreamContents<E>>> {
    const rows = await this.database.query<StreamRow>(READ_STREAMS, [streams]);
    const now = (rows[0] as StreamRow).now;
    const byStream = Map.groupBy(rows, (row) => row.stream);
    const found = streams.map((stream) => [stream, byStream.get(stream) ?? []] as const);
    return mapReadable(found, (events) => this.contents<E>(events, now), unreadable);
  }

  /**
   * Appends in the caller's transaction. Its first append must be its first write: the first write assigns the
   * transaction id, so everything the decision has read is from transactions before it. Never begins or ends a transaction.
   * @returns the events as recorded, in order; [] for no events, without looking at the expectation.
   * @throws StreamHasMoved when the expectation is not met; nothing was written and the transaction is usable
   * @throws AppendIsNotFirstWrite
   */
  async append<E extends DomainEvent>(
    transaction: Unit,
    request: AppendRequest<E>,
  ): Promise<RecordedEvent<E>[]> {
    return request.events.length === 0 ? [] : this.appendPrepared(transaction, this.prepare(request));
  }

  prepare<E extends DomainEvent>(request: AppendRequest<E>): PreparedAppend<E> {
    return new PreparedAppend(request, this.upcasters);
  }

  /**
   * As `append`, with at least one event.
   * @param saved a view and its row of the stream; the same statement saves it if the expectation is met
   */
  async appendPrepared<State, E extends DomainEvent>(
    unit: Unit,
    append: PreparedAppend<E>,
    saved?: { readonly view: TableView<State>; readonly row: ViewRow<State> },
  ): Promise<RecordedEvent<E>[]> {
    const { stream, streamType, expected, held, at = null } = append.request;
    const values = [stream, streamType, ...append.columns(), append.metadata, at];
    if (typeof expected === 'number') values.push(expected);
    const view = saved && { name: saved.view.name, writes: saved.view.writesOf(saved.row) };
    if (view) values.push(...view.writes.values);
    if (held) values.push(...held.columns.map(([, , value]) => value));
    const sql = appendStatement(expected, append.ids.length, { saved: view, held });
    const rows = await this.firstWrites.check(unit, [append.request], () =>
      unit.query<AppendedRow>(sql, values),
    );
    if (rows.length === 0) {
      const [head] = await unit.query<Head>(READ_HEADS, [[stream]]);
      throw conflictOf(append.request, head);
    }
    unit.afterCommit(() => this.notifyListeners());
    return append.recorded(rows);
  }

  /**
   * Appends to many streams by one statement, at most once to each.
   * @returns in the order of the requests: the recorded events, or StreamHasMoved if the expectation is not met
   * @throws RangeError when a stream occurs twice or a request has no events
   */
  async appendMany<E extends DomainEvent>(
    transaction: Transaction,
    requests: readonly AppendRequest<E>[],
  ): Promise<(RecordedEvent<E>[] | StreamHasMoved)[]> {
    if (requests.length === 0) return [];
    validateBatch(requests);
    const appends = requests.map((request) => new PreparedAppend(request, this.upcasters));
    const appended = await this.firstWrites.check(transaction, requests, () =>
      runAppendMany(transaction, appends),
    );
    const rows = byRequest(requests, appended);
    transaction.afterCommit(() => this.notifyListeners());
    const moved = requests.filter((_, index) => rows[index]?.length === 0);
    const conflicts = await this.conflicts(transaction, moved);
    return appends.map((append, index) => {
      return conflicts.get(append.request) ?? append.recorded(rows[index] ?? []);
    });
  }

  /**
   * The next events of the whole log after `after`, in log order, at most `limit`, data as stored. Omits events that a
   * running transaction could still precede, so a cursor never skips one.
   */
  async readAll(after: Cursor, limit: number): Promise<{ events: RecordedEvent[]; cursor: Cursor }> {
    const values = [after.transactionId, after.position, limit];
    return page(await this.database.query<RecordedEvent>(READ_ALL, values), after);
  }

  /** As readAll, but not beyond `upTo`, which a reader must have reached already. */
  async readAllUpTo(
    after: Cursor,
    upTo: Cursor,
    limit: number,
  ): Promise<{ events: RecordedEvent[]; cursor: Cursor }> {
    const values = [after.transactionId, after.position, limit, upTo.transactionId, upTo.position];
    return page(await this.database.query<RecordedEvent>(READ_ALL_UP_TO, values), after);
  }

  /** The last event that no running transaction can precede; BEGINNING if there is none. */
  async settledEnd(): Promise<Cursor> {
    const [last] = await this.database.query<Cursor>(READ_SETTLED_END);
    return last ?? BEGINNING;
  }

  /** Calls `listener` after each commit of this process that appended. A hint only: other processes append too. */
  onAppended(listener: () => void): void {
    this.listeners.push(listener);
  }

  private notifyListeners(): void {
    for (const listener of this.listeners) listener();
  }

  private contents<E extends DomainEvent>(rows: readonly StreamRow[], now: Instant): StreamContents<E> {
    const events = rows
      .filter((row) => row.id !== null)
      .map(({ now: _, value: __, ...event }) => this.upcasters.upcast(event) as RecordedEvent<E>);
    return { events, version: events.at(-1)?.version ?? 0, now };
  }

  private async conflicts(
    transaction: Transaction,
    requests: readonly AppendRequest[],
  ): Promise<Map<AppendRequest, StreamHasMoved>> {
    if (requests.length === 0) return new Map();
    const streams = requests.map((request) => request.stream);
    const heads = await transaction.query<Head>(READ_HEADS, [streams]);
    return new Map(
      requests.map((request) => [
        request,
        conflictOf(
          request,
          heads.find((head) => head.stream === request.stream),
        ),
      ]),
    );
  }
}

function page(events: RecordedEvent[], after: Cursor): { events: RecordedEvent[]; cursor: Cursor } {
  const last = events.at(-1);
  return { events, cursor: last ? { transactionId: last.transactionId, position: last.position } : after };
}
