import type { Transaction } from '#libs/database';
import type { RecordedEvent } from '../domain-event.js';

/**
 * A consumer of the whole log, in order, each event exactly once.
 *
 * `handle` writes only through the transaction it is given, and names the tables of `tables` WITHOUT their schema:
 * its `search_path` is their schema in live operation and a shadow schema in a rebuild. Everything else (tables it
 * reads, functions it calls) is named with its schema. Its only input is the events: no clock, no randomness, no
 * mutable data, so that a rebuild in any batch size gives the same rows.
 */
export interface Reaction {
  /** Key of its checkpoint; never changes. */
  readonly name: string;
  /** All tables it writes. Schema-qualified, all in one schema. */
  readonly tables: readonly string[];
  /** `stored`: `data` exactly as written. `current` (default): old schemas are upcast. */
  readonly reads?: 'stored' | 'current';
  /** `swap` (default): a rebuild replaces the rows. `compare`: it counts differences and changes nothing. */
  readonly rebuild?: 'swap' | 'compare';
  /** At least one event, in log order. Commits together with the checkpoint; an error rolls back both. */
  handle(transaction: Transaction, events: RecordedEvent[]): Promise<void>;
}

export interface ReactionOptions {
  /** Maximum events per call. */
  readonly batchSize: number;
  /** Lease duration: another replica takes over after it. */
  readonly leaseMs: number;
  /** Poll interval: `minPollMs` while events arrive, doubling up to `maxPollMs` while none do. */
  readonly minPollMs: number;
  readonly maxPollMs: number;
  /** Tries of one event before the reaction stops. */
  readonly tries: number;
  /** Delay after the first failure; doubles with each. */
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
