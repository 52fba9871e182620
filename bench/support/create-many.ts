import type { Database } from '#libs/database';
import {
  type Aggregate,
  type DomainEvent,
  type EventMetadata,
  EventStore,
  fold,
  type InlineView,
  type RecordedEvent,
} from '#libs/event-store';

export interface Creation<E extends DomainEvent> {
  readonly id: string;
  readonly events: readonly E[];
  readonly metadata: EventMetadata;
}

const AT_ONCE = 500;

/** New streams and their view rows, as commands would leave them, in batches. @throws StreamHasMoved when an id is taken */
export async function createMany<State, E extends DomainEvent>(
  database: Database,
  { aggregate, view }: { aggregate: Aggregate<State, E>; view: InlineView<State> },
  creations: readonly Creation<E>[],
): Promise<void> {
  const store = new EventStore(database);
  const { streamType, initial } = aggregate;
  for (let from = 0; from < creations.length; from += AT_ONCE) {
    const requests = creations
      .slice(from, from + AT_ONCE)
      .map(({ id, ...rest }) => ({ ...rest, stream: id, streamType, expected: 'none' as const }));
    await database.transaction(async (transaction) => {
      const answers = await store.appendMany(transaction, requests);
      const rows = answers.map((answer) => {
        if (!Array.isArray(answer)) throw answer;
        const last = answer.at(-1) as RecordedEvent;
        const state = fold(aggregate, initial, answer);
        return { id: last.stream, state, version: last.version, at: last.at };
      });
      await view.save(transaction, rows);
    });
  }
}
