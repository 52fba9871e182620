import { randomUUID } from 'node:crypto';
import { type BeforeApplicationShutdown, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { Database, type Executor } from '#libs/database';
import { EventStore } from '../event-store.js';
import { DEFAULT_OPTIONS, type Reaction, type ReactionOptions } from './reaction.js';
import { ReactionRunner } from './reaction-runner.js';
import { reactionStatus, type ReactionStatus } from './reaction-status.js';

/**
 * The reactions of this process: the providers declared with `ReactsToEvents`. They start with the application and stop
 * before it shuts down. Any number of replicas may run the same ones.
 */
@Injectable()
export class Reactions implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly owner = randomUUID();
  private readonly runners = new Map<string, ReactionRunner>();
  private readonly registered = new Map<string, Reaction>();

  constructor(
    private readonly database: Database,
    private readonly store: EventStore,
  ) {
    store.onAppended(() => this.wake());
  }

  /** @throws Error when the name is taken. */
  register(reaction: Reaction, options: Partial<ReactionOptions> = {}): void {
    if (this.registered.has(reaction.name)) throw new Error(`Two reactions are named ${reaction.name}.`);
    const all = { ...DEFAULT_OPTIONS, ...options };
    this.registered.set(reaction.name, reaction);
    this.runners.set(reaction.name, new ReactionRunner(this.database, this.store, reaction, this.owner, all));
  }

  all(): readonly Reaction[] {
    return [...this.registered.values()];
  }

  /** Also resumes stopped reactions. */
  start(): void {
    for (const runner of this.runners.values()) runner.start();
  }

  /** Resolves when the running batches have ended. */
  async stop(): Promise<void> {
    await Promise.all([...this.runners.values()].map((runner) => runner.stop()));
  }

  /** Hint that there may be new events. */
  wake(): void {
    for (const runner of this.runners.values()) runner.wake();
  }

  /** All reactions in the database, those of other processes included. */
  status(executor: Executor = this.database): Promise<ReactionStatus[]> {
    return reactionStatus(executor);
  }

  onApplicationBootstrap(): void {
    this.start();
  }

  beforeApplicationShutdown(): Promise<void> {
    return this.stop();
  }
}
