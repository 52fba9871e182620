import { setTimeout as sleep } from 'node:timers/promises';
import type { BeforeApplicationShutdown, OnApplicationBootstrap } from '@nestjs/common';
import { Injectable, Logger } from '@nestjs/common';
import { Clock } from '#libs/clock';
import { DueLoop } from '#libs/due-work';
import { exists } from '../domain/post.js';
import { PublishCandidatesStore } from './candidates.store.js';
import { PublishClaims } from './claims.js';
import type { Claimed } from './claims.js';
import { AttemptSender } from './attempt-sender.js';
import { PublishMetrics } from './metrics.js';
import { PublishOutcomes } from './outcomes.js';
import { PublishPlan } from './plan.js';
import { PublishTakeover } from './takeover.js';
import { PublishConfig } from './publish.config.js';

/** A claim costs nearly the same for one post as for many: fewer free places than this wait a moment for company. */
const WORTH_A_CLAIM = 64;
const A_MOMENT_MS = 20;
/** Out of rest a small claim: its posts are on their way while the next, larger one is made. */
const FIRST_CLAIM = 64;
const TAKEOVER_EVERY_MS = 1_000;

/**
 * Publishes what is due, on time: claims in batches, sends with bounded concurrency, each account one post at a time,
 * and records outcomes in batches. What a worker needs to know is in the database; any number of them may run.
 */
@Injectable()
export class PublishDuePosts implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger(PublishDuePosts.name);
  private readonly running = new Set<Promise<unknown>>();
  /** Apart from what runs: whoever is looked for takes no place of what is due. */
  private readonly takeovers = new Set<Promise<unknown>>();
  private readonly loop: DueLoop;
  private lastClaimAt = -Infinity;
  private lastTakeoverAt = -Infinity;

  constructor(
    private readonly claims: PublishClaims,
    private readonly delivery: AttemptSender,
    private readonly outcomes: PublishOutcomes,
    private readonly plan: PublishPlan,
    private readonly takeover: PublishTakeover,
    private readonly candidates: PublishCandidatesStore,
    private readonly metrics: PublishMetrics,
    private readonly clock: Clock,
    private readonly config: PublishConfig,
  ) {
    this.loop = new DueLoop({
      run: () => this.run(),
      pollMs: config.pollMs,
      onError: (error) => this.logger.error(error, 'Due posts could not be claimed; trying again.'),
    });
  }

  onApplicationBootstrap(): void {
    this.loop.start();
  }

  /**
   * Takes no more posts; resolves when every attempt that runs or is taken over has its outcome stored, at the latest
   * when a lease's time is over: what the database has not taken by then is taken over by another worker, or by this
   * one started again.
   */
  async beforeApplicationShutdown(): Promise<void> {
    const late = new AbortController();
    const stopped = this.loop.stop().then(() => Promise.all([...this.running, ...this.takeovers]));
    const tooLate = sleep(this.config.leaseMs, undefined, { signal: late.signal }).catch(() => undefined);
    await Promise.race([stopped, tooLate]);
    late.abort();
    this.outcomes.end();
  }

  private async run(): Promise<number> {
    await this.takeOver();
    const free = this.config.concurrency - this.running.size;
    if (free <= 0) return Infinity;
    if (free < WORTH_A_CLAIM && this.running.size > 0 && this.sinceClaim() < A_MOMENT_MS) return A_MOMENT_MS;
    this.lastClaimAt = this.clock.monotonic();
    const { claimed, progress } = await this.claims.take(
      this.running.size > 0 ? free : Math.min(free, FIRST_CLAIM),
    );
    for (const each of claimed) this.track(this.publish(each), this.running);
    return progress > 0 ? 0 : this.candidates.nextInMs();
  }

  private async publish(claimed: Claimed): Promise<void> {
    const begun = this.clock.monotonic();
    const { attempt, outcome } = await this.delivery.send(claimed);
    this.metrics.attemptTook(this.clock.monotonic() - begun);
    await this.outcomes.record(attempt, outcome);
    if (outcome.kind === 'published' && isPart(claimed)) this.plan.expectParts();
  }

  private async takeOver(): Promise<void> {
    if (this.clock.monotonic() - this.lastTakeoverAt < TAKEOVER_EVERY_MS) return;
    this.lastTakeoverAt = this.clock.monotonic();
    for (const settled of await this.takeover.take()) this.track(settled, this.takeovers);
  }

  private track(work: Promise<unknown>, among: Set<Promise<unknown>>): void {
    among.add(work);
    void work.finally(() => {
      among.delete(work);
      this.loop.wake();
    });
  }

  private sinceClaim(): number {
    return this.clock.monotonic() - this.lastClaimAt;
  }
}

const isPart = ({ changed: { state } }: Claimed): boolean => exists(state) && state.thread !== null;
