import { compareCursors, type Cursor, type RecordedEvent } from '../domain-event.js';
import type { EventStore } from '../event-store.js';

const EVENTS_PER_READ = 5_000;

/** Receives stored events in log order, page by page. */
export interface LogConsumer {
  /** Receives no event after this cursor. Default: the end of the pass. */
  readonly target?: Cursor;
  handle(events: readonly RecordedEvent[]): Promise<void>;
}

/** Events after `after`, up to and including `upTo`. */
export interface LogRange {
  readonly after: Cursor;
  readonly upTo: Cursor;
}

/** Pages of at least one event, in log order. Reads each page on demand, within a running transaction if there is one. */
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
 * Reads the log once for all consumers, one page ahead of them. They must not use the connection that reads: pg runs one
 * query at a time.
 */
export async function feedLog(
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
    // A consumer may throw before the next page is awaited; without this its rejection would be unhandled.
    next.catch(() => undefined);
    for (const consumer of consumers) {
      const own = eventsUpTo(consumer.target, page.value);
      if (own.length > 0) await consumer.handle(own);
    }
  }
}

function eventsUpTo(target: Cursor | undefined, events: readonly RecordedEvent[]): readonly RecordedEvent[] {
  const last = events.at(-1);
  if (!target || !last || compareCursors(last, target) <= 0) return events;
  return events.filter((event) => compareCursors(event, target) <= 0);
}
