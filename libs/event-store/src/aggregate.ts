import type { DomainEvent, Instant } from './domain-event.js';
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
}

export function fold<State, E extends DomainEvent>(
  aggregate: Aggregate<State, E>,
  state: State,
  events: readonly { readonly type: E['type']; readonly data: E['data']; readonly at: Instant }[],
): State {
  return events.reduce((before, event) => aggregate.evolve(before, event as unknown as E, event.at), state);
}
