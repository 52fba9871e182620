import type { Transaction } from '#libs/database';
import type { RecordedEvent } from '../domain-event.js';

/**
 * Something that follows from events: reads the whole log in order, each event exactly once.
 *
 * `handle` writes only through the transaction it is given, and names the tables of `tables` WITHOUT their schema:
 * its `search_path` is their schema in live work and a schema beside it in a rebuild. Everything else (tables it
 * reads, functions it calls) is named with its schema. It gets only the events: no clock, no randomness, nothing
 * read elsewhere that changes, so that a rebuild in any batch size gives the same rows.
 */
export interface Reaction {
  /** Key of its checkpoint; never changes. */
  readonly name: string;
  /** Schema-qualified, all in one schema: everything it writes. */
  readonly tables: readonly string[];
  /** `stored`: `data` exactly as written. `current` (default): old shapes brought up to date. */
  readonly reads?: 'stored' | 'current';
  /** `swap` (default): a rebuild replaces the rows. `compare`: it says what differs and changes nothing. */
  readonly rebuild?: 'swap' | 'compare';
  /** At least one event, in log order. Committed together with the checkpoint; a throw undoes both. */
  handle(transaction: Transaction, events: RecordedEvent[]): Promise<void>;
}

export interface ReactionOptions {
  /** Most events handed over at once. */
  readonly batchSize: number;
  /** How long a replica may be silent before another takes over. */
  readonly leaseMs: number;
  /** Sleep between looks at the log: from the shorter while events come, doubling to the longer when none do. */
  readonly minPollMs: number;
  readonly maxPollMs: number;
  /** Tries of one event before the reaction stops. */
  readonly tries: number;
  /** Wait after the first failure; doubles with each. */
  readonly backoffMs: number;
}

export const DEFAULT_OPTIONS: ReactionOptions = {
  batchSize: 500,
  leaseMs: 10_000,
  minPollMs: 10,
  maxPollMs: 250,
  tries: 6,
  backoffMs: 100,
};
