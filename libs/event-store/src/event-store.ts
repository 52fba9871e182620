import { Injectable } from '@nestjs/common';
import type { Statement, Transaction } from '#libs/database';
import { Database } from '#libs/database';
import { conflict } from './append-conflict.js';
import type { Head } from './append-conflict.js';
import type { AppendRequest } from './append-request.js';
import { runAppendMany } from './append-many.js';
import { appendStatement } from './append.statements.js';
import { mustBeKnown } from './aggregate.js';
import type { Cursor } from './cursor.js';
import { BEGINNING } from './cursor.js';
import type { DomainEvent, Instant, RecordedEvent } from './domain-event.js';
import { StreamHasMoved } from './event-store.errors.js';
import type { ViewRow } from './inline-view.js';
import type { Projected } from './projected.js';
import type { AppendedRow } from './prepared-append.js';
import { PreparedAppend } from './prepared-append.js';
import {
  READ_ALL,
  READ_ALL_UP_TO,
  READ_HEADS,
  READ_NOW,
  READ_SETTLED_END,
  READ_STREAM,
  READ_STREAMS,
  readStreamBeside,
} from './read.statements.js';
import type { TableView } from './table-view.js';
import { eachReadable, refuseUnreadable } from './unreadable.js';
import type { Unreadable } from './unreadable.js';
import { Upcasters } from './upcasters.js';

/** What is stored together: a transaction, or the database itself, where each statement is unless a transaction runs. */
type Unit = Database | Transaction;

type StreamRow = RecordedEvent & { now: Instant; beside?: unknown };

/** What one stream holds, and the database's time when it was read. `version` 0: there is no such stream. */
export interface StreamContents<E extends DomainEvent = DomainEvent> {
  readonly events: RecordedEvent<E>[];
  readonly version: number;
  readonly now: Instant;
}

/** The log: append under an expectation, read one stream, read everything in order. */
@Injectable()
export class EventStore {
  readonly upcasters = new Upcasters();
  /** Streams with a view of this process, for rebuilding. */
  readonly projected: Projected<unknown, DomainEvent>[] = [];
  /** By stream type: what this process can fold. */
  private readonly eventTypes = new Map<string, Readonly<Record<string, true>>>();
  private readonly listeners: (() => void)[] = [];

  constructor(private readonly database: Database) {}

  /** Declares the types of events that this release knows in streams of one type. */
  declare(streamType: string, eventTypes: Readonly<Record<string, true>> | undefined): void {
    if (eventTypes) this.eventTypes.set(streamType, eventTypes);
  }

  /**
   * An event in today's shape, for readers of the whole log.
   * @throws EventIsNewer for a later schema version, and for a type that this release does not know of a stream it folds.
   */
  inShape(event: RecordedEvent): RecordedEvent {
    const known = this.eventTypes.get(event.streamType);
    if (known) mustBeKnown(known, event.type, event.streamType);
    return this.upcasters.upToDate(event);
  }

  /** The database's clock, which every decision about time is made with. */
  async now(): Promise<Instant> {
    const [row] = await this.database.query<{ now: Instant }>(READ_NOW);
    return (row as { now: Instant }).now;
  }

  /** The whole stream, old shapes brought up to date. Takes part in a running transaction. */
  async read<E extends DomainEvent = DomainEvent>(stream: string): Promise<StreamContents<E>> {
    const rows = await this.database.query<StreamRow>(READ_STREAM, [stream]);
    return this.contents<E>(rows, (rows[0] as StreamRow).now);
  }

  /**
   * As `read`, and by the same statement one value of the caller's.
   * @param beside a query of one row and column about the stream, whose id is $1.
   */
  async readBeside<E extends DomainEvent, Value>(
    stream: string,
    beside: Statement,
  ): Promise<StreamContents<E> & { readonly beside: Value | null }> {
    const rows = await this.database.query<StreamRow>(readStreamBeside(beside), [stream]);
    const first = rows[0] as StreamRow;
    return { ...this.contents<E>(rows, first.now), beside: first.beside as Value | null };
  }

  /**
   * Many streams by one statement; streams without events are there too, at version 0.
   * @param unreadable is told of each that this release cannot read, which is left out; without it that is thrown.
   */
  async readMany<E extends DomainEvent = DomainEvent>(
    streams: readonly string[],
    unreadable: Unreadable = refuseUnreadable,
  ): Promise<Map<string, StreamContents<E>>> {
    const rows = await this.database.query<StreamRow>(READ_STREAMS, [streams]);
    const now = (rows[0] as StreamRow).now;
    const byStream = Map.groupBy(rows, (row) => row.stream);
    const found = streams.map((stream) => [stream, byStream.get(stream) ?? []] as const);
    return eachReadable(found, (events) => this.contents<E>(events, now), unreadable);
  }

