import type { DomainEvent, EventMetadata, Instant } from './domain-event.js';

/**
 * What the stream must be like for the append to happen: `none` not there yet, `exists` there at any
 * version, `any` whatever it is, a number: exactly that version.
 */
export type Expectation = 'none' | 'exists' | 'any' | number;

export interface AppendRequest {
  /** UUID of the stream. Never says whose it is: tenancy follows the data, not the name. */
  readonly stream: string;
  readonly streamType: string;
  readonly expected: Expectation;
  readonly events: readonly DomainEvent[];
  readonly metadata: EventMetadata;
  /**
   * When it was decided, by the database's clock, not before the stream's last event: then all that follows from the
   * events is known before they are stored. Without it they carry the time at which they are stored.
   */
  readonly at?: Instant;
}
