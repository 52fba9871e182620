import type { Cursor } from '../cursor.js';
import { BEGINNING, compareCursors } from '../cursor.js';
import type { RecordedEvent } from '../domain-event.js';
import type { EventStore } from '../event-store.js';

const EVENTS_PER_READ = 5_000;

/** Takes events as they are stored, in log order, page by page. */
export interface LogConsumer {
  /** The last place it takes events up to; `undefined` for the end of the pass. */
  readonly target?: Cursor;
  handle(events: readonly RecordedEvent[]): Promise<void>;
}

/** Reads the log once, up to and including `end`, for all consumers. Reads one page ahead while they work on the last one. */
export async function readLogOnce(
  store: EventStore,
  end: Cursor,
  consumers: readonly LogConsumer[],
): Promise<void> {
  let next = store.readAllUpTo(BEGINNING, end, EVENTS_PER_READ);
  for (;;) {
    const { events, cursor } = await next;
    if (events.length === 0) return;
    next = store.readAllUpTo(cursor, end, EVENTS_PER_READ);
    // A consumer may fail before the next page is awaited.
    next.catch(() => undefined);
    for (const consumer of consumers) {
      const own = upTo(consumer.target, events);
      if (own.length > 0) await consumer.handle(own);
    }
  }
}

function upTo(target: Cursor | undefined, events: readonly RecordedEvent[]): readonly RecordedEvent[] {
  const last = events.at(-1);
  if (!target || !last || compareCursors(last, target) <= 0) return events;
  return events.filter((event) => compareCursors(event, target) <= 0);
}