  /**
   * Appends in the caller's transaction, which should not have written before: its first write gives the transaction
   * its id, and with the append coming first nothing decided upon can be newer. Never begins or ends a transaction.
   * @returns the events as recorded, in order; [] for no events, without looking at the expectation.
   * @throws StreamHasMoved when the expectation does not hold; nothing was written and the transaction is usable.
   */
  async append(transaction: Unit, request: AppendRequest): Promise<RecordedEvent[]> {
    return request.events.length === 0 ? [] : this.appendPrepared(transaction, this.prepare(request));
  }

  prepare(request: AppendRequest): PreparedAppend {
    return new PreparedAppend(request, this.upcasters);
  }

  /**
   * As `append`, of at least one event. Given the database itself, it takes part in a running transaction or is
   * committed by itself.
   * @param saved a view, whose row of the stream is saved by the same statement if the expectation holds.
   */
  async appendPrepared<State>(
    unit: Unit,
    append: PreparedAppend,
    saved?: { readonly view: TableView<State>; readonly row: ViewRow<State> },
  ): Promise<RecordedEvent[]> {
    const { stream, streamType, expected, at = null } = append.request;
    const values = [stream, streamType, ...append.columns(), append.metadata, at];
    if (typeof expected === 'number') values.push(expected);
    const view = saved && { name: saved.view.name, writes: saved.view.writesOf(saved.row) };
    if (view) values.push(...view.writes.values);
    const sql = appendStatement(expected, append.ids.length, view);
    const rows = await unit.query<AppendedRow>(sql, values);
    if (rows.length === 0) {
      const [head] = await unit.query<Head>(READ_HEADS, [[stream]]);
      throw conflict(append.request, head);
    }
    unit.afterCommit(() => this.announce());
    return append.recorded(rows);
  }

  /**
   * Appends to many streams by one statement, at most once to each. What holds is appended, what does not is
   * answered as StreamHasMoved in its place; the order is that of the requests.
   * @throws RangeError when a stream is named twice or a request has no events.
   */
  async appendMany(
    transaction: Transaction,
    requests: readonly AppendRequest[],
  ): Promise<(RecordedEvent[] | StreamHasMoved)[]> {
    if (requests.length === 0) return [];
    refuseUnclear(requests);
    const appends = requests.map((request) => new PreparedAppend(request, this.upcasters));
    const rows = await runAppendMany(transaction, appends);
    transaction.afterCommit(() => this.announce());
    const moved = requests.filter((_, index) => rows[index]?.length === 0);
    const conflicts = await this.conflicts(transaction, moved);
    return appends.map((append, index) => {
      return conflicts.get(append.request) ?? append.recorded(rows[index] ?? []);
    });
  }

  /**
   * The next events of the whole log after `after`, in log order, at most `limit`, data as stored. Events that
   * a running transaction could still come before are not shown yet, so a cursor never skips one.
   */
  async readAll(after: Cursor, limit: number): Promise<{ events: RecordedEvent[]; cursor: Cursor }> {
    const values = [after.transactionId, after.position, limit];
    return page(await this.database.query<RecordedEvent>(READ_ALL, values), after);
  }

  /** As readAll, but not beyond `upTo`, which some reader must have reached already. */
  async readAllUpTo(
    after: Cursor,
    upTo: Cursor,
    limit: number,
  ): Promise<{ events: RecordedEvent[]; cursor: Cursor }> {
    const values = [after.transactionId, after.position, limit, upTo.transactionId, upTo.position];
    return page(await this.database.query<RecordedEvent>(READ_ALL_UP_TO, values), after);
  }

  /** The last event that every running transaction comes after; the beginning where there is none. */
  async settledEnd(): Promise<Cursor> {
    const [last] = await this.database.query<Cursor>(READ_SETTLED_END);
    return last ?? BEGINNING;
  }

  /** Calls back after every commit of this process that appended. A hint: other processes append too. */
  onAppended(listener: () => void): void {
    this.listeners.push(listener);
  }

  private announce(): void {
    for (const listener of this.listeners) listener();
  }

  private contents<E extends DomainEvent>(rows: readonly StreamRow[], now: Instant): StreamContents<E> {
    const events = rows
      .filter((row) => row.id !== null)
      .map(({ now: _, beside: __, ...event }) => this.upcasters.upToDate(event) as RecordedEvent<E>);
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
        conflict(
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

function refuseUnclear(requests: readonly AppendRequest[]): void {
  if (new Set(requests.map((request) => request.stream)).size !== requests.length) {
    throw new RangeError('One append per stream and statement.');
  }
  if (requests.some((request) => request.events.length === 0)) throw new RangeError('Nothing to append.');
}
