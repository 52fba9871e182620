import type { Instant } from '#libs/content';
import type { Executor } from '#libs/database';
import type { Aggregate } from './aggregate.js';
import type { DomainEvent } from './domain-event.js';

/** A stream after its last event. */
export interface ViewRow<State> {
  readonly id: string;
  readonly state: State;
  readonly version: number;
  /** When the last event was appended. */
  readonly at: Instant;
}

/**
 * Rows that must be readable right after the write: saved in the append's transaction, and by a rebuild. A pure
 * function of the folded state, so that a rebuild gives the same rows. A `TableView` is saved by the append itself.
 */
export interface InlineView<State> {
  readonly name: string;
  /** Schema-qualified. A rebuild empties them first; they hold nothing else. */
  readonly tables: readonly string[];
  /** Inserts, updates or deletes by arrays; any number of rows, each stream at most once. */
  save(executor: Executor, rows: readonly ViewRow<State>[]): Promise<void>;
}

/** The input of a rebuild: a stream type and its view. */
export interface ProjectedStream<State, E extends DomainEvent> {
  readonly aggregate: Aggregate<State, E>;
  readonly view: InlineView<State>;
}
