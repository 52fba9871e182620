import { Injectable, Logger } from '@nestjs/common';
import type { LimitReading } from '../domain/network-limits.js';
import type { Counter, CounterChange, CounterState } from './counters.js';
import { GrantedUses, type Use } from './granted-uses.js';
import { MAX_COUNTERS, NetworkUsageStore } from './network-usage.store.js';
import { PendingChanges } from './pending-changes.js';

interface Taking {
  readonly counters: readonly Counter[];
  readonly resolve: (uses: Use[]) => void;
  readonly reject: (error: unknown) => void;
}

/** What was returned or read waits so long for a statement that takes uses. */
const FLUSH_AFTER_MS = 1_000;
/** Clocks and roundings of headers differ by so much; a reading within it tells nothing new. */
const SAME_RESET_MS = 1_500;

/**
 * One statement at a time takes everything that was asked for meanwhile: a limit of the whole service is one row, on which
 * statements of one worker would only wait for each other. Uses that are returned and readings go with it.
 */
@Injectable()
export class UsageQueue {
  private readonly logger = new Logger(UsageQueue.name);
  private readonly waiting: Taking[] = [];
  private readonly pending = new PendingChanges();
  private running: Promise<void> | undefined;
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly usage: NetworkUsageStore) {}

  /** One use of each counter, all granted or none. */
  take(counters: readonly Counter[]): Promise<Use[]> {
    if (counters.length === 0) return Promise.resolve([]);
    return new Promise((resolve, reject) => {
      this.waiting.push({ counters, resolve, reject });
      this.start();
    });
  }

  /** Gives back the uses of calls that provably were not sent. */
  giveBack(uses: readonly Use[]): void {
    for (const { counter, windowEndsAt } of uses) this.pending.giveBack(counter, windowEndsAt);
    this.flushLater();
  }

  /** @param use by which the network was asked; undefined: a call that uses nothing of this counter */
  learn(counter: Counter, use: Use | undefined, reading: LimitReading): void {
    if (use && isKnown(use, reading)) return;
    // The calls of an account run one after another, those of a service at once.
    const after = use && counter.limit.scope === 'account' ? use.number : null;
    this.pending.learn(counter, use?.windowEndsAt ?? null, { ...reading, after });
    this.flushLater();
  }

  /** Resolves when everything is stored, or could not be. */
  async end(): Promise<void> {
    clearTimeout(this.timer);
    this.timer = undefined;
    await this.running;
    this.start();
    await this.running;
  }

  private flushLater(): void {
    if (this.pending.size === 0) return;
    this.timer ??= setTimeout(() => this.start(), FLUSH_AFTER_MS).unref();
  }

  private start(): void {
    this.running ??= this.run().finally(() => {
      this.running = undefined;
      if (this.waiting.length > 0) this.start();
    });
  }

  private async run(): Promise<void> {
    // All calls of this turn of the event loop share the statement.
    await new Promise((resolve) => setImmediate(resolve));
    while (this.waiting.length > 0 || this.pending.size > 0) await this.once();
  }

  private async once(): Promise<void> {
    clearTimeout(this.timer);
    this.timer = undefined;
    const takings = this.next();
    for (const { counters } of takings) for (const counter of counters) this.pending.want(counter);
    const changes = this.pending.drain();
    try {
      const states = await this.usage.change(changes);
      this.share(takings, changes, states);
    } catch (error) {
      if (takings.length === 0) this.logger.warn(error, 'Readings of network limits could not be stored.');
      for (const { reject } of takings) reject(error);
    }
  }

  /** The first of those that wait, as many as one statement takes. */
  private next(): Taking[] {
    let counters = 0;
    const end = this.waiting.findIndex((taking) => (counters += taking.counters.length) > MAX_COUNTERS);
    return this.waiting.splice(0, end === -1 ? this.waiting.length : Math.max(end, 1));
  }

  /** In the order in which they were asked for. Uses of a call that another limit refuses are for the next, or returned. */
  private share(
    takings: readonly Taking[],
    changes: readonly CounterChange[],
    states: ReadonlyMap<string, CounterState>,
  ): void {
    const granted = new GrantedUses(changes, states);
    for (const { counters, resolve } of takings) resolve(granted.take(counters));
    this.giveBack(granted.rest());
  }
}

/** The network says what the counter says, or less that an earlier statement or another call explains. */
function isKnown({ counter, remaining, max, windowEndsAt }: Use, reading: LimitReading): boolean {
  const { scope, window } = counter.limit;
  const isSameReset =
    reading.resetsAt === null ||
    (window.kind === 'rolling'
      ? reading.remaining > 0
      : Math.abs(Date.parse(reading.resetsAt) - Date.parse(windowEndsAt)) <= SAME_RESET_MS);
  const isSameMax = reading.max === null || reading.max === max;
  const isSameRest = scope === 'app' ? reading.remaining >= remaining : reading.remaining === remaining;
  return isSameReset && isSameMax && isSameRest;
}
