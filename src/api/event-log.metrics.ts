import { Injectable } from '@nestjs/common';
import { Gauge } from 'prom-client';
import { Reactions } from '#libs/event-store';
import { Metrics } from '#libs/http';

/** How far the readers of the log are behind. */
@Injectable()
export class EventLogMetrics {
  constructor(metrics: Metrics, reactions: Reactions) {
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
    const unreadable = new Gauge({
      name: 'event_store_reaction_unreadable_seconds',
      help: 'For how long no replica could read the next event, which a newer release wrote; 0 when there is none.',
      labelNames,
      registers,
    });
    const events = new Gauge({
      name: 'event_store_lag_events',
      help: 'Events a reaction has not taken in.',
      labelNames,
      registers,
    });
    metrics.collect('reactions', [seconds, stopped, unreadable, events], async () => {
      for (const { name: reaction, lagEvents, lagSeconds, state, ...more } of await reactions.status()) {
        events.set({ reaction }, lagEvents);
        seconds.set({ reaction }, lagSeconds);
        stopped.set({ reaction }, state === 'stopped' ? 1 : 0);
        unreadable.set({ reaction }, more.unreadableSeconds ?? 0);
      }
    });
  }
}
