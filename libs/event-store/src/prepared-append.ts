import { randomUUIDv7 } from 'node:crypto';
import { arrayOfJson, Database, type Transaction } from '#libs/database';
import type { AppendRequest } from './append-request.js';
import type { DomainEvent, RecordedEvent } from './domain-event.js';
import { AppendIsNotFirstWrite } from './event-store.errors.js';
import type { Upcasters } from './upcasters.js';

/** A transaction, or the database itself, which joins a running transaction or commits each statement separately. */
export type Unit = Database | Transaction;

/** Requires of each transaction that its first append is its first write. */
export class FirstWrites {
  private readonly appended = new WeakSet<Transaction>();

  /**
   * A refused append counts as one: it assigns the transaction id, and the caller may repeat it in the same transaction.
   * @throws AppendIsNotFirstWrite
   */
  async check<Row extends { readonly had_id: boolean }>(
    unit: Unit,
    requests: readonly AppendRequest[],
    append: () => Promise<Row[]>,
  ): Promise<Row[]> {
    const transaction = unit instanceof Database ? unit.running : unit;
    const isFirst = transaction !== undefined && !this.appended.has(transaction);
    if (isFirst) this.appended.add(transaction);
    const rows = await append();
    const early = isFirst && rows[0]?.had_id && requests.find((request) => !request.afterWrites);
    if (early) throw new AppendIsNotFirstWrite(early.streamType);
    return rows;
  }
}

/** The members of an appended event that the database assigns. */
export interface AppendedRow {
  readonly version: number;
  readonly position: string;
  readonly transaction_id: string;
  readonly at: Date;
  /** Whether the transaction had its id before the append. */
  readonly had_id: boolean;
}

/** A request as the arrays that the append statements take. */
export class PreparedAppend<E extends DomainEvent = DomainEvent> {
  readonly ids: string[] = [];
  readonly types: string[] = [];
  readonly schemaVersions: number[] = [];
  readonly data: string[] = [];
  readonly metadata: string;
  /** Data as a later read returns it, after a round trip through JSON. */
  readonly events: readonly E[];

  constructor(
    readonly request: AppendRequest<E>,
    upcasters: Upcasters,
  ) {
    for (const event of request.events) {
      this.ids.push(randomUUIDv7());
      this.types.push(event.type);
      this.schemaVersions.push(upcasters.currentVersion(event.type));
      this.data.push(JSON.stringify(event.data));
    }
    this.metadata = JSON.stringify(request.metadata);
    this.events = request.events.map(
      ({ type }, index) => ({ type, data: JSON.parse(this.data[index] as string) as unknown }) as E,
    );
  }

  /** Ids, types, schema versions and data: arrays, or the values themselves when there is one event. */
  columns(): unknown[] {
    const { ids, types, schemaVersions, data } = this;
    if (ids.length === 1) return [ids[0], types[0], schemaVersions[0], data[0]];
    return [ids, types, schemaVersions, arrayOfJson(data)];
  }

  /** The events as a later read returns them. */
  recorded(rows: readonly AppendedRow[]): RecordedEvent<E>[] {
    const { stream, streamType, metadata } = this.request;
    return rows.map((row, index) => ({
      ...(this.events[index] as E),
      id: this.ids[index] as string,
      stream,
      streamType,
      version: row.version,
      schemaVersion: this.schemaVersions[index] as number,
      metadata,
      at: row.at.toISOString(),
      position: row.position,
      transactionId: row.transaction_id,
    }));
  }
}
