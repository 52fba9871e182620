import { Injectable } from '@nestjs/common';
import { within } from '#libs/concurrency';
import { type ClaimRequest, ClaimingWorker } from '#libs/due-work';
import { exists } from '../domain/post.js';
import { AbandonedAttempts, DecisionChecks } from './open-attempts.js';
import { AttemptSender } from './attempt-sender.js';
import type { Claimed } from './attempt.js';
import { PublishCandidatesStore } from './candidates.store.js';
import { PublishClaims } from './claims.js';
import { PublishPlan } from './plan.js';
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
export class PublishDuePosts extends ClaimingWorker<Claimed> {
  private lastClaimAt = -Infinity;
  private lastTakeoverAt = -Infinity;
  /** Milliseconds until the next claim; null: until the next post is due. */
  private pauseMs: number | null = null;

  constructor(
    private readonly plan: PublishPlan,
    private readonly claims: PublishClaims,
    candidates: PublishCandidatesStore,
    private readonly abandoned: AbandonedAttempts,
    private readonly checks: DecisionChecks,
    private readonly sender: AttemptSender,
    private readonly outcomes: PublishOutcomes,
    private readonly slots: NetworkSlots,
    private readonly config: PublishConfig,
  ) {
    const due = {
      size: config.concurrency,
      claim: (request: ClaimRequest<Claimed>) => this.claimDue(request),
      nextInMs: async () => this.pauseMs ?? candidates.nextInMs(),
    };
    // They occupy no slot of due posts.
    const takeovers = {
      size: MAX_TAKEOVERS,
      claim: (request: ClaimRequest<Claimed>) => this.takeOver(request),
    };
    super([due, takeovers], { pollMs: config.pollMs });
  }

  /**
   * Claims no more posts. Resolves when the outcome of every attempt of this worker is stored, after the time of a lease at the
   * latest: what is not stored by then is taken over.
   */
  override async beforeApplicationShutdown(): Promise<void> {
    await within(this.config.leaseMs, this.stop());
    this.outcomes.end();
  }

  protected override async settled(): Promise<void> {
    await Promise.all([super.settled(), this.claims.end()]);
  }

  /** Never throws. */
  protected async settle(claimed: Claimed): Promise<void> {
    try {
      const { attempt, outcome } = await this.sender.send(claimed);
      await this.outcomes.record(attempt, outcome);
      if (outcome.kind === 'published' && isPart(attempt)) this.plan.expectParts();
    } catch (error) {
      await this.outcomes.leave(claimed, error);
    } finally {
      this.slots.end(claimed);
    }
  }

  private async claimDue({ limit, running }: ClaimRequest<Claimed>): Promise<readonly Claimed[]> {
    const isBusy = running.length > 0;
    const isScarce = limit < MIN_BATCH || this.slots.isShort();
    this.pauseMs = BATCH_LINGER_MS;
    if (isBusy && isScarce && performance.now() - this.lastClaimAt < BATCH_LINGER_MS) return [];
    this.lastClaimAt = performance.now();
    const { claimed, progress } = await this.claims.take(isBusy ? limit : Math.min(limit, FIRST_BATCH));
    for (const each of claimed) this.slots.begin(each);
    this.pauseMs = progress ? 0 : null;
    return claimed;
  }

  private async *takeOver({ limit, running }: ClaimRequest<Claimed>): AsyncIterable<Claimed> {
    if (performance.now() - this.lastTakeoverAt < TAKEOVER_EVERY_MS) return;
    this.lastTakeoverAt = performance.now();
    const except = running.map(({ attemptId }) => attemptId);
    const before = except.length;
    for await (const each of this.abandoned.take({ limit, except: [...except] })) {
      except.push(each.attemptId);
      yield each;
    }
    yield* await this.checks.take({ limit: limit - (except.length - before), except });
  }
}

const isPart = ({ changed: { state } }: Claimed): boolean => exists(state) && state.thread !== null;
