import type { Aggregate } from './aggregate.js';
import type { DomainEvent } from './domain-event.js';
import type { InlineView } from './inline-view.js';

/** The input of a rebuild: a stream type and its view. */
export interface ProjectedStream<State, E extends DomainEvent> {
  readonly aggregate: Aggregate<State, E>;
  readonly view: InlineView<State>;
}
