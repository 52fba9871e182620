import type { Instant } from '#libs/content';
import type { DomainEvent, RecordedEvent } from './domain-event.js';
import { EventIsNewer } from './event-store.errors.js';
import type { UpcasterChains } from './upcasters.js';

/** The state of a stream as a pure fold of its events. */
export interface Aggregate<State, E extends DomainEvent> {
  /** Stored with the stream; never changes. */
  readonly streamType: string;
  /** Before the first event. */
  readonly initial: State;
  /** Pure: no clock, no environment; `at` is when the event was appended. Never throws for an event once stored. */
  evolve(state: State, event: E, at: Instant): State;
  readonly upcasters?: UpcasterChains;
  /** The types that `evolve` accepts. Default: every type. */
  readonly eventTypes?: Readonly<Record<string, unknown>>;
}

/** @throws EventIsNewer for a type that is not one of the aggregate's `eventTypes` */
export function fold<State, E extends DomainEvent>(
  aggregate: Aggregate<State, E>,
  state: State,
  events: readonly (E & { readonly at: Instant })[],
): State {
  const { eventTypes, streamType } = aggregate;
  return events.reduce((before, event) => {
    if (eventTypes) requireKnownType(eventTypes, event.type, streamType);
    return aggregate.evolve(before, event, event.at);
  }, state);
}

/** Whether a stored event belongs to a stream of the aggregate's type, whose events are all `E`. */
export function isEventOf<State, E extends DomainEvent>(
  { streamType }: Aggregate<State, E>,
  event: RecordedEvent,
): event is RecordedEvent<E> {
  return event.streamType === streamType;
}

/** @throws EventIsNewer */
export function requireKnownType(
  eventTypes: Readonly<Record<string, unknown>>,
  type: string,
  streamType: string,
): void {
  if (Object.hasOwn(eventTypes, type)) return;
  throw new EventIsNewer(`This release does not know the event ${type} of a ${streamType}.`);
}
