import type { Cursor } from '../cursor.js';
import { compareCursors } from '../cursor.js';
import type { RecordedEvent } from '../domain-event.js';
import type { EventStore } from '../event-store.js';

const EVENTS_PER_READ = 5_000;

/** Takes events as they are stored, in log order, page by page. */
export interface LogConsumer {
  /** The last place it takes events up to; `undefined` for the end of the pass. */
  readonly target?: Cursor;
  handle(events: readonly RecordedEvent[]): Promise<void>;
}

/** Events after `after`, up to and including `upTo`. */
export interface LogRange {
  readonly after: Cursor;
  readonly upTo: Cursor;
}

/** Pages of at least one event, in log order. Reads a page when it is asked for, in a running transaction by its connection. */
export async function* readPages(
  store: EventStore,
  { after, upTo }: LogRange,
): AsyncGenerator<readonly RecordedEvent[]> {
  let cursor = after;
  while (compareCursors(cursor, upTo) < 0) {
    const page = await store.readAllUpTo(cursor, upTo, EVENTS_PER_READ);
    if (page.events.length === 0) return;
    yield page.events;
    cursor = page.cursor;
  }
}

/**
 * Reads the log once for all consumers, one page ahead while they work on the last one. They must not use the connection that
 * reads: pg takes one query at a time.
 */
export async function readLogOnce(
  store: EventStore,
  range: LogRange,
  consumers: readonly LogConsumer[],
): Promise<void> {
  const pages = readPages(store, range);
  let next = pages.next();
  for (;;) {
    const page = await next;
    if (page.done) return;
    next = pages.next();
    // A consumer may fail before the next page is awaited.
    next.catch(() => undefined);
    for (const consumer of consumers) {
      const own = upTo(consumer.target, page.value);
      if (own.length > 0) await consumer.handle(own);
    }
  }
}

function upTo(target: Cursor | undefined, events: readonly RecordedEvent[]): readonly RecordedEvent[] {
  const last = events.at(-1);
  if (!target || !last || compareCursors(last, target) <= 0) return events;
  return events.filter((event) => compareCursors(event, target) <= 0);
}
