import { setTimeout as sleep } from 'node:timers/promises';
import type { Instant } from '#libs/content';
import type { Database } from '#libs/database';
import type { HeldRow } from './append-request.js';
import type { DomainEvent, EventMetadata, RecordedEvent } from './domain-event.js';
import { StreamHasMoved } from './event-store.errors.js';

/** Maximum tries of a change before its conflict is thrown. */
export const MAX_TRIES = 10;

/** Random delay that grows with each try, at most 60 ms: prevents writers of one stream from retrying in lockstep. */
export async function jitter(tried: number): Promise<void> {
  await sleep(Math.random() * Math.min(60, 2 ** tried));
}

/**
 * Repeats work that opens its own transaction after a conflict. Inside a running transaction it runs once: the code that
 * opened that transaction repeats it.
 * @param tries at least 1, the first included
 * @throws StreamHasMoved after the last try
 */
export async function retryOnConflict<T>(
  database: Database,
  work: () => Promise<T>,
  tries = MAX_TRIES,
): Promise<T> {
  for (let tried = 1; ; tried += 1) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof StreamHasMoved) || tried >= tries || database.isInTransaction) throw error;
      await jitter(tried);
    }
  }
}

/** `now` is the database's clock when the stream was read. */
export interface Loaded<State> {
  readonly state: State;
  readonly version: number;
  /** When the last event was appended. */
  readonly at: Instant;
  readonly now: Instant;
}

export interface Changed<State, E extends DomainEvent = DomainEvent> {
  readonly id: string;
  readonly state: State;
  readonly version: number;
  /** When the last event was appended. */
  readonly at: Instant;
  /** The appended events; [] if the decision changed nothing. */
  readonly events: readonly RecordedEvent<E>[];
}

/** The metadata, or a function that derives it from the state of the decision. */
export type ChangeContext<State = never> = EventMetadata | ((state: State) => EventMetadata);

export interface ChangeOptions {
  readonly ifVersion?: number;
}

export interface CreateOptions {
  /** The database's time, if the caller has read it already. */
  readonly now?: Instant;
  readonly held?: HeldRow;
}

/** What a decision is based on: the stream as it was read, and the context of its events. */
export interface DecisionBasis<State> {
  readonly from: Loaded<State>;
  readonly context: ChangeContext<State>;
}

/** The first events of a stream. */
export interface NewStream<E extends DomainEvent> {
  readonly id: string;
  readonly events: readonly E[];
}

/** A decision on a loaded stream, to be appended with others. */
export interface PendingChange<State, E extends DomainEvent> {
  readonly id: string;
  readonly from: Loaded<State>;
  /** At least one. */
  readonly events: readonly E[];
  readonly context: ChangeContext<State>;
}

/** One change of a stream: the state before and after its events. */
export interface StreamChange<State, E extends DomainEvent = DomainEvent> {
  readonly id: string;
  readonly before: State;
  readonly state: State;
  readonly events: readonly E[];
}

/** Writes of a change that no view can express, such as the references to rows of another feature. */
export interface FollowUp<State, E extends DomainEvent = DomainEvent> {
  /** Whether the change needs it. Pure. A change that does not need it stays one statement. */
  concerns(change: StreamChange<State, E>): boolean;
  /** Joins the transaction of the append and runs after it. An error rolls the changes back. @param changes at least one */
  run(changes: readonly StreamChange<State, E>[]): Promise<void>;
}
