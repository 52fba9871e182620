import type { DomainEvent, Instant } from './domain-event.js';
import { EventIsNewer } from './event-store.errors.js';
import type { UpcasterChains } from './upcasters.js';

/** What a stream means: a pure fold of its events. */
export interface Aggregate<State, E extends DomainEvent> {
  /** Stored with the stream; never changes. */
  readonly streamType: string;
  /** Before the first event. */
  readonly initial: State;
  /** Pure: no clock, no environment; `at` is when the event was appended. Never throws for an event once stored. */
  evolve(state: State, event: E, at: Instant): State;
  readonly upcasters?: UpcasterChains;
  /** The types it can fold; without them every type. */
  readonly eventTypes?: Readonly<Record<string, true>>;
}

/** @throws EventIsNewer for a type that is none of the aggregate's `eventTypes` */
export function fold<State, E extends DomainEvent>(
  aggregate: Aggregate<State, E>,
  state: State,
  events: readonly { readonly type: E['type']; readonly data: E['data']; readonly at: Instant }[],
): State {
  const { eventTypes, streamType } = aggregate;
  return events.reduce((before, event) => {
    if (eventTypes) mustBeKnown(eventTypes, event.type, streamType);
    return aggregate.evolve(before, event as unknown as E, event.at);
  }, state);
}

/** @throws EventIsNewer */
export function mustBeKnown(
  eventTypes: Readonly<Record<string, true>>,
  type: string,
  streamType: string,
): void {
  if (Object.hasOwn(eventTypes, type)) return;
  throw new EventIsNewer(`${type} is no event that this release knows of a ${streamType}.`);
}
