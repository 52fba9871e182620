import type { Aggregate } from './aggregate.js';
import type { DomainEvent } from './domain-event.js';
import type { InlineView } from './inline-view.js';

/** What a rebuild needs to know of a stream; Stream itself is one. */
export interface Projected<State, E extends DomainEvent> {
  readonly aggregate: Aggregate<State, E>;
  readonly view: InlineView<State>;
}
