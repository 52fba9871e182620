import { randomUUIDv7 } from 'node:crypto';
import { arrayOfJson } from '#libs/database';
import type { AppendRequest } from './append-request.js';
import type { DomainEvent, RecordedEvent } from './domain-event.js';
import type { Upcasters } from './upcasters.js';

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
