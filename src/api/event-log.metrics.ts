import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Gauge } from 'prom-client';
import { Database } from '#libs/database';
import { domainError } from '#libs/errors';
import { Reactions } from '#libs/event-store';
import { CHECK_TIMEOUT_MS, type HealthCheck, HealthChecks } from '#libs/health';
import { Metrics } from '#libs/http';

/** A reaction stopped at an event that it cannot process and needs a new release. */
class ReactionsHaveStopped extends domainError(
  'unavailable',
  'reactions_stopped',
  (names: readonly string[]) =>
    `These reactions stopped at an event that they cannot process: ${names.join(', ')}. See the log of the worker, then fix the release.`,
) {}

/** Whether every reaction processes the log. Soft: audit and rollups fall behind, but posts are published. */
@Injectable()
export class EventLogCheck implements HealthCheck, OnModuleInit {
  readonly name = 'eventLog';
  readonly hard = false;
  readonly inReadiness = true;

  constructor(
    private readonly database: Database,
    private readonly reactions: Reactions,
    private readonly checks: HealthChecks,
  ) {}

  onModuleInit(): void {
    this.checks.add(this);
  }

  async check(): Promise<Record<string, unknown>> {
    const reactions = await this.reactions.status(this.database.within(CHECK_TIMEOUT_MS));
    const stopped = reactions.filter(({ state }) => state === 'stopped').map(({ name }) => name);
    if (stopped.length > 0) throw new ReactionsHaveStopped(stopped);
    const waiting = reactions.filter(({ unreadable }) => unreadable !== undefined).map(({ name }) => name);
    const lagEvents = Math.max(0, ...reactions.map((reaction) => reaction.lagEvents));
    return { lagEvents, ...(waiting.length > 0 && { waitForNewerRelease: waiting }) };
  }
}

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
