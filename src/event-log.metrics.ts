import { Injectable } from '@nestjs/common';
import { Gauge } from 'prom-client';
import { Database } from '#libs/database';
import { oldestWritingTransaction, Reactions } from '#libs/event-store';
import { Metrics } from '#libs/http';

/** How far behind the log its readers are, and what holds them back. */
@Injectable()
export class EventLogMetrics {
  constructor(metrics: Metrics, reactions: Reactions, database: Database) {
    const registers = [metrics.registry];
    const labelNames = ['reaction'] as const;
    const seconds = new Gauge({
      name: 'event_store_lag_seconds',
      help: 'Age of the oldest event a reaction has not taken in.',
      labelNames,
      registers,
    });
    const stopped = new Gauge({
      name: 'event_store_reaction_stopped',
      help: '1 when a reaction stopped at an event it cannot digest.',
      labelNames,
      registers,
    });
    const events = new Gauge({
      name: 'event_store_lag_events',
      help: 'Events a reaction has not taken in.',
      labelNames,
      registers,
    });
    metrics.collect('reactions', [seconds, stopped, events], async () => {
      for (const { name: reaction, lagEvents, lagSeconds, state } of await reactions.status()) {
        events.set({ reaction }, lagEvents);
        seconds.set({ reaction }, lagSeconds);
        stopped.set({ reaction }, state === 'stopped' ? 1 : 0);
      }
    });
    const oldest = new Gauge({
      name: 'database_oldest_writing_transaction_seconds',
      help: 'Age of the oldest open transaction that has written; readers of the log wait for it.',
      registers,
    });
    metrics.collect('oldest_writing_transaction', [oldest], async () => {
      oldest.set((await oldestWritingTransaction(database))?.ageSeconds ?? 0);
    });
  }
}
