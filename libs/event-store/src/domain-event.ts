import type { Instant } from '#libs/content';

/** Position of a reader in the whole log, whose order is (transaction id, position), both 64-bit. */
export interface Cursor {
  readonly transactionId: string;
  readonly position: string;
}

/** Before the first event. */
export const BEGINNING: Cursor = { transactionId: '0', position: '0' };

/** Negative when `a` is before `b`, 0 when they are equal. */
export function compareCursors(a: Cursor, b: Cursor): number {
  const difference =
    BigInt(a.transactionId) - BigInt(b.transactionId) || BigInt(a.position) - BigInt(b.position);
  return difference < 0n ? -1 : difference > 0n ? 1 : 0;
}

/** A domain event. `type` is the stored name and never changes; `data` is plain JSON. */
export interface DomainEvent<Type extends string = string, Data = unknown> {
  readonly type: Type;
  readonly data: Data;
}

/** The cause of an event. Audits show `name`; it is never a secret. */
export interface EventActor {
  readonly type: 'user' | 'service' | 'api_key' | 'system';
  readonly id: string;
  readonly name?: string;
}

/** Context of an event: owner of the data, actor, channel and cause. */
export interface EventMetadata {
  readonly organizationId: string | null;
  readonly brandId: string | null;
  readonly actor: EventActor;
  readonly channel: 'bearer' | 'api_key' | 'worker' | 'network' | 'system';
  readonly requestId: string | null;
  /** Equal for all events with the same first cause. */
  readonly correlationId: string;
  /** Id of the event that caused this one. */
  readonly causationId: string | null;
}

/** The members that the log adds to an event. */
export interface EventEnvelope {
  /** UUIDv7 of this event. */
  readonly id: string;
  readonly stream: string;
  readonly streamType: string;
  /** 1 for the first event of the stream, then without gaps. */
  readonly version: number;
  /** Schema of `data`: 1 in the first release, one more for each upcaster since. */
  readonly schemaVersion: number;
  readonly metadata: EventMetadata;
  /** Time of the append, or of the decision where the request has one; by the database's clock. */
  readonly at: Instant;
  /** Ascending inside one transaction; across transactions only together with `transactionId`. */
  readonly position: string;
  /** PostgreSQL's 64-bit id of the transaction that appended it. */
  readonly transactionId: string;
}

/** An event as stored in the log. Distributes over a union: checking `type` narrows `data`. */
export type RecordedEvent<E extends DomainEvent = DomainEvent> = EventEnvelope & E;
