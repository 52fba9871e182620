import type { DomainEvent, EventMetadata } from './domain-event.js';

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
}
