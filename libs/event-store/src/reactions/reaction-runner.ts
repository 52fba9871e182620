import { setTimeout as sleep } from 'node:timers/promises';
import { Logger } from '@nestjs/common';
import { Alarm } from '#libs/clock';
import { type Database, DatabaseIsUnavailable, isTransient } from '#libs/database';
import type { Cursor, RecordedEvent } from '../domain-event.js';
import { EventIsNewer } from '../event-store.errors.js';
import type { EventStore } from '../event-store.js';
import { Checkpoint, type CheckpointClaim, LeaseIsLost } from './checkpoint.js';
import { Failures } from './failures.js';
import { commonSchemaOf } from './table-names.js';
import type { Reaction, ReactionOptions } from './reaction.js';

/** Runs one reaction in this process: claims it, calls it with batches, commits effect and checkpoint together. */
export class ReactionRunner {
  private readonly alarm = new Alarm();
  private readonly logger = new Logger(ReactionRunner.name);
  private readonly checkpoint: Checkpoint;
  private readonly failures: Failures;
  private readonly searchPath: string;
  /** Cursor of the event that this release cannot read. */
  private unreadable: Cursor | undefined;
  private abort = new AbortController();
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
    this.searchPath = `${commonSchemaOf(reaction.tables)}, public`;
  }

  start(): void {
    if (this.isStopping) this.abort = new AbortController();
    this.running ??= this.run();
  }

  wake(): void {
    this.alarm.ring();
  }

  /** Resolves when the running batch is committed or rolled back and the lease is released. */
  async stop(): Promise<void> {
    this.abort.abort();
    this.alarm.ring();
    await this.running;
    this.running = undefined;
  }

  private async run(): Promise<void> {
    let isRegistered = false;
    while (!this.isStopping) {
      try {
        if (!isRegistered) await this.checkpoint.register();
        isRegistered = true;
        const claim = await this.checkpoint.claim(this.unreadable);
        if (claim) await this.work(claim);
        else await this.alarm.sleep(this.options.maxPollMs * 2);
      } catch (error) {
        if (error instanceof LeaseIsLost) continue;
        this.logger.warn(`${this.reaction.name} cannot reach the database and tries again: ${String(error)}`);
        await this.alarm.sleep(this.options.maxPollMs * 4);
      }
    }
  }

  private async work({ fence, cursor: from }: CheckpointClaim): Promise<void> {
    this.unreadable = undefined;
    let cursor = from;
    let pause = this.options.minPollMs;
    let renewedAt = performance.now();
    while (!this.isStopping) {
      const readAt = performance.now();
      const size = this.failures.batchSize(cursor);
      const page = await this.store.readAll(cursor, size);
      if (page.events.length > 0) {
        cursor = (await this.attempt(fence, page.events, page.cursor)) ? page.cursor : cursor;
        if (this.unreadable) return;
        if (this.failures.isFinal) return this.stopReaction(fence, page.events);
        renewedAt = performance.now();
        pause = this.options.minPollMs;
        if (page.events.length < size) await this.waitFor(pause - (renewedAt - readAt));
      } else {
        pause = (await this.alarm.sleep(pause)) ? this.options.minPollMs : this.nextPause(pause);
        if (performance.now() - renewedAt < this.options.leaseMs / 3) continue;
        await this.checkpoint.renew(fence);
        renewedAt = performance.now();
      }
    }
    await this.checkpoint.release(fence);
  }

  private get isStopping(): boolean {
    return this.abort.signal.aborted;
  }

  /** Only a stop ends it early: small batches accumulate, and failures are not retried at once. */
  private async waitFor(milliseconds: number): Promise<void> {
    if (milliseconds < 1) return;
    await sleep(milliseconds, undefined, { signal: this.abort.signal }).catch(() => undefined);
  }

  private nextPause(pause: number): number {
    return Math.min(pause * 2, this.options.maxPollMs);
  }

  /** @returns whether the batch is committed. Records a failure and waits for its backoff. */
  private async attempt(fence: string, events: RecordedEvent[], cursor: Cursor): Promise<boolean> {
    try {
      await this.database.separateTransaction(async (transaction) => {
        await this.checkpoint.begin(transaction, fence, this.searchPath);
        await this.reaction.handle(transaction, this.asRead(events));
        await this.checkpoint.advance(transaction, fence, cursor);
      });
      this.failures.succeeded();
      return true;
    } catch (error) {
      if (error instanceof LeaseIsLost || isTransient(error)) throw this.batchFailure(error, events.length);
      const [event] = events;
      if (event && events.length === 1 && error instanceof EventIsNewer)
        return this.yieldToNewerRelease(fence, event, error);
      this.logger.warn(`${this.reaction.name} failed at event ${event?.id}: ${String(error)}`);
      const wait = this.failures.record(error, events.length, cursor);
      await this.checkpoint.renew(fence);
      if (!this.failures.isFinal) await this.waitFor(wait);
      return false;
    }
  }

  /** The error of a batch that ran out of time, memory or lease: a smaller batch may succeed. */
  private batchFailure(error: unknown, events: number): unknown {
    if (!(error instanceof DatabaseIsUnavailable)) this.failures.halveBatch(events);
    if (error instanceof LeaseIsLost)
      this.logger.warn(`${this.reaction.name} was taken over while this replica worked on ${events} events.`);
    return error;
  }

  private asRead(events: RecordedEvent[]): RecordedEvent[] {
    if (this.reaction.reads === 'stored') return events;
    return events.map((event) => this.store.upcast(event));
  }

  /** Releases the lease, so that a replica of a newer release can continue. */
  private async yieldToNewerRelease(
    fence: string,
    event: RecordedEvent,
    error: EventIsNewer,
  ): Promise<false> {
    this.logger.warn(
      `${this.reaction.name} waits for a replica of a newer release. Event ${event.id}: ${error.message}`,
    );
    this.unreadable = event;
    this.failures.reset();
    await this.checkpoint.yield(fence, event, `Event ${event.id} (${event.type}): ${error.message}`);
    return false;
  }

  private async stopReaction(fence: string, [event]: RecordedEvent[]): Promise<void> {
    const error = `Event ${event?.id} (${event?.type}): ${String(this.failures.last)}`;
    this.logger.error(`${this.reaction.name} has stopped. ${error}`);
    await this.checkpoint.stop(fence, error);
    this.failures.reset();
  }
}
