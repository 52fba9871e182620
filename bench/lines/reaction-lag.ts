import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { EventStore, Reactions, type RecordedEvent, StreamHasMoved } from '#libs/event-store';
import { DATA, METADATA } from '../support/raw-insert.js';
import type { Bench } from '../support/bench.js';
import { atMost, type Line } from '../support/line.js';
import { percentile } from '../support/measure.js';

const WRITERS = 16;
const STREAMS = 400;
const POLL_MS = 10;

/**
 * 16 writers for 12 s, 30 % of the transactions held open up to 8 ms after the append, 5 % rolled back; the reaction
 * is not woken, as if it ran in another process, and commits its checkpoint with each batch.
 */
export const reactionLag: Line = {
  name: 'reaction-lag',
  async run(bench) {
    const { committed, seen } = await observe(bench);
    const lags = [...committed].map(([id, at]) => (seen.get(id)?.at ?? Infinity) - at);
    const lost = [...committed.keys()].filter((id) => !seen.has(id)).length;
    const wrong = inverted([...seen.values()].map(({ event }) => event));
    const against = `poll interval of ${POLL_MS} ms`;
    const note = `${committed.size} events, p50 ${percentile(lags, 0.5).toFixed(1)} ms`;
    return [
      atMost(POLL_MS + 15, 'ms', {
        what: `event committed to seen by a reaction, ${WRITERS} writers, p99`,
        against,
        value: percentile(lags, 0.99),
        note,
      }),
      atMost(0, 'events', { what: 'lost by the reaction', against: '-', value: lost }),
      atMost(0, 'events', { what: 'inverted inside a stream', against: '-', value: wrong }),
    ];
  },
};

async function observe(bench: Bench) {
  const db = await bench.database(WRITERS + 8);
  const writers = new EventStore(db.database);
  const reactions = new Reactions(db.database, new EventStore(db.database));
  const committed = new Map<string, number>();
  const seen = new Map<string, { event: RecordedEvent; at: number }>();
  await db.database.query('CREATE TABLE seen (times int NOT NULL)');
  await db.database.query('INSERT INTO seen VALUES (0)');
  reactions.register(
    {
      name: 'bench',
      tables: ['public.seen'],
      async handle(transaction, events) {
        const at = performance.now();
        for (const event of events) seen.set(event.id, { event, at });
        await transaction.query('UPDATE seen SET times = times + $1', [events.length]);
      },
    },
    { minPollMs: POLL_MS },
  );
  reactions.start();
  const end = performance.now() + 12_000 * bench.scale;
  const streams = Array.from({ length: STREAMS }, () => randomUUID());
  const write = async () => {
    while (performance.now() < end) {
      const stream = streams[Math.floor(Math.random() * STREAMS)] as string;
      const events = await appendSlowly(db.database, writers, stream);
      const at = performance.now();
      for (const event of events) committed.set(event.id, at);
    }
  };
  await Promise.all(Array.from({ length: WRITERS }, write));
  await sleep(1_000);
  await reactions.stop();
  await db.close();
  return { committed, seen };
}

async function appendSlowly(
  database: Awaited<ReturnType<Bench['database']>>['database'],
  store: EventStore,
  stream: string,
): Promise<RecordedEvent[]> {
  const events = [{ type: 'PostScheduled', data: DATA }];
  const request = { stream, streamType: 'bench', expected: 'any', events, metadata: METADATA } as const;
  try {
    return await database.transaction(async (transaction) => {
      const appended = await store.append(transaction, request);
      if (Math.random() < 0.3) await sleep(Math.random() * 8);
      if (Math.random() < 0.05) throw new RolledBack();
      return appended;
    });
  } catch (error) {
    if (error instanceof RolledBack || error instanceof StreamHasMoved) return [];
    throw error;
  }
}

class RolledBack extends Error {}

/** Events that came after a later one of their stream. */
function inverted(events: readonly RecordedEvent[]): number {
  const highest = new Map<string, number>();
  let count = 0;
  for (const { stream, version } of events) {
    if (version !== (highest.get(stream) ?? 0) + 1) count += 1;
    highest.set(stream, Math.max(version, highest.get(stream) ?? 0));
  }
  return count;
}
