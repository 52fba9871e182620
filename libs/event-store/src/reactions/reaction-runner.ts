import { setTimeout as sleep } from 'node:timers/promises';
import { Logger } from '@nestjs/common';
import { Alarm } from '#libs/clock';
import type { Database } from '#libs/database';
import { DatabaseIsUnavailable, isPassing } from '#libs/database';
import type { Cursor } from '../cursor.js';
import type { RecordedEvent } from '../domain-event.js';
import { EventIsNewer } from '../event-store.errors.js';
import type { EventStore } from '../event-store.js';
import type { CheckpointClaim } from './checkpoint.js';
import { Checkpoint, LeaseIsLost } from './checkpoint.js';
import { Failures } from './failures.js';
import { schemaOf } from './table-names.js';
import type { Reaction, ReactionOptions } from './reaction.js';

/** Works on one reaction in this process: claims it, hands over batches, commits effect and checkpoint as one. */
export class ReactionRunner {
  private readonly alarm = new Alarm();
  private readonly logger = new Logger(ReactionRunner.name);
  private readonly checkpoint: Checkpoint;
  private readonly failures: Failures;
  private readonly searchPath: string;
  /** The place of the event that this release cannot read. */
  private unreadable: Cursor | undefined;
  private halting = new AbortController();
  private running: Promise<void> | undefined;

  constructor(
    private readonly database: Database,
    private readonly store: EventStore,
    private readonly reaction: Reaction,
    owner: string,
    private readonly options: ReactionOptions,
  ) {
    this.checkpoint = new Checkpoint(database, reaction.name, owner, options.leaseMs);
    this.failures = new Failures(options);
    this.searchPath = `${schemaOf(reaction.tables)}, public`;
  }

  start(): void {
    if (this.stopping) this.halting = new AbortController();
    this.running ??= this.run();
  }

  wake(): void {
    this.alarm.ring();
  }

  /** Resolves when the batch in flight is committed or undone and the reaction is free for another replica. */
  async stop(): Promise<void> {
    this.halting.abort();
    this.alarm.ring();
    await this.running;
    this.running = undefined;
  }

  private async run(): Promise<void> {
    let introduced = false;
    while (!this.stopping) {
      try {
        if (!introduced) await this.checkpoint.introduce();
        introduced = true;
        const claim = await this.checkpoint.claim(this.unreadable);
        if (claim) await this.work(claim);
        else await this.alarm.sleep(this.options.maxPollMs * 2);
      } catch (error) {
        if (error instanceof LeaseIsLost) continue;
        this.logger.warn(`${this.reaction.name} waits for the database: ${String(error)}`);
        await this.alarm.sleep(this.options.maxPollMs * 4);
      }
    }
  }

  private async work({ fence, cursor: from }: CheckpointClaim): Promise<void> {
    this.unreadable = undefined;
    let cursor = from;
    let pause = this.options.minPollMs;
    let renewed = performance.now();
    while (!this.stopping) {
      const looked = performance.now();
      const atOnce = this.failures.batchSize(cursor);
      const page = await this.store.readAll(cursor, atOnce);
      if (page.events.length > 0) {
        cursor = (await this.attempt(fence, page.events, page.cursor)) ? page.cursor : cursor;
        if (this.unreadable) return;
        if (this.failures.isFinal) return this.halt(fence, page.events);
        renewed = performance.now();
        pause = this.options.minPollMs;
        if (page.events.length < atOnce) await this.sleepThrough(pause - (renewed - looked));
      } else {
        pause = (await this.alarm.sleep(pause)) ? this.options.minPollMs : this.slower(pause);
        if (performance.now() - renewed < this.options.leaseMs / 3) continue;
        await this.checkpoint.renew(fence);
        renewed = performance.now();
      }
    }
    await this.checkpoint.release(fence);
  }

  private get stopping(): boolean {
    return this.halting.signal.aborted;
  }

  /** Only a stop cuts it short: what comes in small portions is gathered, and a failure is not hammered upon. */
  private async sleepThrough(milliseconds: number): Promise<void> {
    if (milliseconds < 1) return;
    await sleep(milliseconds, undefined, { signal: this.halting.signal }).catch(() => undefined);
  }

  private slower(pause: number): number {
    return Math.min(pause * 2, this.options.maxPollMs);
  }

  /** @returns whether the batch is committed. A failure is remembered and waited upon. */
  private async attempt(fence: string, events: RecordedEvent[], cursor: Cursor): Promise<boolean> {
    try {
      await this.database.separateTransaction(async (transaction) => {
        await this.checkpoint.begin(transaction, fence, this.searchPath);
        await this.reaction.handle(transaction, this.inShape(events));
        await this.checkpoint.advance(transaction, fence, cursor);
      });
      this.failures.succeeded();
      return true;
    } catch (error) {
      if (error instanceof LeaseIsLost || isPassing(error)) throw this.notForAnEvent(error, events.length);
      const [event] = events;
      if (event && events.length === 1 && error instanceof EventIsNewer)
        return this.yield(fence, event, error);
      this.logger.warn(`${this.reaction.name} failed at event ${event?.id}: ${String(error)}`);
      const wait = this.failures.record(error, events.length, cursor);
      await this.checkpoint.renew(fence);
      if (!this.failures.isFinal) await this.sleepThrough(wait);
      return false;
    }
  }

  /** Whether it was the time, the memory or the lease that did not last: fewer events at a time may get through. */
  private notForAnEvent(error: unknown, events: number): unknown {
    if (!(error instanceof DatabaseIsUnavailable)) this.failures.wereTooMany(events);
    if (error instanceof LeaseIsLost)
      this.logger.warn(`${this.reaction.name} was taken over while this replica worked on ${events} events.`);
    return error;
  }

  private inShape(events: RecordedEvent[]): RecordedEvent[] {
    if (this.reaction.reads === 'stored') return events;
    return events.map((event) => this.store.inShape(event));
  }

  /** A replica of a newer release can go on. */
  private async yield(fence: string, event: RecordedEvent, error: EventIsNewer): Promise<false> {
    this.logger.warn(
      `${this.reaction.name} is left to replicas of a newer release. Event ${event.id}: ${error.message}`,
    );
    this.unreadable = event;
    this.failures.forget();
    await this.checkpoint.yield(fence, event, `Event ${event.id} (${event.type}): ${error.message}`);
    return false;
  }

  private async halt(fence: string, [event]: RecordedEvent[]): Promise<void> {
    const error = `Event ${event?.id} (${event?.type}): ${String(this.failures.last)}`;
    this.logger.error(`${this.reaction.name} has stopped. ${error}`);
    await this.checkpoint.halt(fence, error);
    this.failures.forget();
  }
}
