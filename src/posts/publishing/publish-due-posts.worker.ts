import { setTimeout as sleep } from 'node:timers/promises';
import {
  type BeforeApplicationShutdown,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { DueLoop } from '#libs/due-work';
import { exists } from '../domain/post.js';
import { AbandonedAttempts } from './abandoned-attempts.js';
import { AttemptSender } from './attempt-sender.js';
import type { Claimed } from './attempt.js';
import { DecisionChecks } from './decision-checks.js';
import { PublishClaims } from './claims.js';
import { PublishOutcomes } from './outcomes.js';
import { NetworkSlots } from './network-slots.js';
import { PublishConfig } from './publish.config.js';

/**
 * A claim of one post costs nearly as much as a claim of many: with fewer free slots, or while a network or an organization has
 * all that it may have, the worker lingers before it claims.
 */
const MIN_BATCH = 64;
const BATCH_LINGER_MS = 20;
/** An idle worker claims few posts first, so that they are sent while the next, larger claim is made. */
const FIRST_BATCH = 64;
const TAKEOVER_EVERY_MS = 1_000;
/** Taken over at the same time, checks of decisions included. Each mostly waits. */
const MAX_TAKEOVERS = 256;

/**
 * Publishes due posts, on time, never twice. Any number of workers may run: all they share is in the database.
 *
 *     PublishPlan ──> PublishClaims ─────┐
 *     what is due     ClaimDecisions     ├─> AttemptSender ──> PublishOutcomes
 *                     AbandonedAttempts  │   DeliverPost,      stored in batches,
 *                     worker is gone     │   ReconcileAttempts account released
 *                     DecisionChecks ────┘
 *                     network decides later
 *
 * - A claim leases the account, reads the latest post, and stores the beginning of an attempt before any call to the network.
 *   Both kinds of claim give a `Claimed` with the task to send the post or to look for it.
 * - The sender determines the outcome. When it cannot, the attempt stays open and is taken over. Only `AttemptSender` calls networks.
 * - An outcome is stored on the version that the claim made, so that an attempt has one outcome.
 * - `PublisherPosts` stores both: as one batch, else one by one, and puts posts that fail by themselves into `Quarantine`.
 */
@Injectable()
export class PublishDuePosts implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger(PublishDuePosts.name);
  private readonly running = new Set<Promise<unknown>>();
  /** They occupy no slot of due posts. */
  private readonly background = new Set<Promise<unknown>>();
  /** Ids of attempts. */
  private readonly takenOver = new Set<string>();
  private readonly loop: DueLoop;
  private lastClaimAt = -Infinity;
  private lastTakeoverAt = -Infinity;

  constructor(
    private readonly claims: PublishClaims,
    private readonly abandoned: AbandonedAttempts,
    private readonly checks: DecisionChecks,
    private readonly sender: AttemptSender,
    private readonly outcomes: PublishOutcomes,
    private readonly slots: NetworkSlots,
    private readonly config: PublishConfig,
  ) {
    this.loop = new DueLoop({
      run: () => this.run(),
      pollMs: config.pollMs,
      onError: (error) => this.logger.error(error, 'Due posts could not be claimed. They are tried again.'),
    });
  }

  onApplicationBootstrap(): void {
    this.loop.start();
  }

  /**
   * Claims no more posts. Resolves when the outcome of every attempt of this worker is stored, after the time of a lease at the
   * latest: what is not stored by then is taken over.
   */
  async beforeApplicationShutdown(): Promise<void> {
    const late = new AbortController();
    const stopped = this.loop.stop().then(() => this.settled());
    const tooLate = sleep(this.config.leaseMs, undefined, { signal: late.signal }).catch(() => undefined);
    await Promise.race([stopped, tooLate]);
    late.abort();
    this.outcomes.end();
  }

  private settled(): Promise<unknown> {
    return Promise.all([...this.running, ...this.background, this.claims.end()]);
  }

  /** @returns milliseconds until it is worth running again */
  private async run(): Promise<number> {
    await this.takeOver();
    const free = this.config.concurrency - this.running.size;
    const isBusy = this.running.size > 0;
    if (free <= 0) return Infinity;
    const isScarce = free < MIN_BATCH || this.slots.isShort();
    if (isBusy && isScarce && performance.now() - this.lastClaimAt < BATCH_LINGER_MS) return BATCH_LINGER_MS;
    this.lastClaimAt = performance.now();
    const limit = isBusy ? free : Math.min(free, FIRST_BATCH);
    const { claimed, progress } = await this.claims.take(limit);
    for (const each of claimed) this.send(each);
    return progress ? 0 : this.claims.nextInMs();
  }

  private send(claimed: Claimed): void {
    this.slots.begin(claimed);
    this.track(
      this.settle(claimed).finally(() => this.slots.end(claimed)),
      this.running,
    );
  }

  private async takeOver(): Promise<void> {
    if (performance.now() - this.lastTakeoverAt < TAKEOVER_EVERY_MS) return;
    this.lastTakeoverAt = performance.now();
    const limit = MAX_TAKEOVERS - this.takenOver.size;
    for await (const each of this.abandoned.take({ limit, except: [...this.takenOver] }))
      this.settleInBackground(each);
    const left = MAX_TAKEOVERS - this.takenOver.size;
    for (const each of await this.checks.take({ limit: left, except: [...this.takenOver] }))
      this.settleInBackground(each);
  }

  private settleInBackground(claimed: Claimed): void {
    this.takenOver.add(claimed.attemptId);
    const settled = this.settle(claimed).finally(() => this.takenOver.delete(claimed.attemptId));
    this.track(settled, this.background);
  }

  /** Never throws. */
  private async settle(claimed: Claimed): Promise<void> {
    try {
      const { attempt, outcome } = await this.sender.send(claimed);
      await this.outcomes.record(attempt, outcome);
      if (outcome.kind === 'published' && isPart(attempt)) this.claims.expectParts();
    } catch (error) {
      await this.outcomes.leave(claimed, error);
    }
  }

  private track(work: Promise<unknown>, among: Set<Promise<unknown>>): void {
    among.add(work);
    void work.finally(() => {
      among.delete(work);
      this.loop.wake();
    });
  }
}

const isPart = ({ changed: { state } }: Claimed): boolean => exists(state) && state.thread !== null;
