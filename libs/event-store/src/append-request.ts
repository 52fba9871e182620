import type { Instant } from '#libs/content';
import type { DomainEvent, EventMetadata } from './domain-event.js';

/**
 * Condition of an append: `none` the stream has no events, `exists` it has events, `any` no condition, a number: the
 * stream is at exactly that version.
 */
export type Expectation = 'none' | 'exists' | 'any' | number;

/** A row that an append depends on. The same statement locks it until the transaction ends; without it nothing is appended. */
export interface HeldRow {
  /** Part of the name of the statement. */
  readonly name: string;
  /** A table or published view. */
  readonly table: string;
  /** Columns with their types and values; all must be equal. */
  readonly columns: readonly (readonly [column: string, type: string, value: unknown])[];
}

export interface AppendRequest<E extends DomainEvent = DomainEvent> {
  /** UUID of the stream. Does not contain the organization: tenancy follows the data. */
  readonly stream: string;
  readonly streamType: string;
  readonly expected: Expectation;
  readonly events: readonly E[];
  readonly metadata: EventMetadata;
  /**
   * Time of the decision by the database's clock, not before the stream's last event. With it, the caller can compute
   * views before the events are stored. Default: the time at which the events are stored.
   */
  readonly at?: Instant;
  readonly held?: HeldRow;
  /** Allows writes of the same transaction before its first append. Only for a new stream that no other writer knows. */
  readonly afterWrites?: true;
}
