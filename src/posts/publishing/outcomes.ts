import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable, Logger } from '@nestjs/common';
import { Clock } from '#libs/clock';
import { inDoubt, type Instant } from '#libs/content';
import type { Transaction } from '#libs/database';
import { StreamHasMoved } from '#libs/event-store';
import { hold, recordFailed, recordPublished, type Resolution, resolve } from '../domain/delivery.js';
import { isUnconfirmed } from '../domain/guards.js';
import type { PostEvent } from '../domain/post.events.js';
import { exists, type Post } from '../domain/post.js';
import type { Claimed, Outcome } from './attempt.js';
import { confirmFound } from './found-posts.js';
import { PublishConfig } from './publish.config.js';
import { type NextCheck, scheduleCheck } from '../domain/undecided.js';
import { PublishLeases } from './leases.js';
import { PublishMetrics } from './metrics.js';
import { publisher, PublisherPosts, type PublishingChange, type StoreResult } from './publisher-posts.js';

export type Attempt = Pick<Claimed, 'postId' | 'attemptId' | 'lease' | 'organizationId' | 'changed'>;

interface Waiting {
  readonly postId: string;
  readonly attempt: Attempt;
  readonly outcome: Outcome;
  /** Monotonic milliseconds. */
  readonly since: number;
  readonly recorded: () => void;
}

const GATHER_MS = 5;
const AT_ONCE = 256;
const RETRY_MS = 250;

/** Stored instead of an outcome that the database refuses. If the post is not live, asking a person does no harm. */
const UNRECORDED: Outcome = {
  kind: 'failed',
  failure: inDoubt('What the network answered could not be recorded. The post may be live.'),
};

/**
 * Records outcomes in batches and releases their accounts in the same transaction. Repeats it while the database is away, until
 * this process ends. An outcome that the database refuses delays no other.
 */
@Injectable()
export class PublishOutcomes {
  private readonly logger = new Logger(PublishOutcomes.name);
  private readonly waiting = new Set<Waiting>();
  private flushing = false;
  private ended = false;

  constructor(
    private readonly clock: Clock,
    private readonly posts: PublisherPosts,
    private readonly leases: PublishLeases,
    private readonly config: PublishConfig,
    metrics: PublishMetrics,
  ) {
    metrics.watchUnrecorded(() => this.oldestMs);
  }

  /** Resolves once it is stored, another worker has settled the attempt, or the attempt is left to a takeover. */
  record(attempt: Attempt, outcome: Outcome): Promise<void> {
    const { postId } = attempt;
    return new Promise((recorded) => {
      this.waiting.add({ postId, attempt, outcome, since: this.clock.monotonic(), recorded });
      if (this.ended) this.end();
      else if (!this.flushing) void this.flush();
    });
  }

  /** An attempt whose outcome cannot be determined stays open: it is taken over, by this worker once the quarantine ends. */
  async leave({ postId, lease }: Attempt, error: unknown): Promise<void> {
    this.posts.quarantine.add(postId, error);
    await this.leases.giveBack([lease]);
  }

  /** How long the oldest outcome has waited to be stored; 0 when none waits. */
  private get oldestMs(): number {
    const [oldest] = this.waiting;
    return oldest ? this.clock.monotonic() - oldest.since : 0;
  }

  /** Stops waiting. Attempts whose outcome is not stored are taken over once their leases have run out. */
  end(): void {
    this.ended = true;
    for (const each of this.waiting) {
      this.logger.error(
        nameOf(each),
        'This outcome was not stored before the end. Its attempt is taken over.',
      );
      this.settled(each);
    }
  }

  private async flush(): Promise<void> {
    this.flushing = true;
    await sleep(GATHER_MS);
    while (this.waiting.size > 0) {
      const batch = this.oneOfEachPost();
      try {
        const answers = await this.posts.store(batch, {
          changesOf: (items, transaction) => changesOf(items, transaction, this.config.decisionBudgetMs),
          afterwards: (items, transaction) =>
            this.leases.release(
              transaction,
              items.map(({ attempt }) => attempt.lease),
            ),
          instead: (waiting, error) => this.refused(waiting, error),
        });
        await this.afterStore(batch, answers);
        if (answers.includes('unknown')) await sleep(RETRY_MS);
      } catch (error) {
        this.logger.error(error, 'Outcomes could not be stored. They are kept and tried again.');
        await sleep(RETRY_MS);
      }
    }
    this.flushing = false;
  }

  /** The oldest of each post: a frozen worker may settle its own attempt by takeover while its own call ends. */
  private oneOfEachPost(): Waiting[] {
    const first = new Map<string, Waiting>();
    for (const each of this.waiting) {
      if (first.size === AT_ONCE) break;
      if (!first.has(each.postId)) first.set(each.postId, each);
    }
    return [...first.values()];
  }

  private refused(waiting: Waiting, error: unknown): Waiting {
    this.logger.error(
      { ...nameOf(waiting), err: error },
      'The database refuses this outcome. A person is asked.',
    );
    return { ...waiting, outcome: UNRECORDED };
  }

  private async afterStore(batch: readonly Waiting[], answers: readonly StoreResult[]): Promise<void> {
    const late: Waiting[] = [];
    for (const [index, each] of batch.entries()) {
      const answer = answers[index] as StoreResult;
      if (answer === 'unknown') continue;
      if (answer === 'refused') await this.leases.giveBack([each.attempt.lease]);
      else this.leases.forget([each.attempt.lease]);
      if (answer instanceof StreamHasMoved) late.push(each);
      else this.settled(each);
    }
    for (const each of late) {
      await this.settleLate(each);
      this.settled(each);
    }
  }

  private settled(waiting: Waiting): void {
    this.waiting.delete(waiting);
    waiting.recorded();
  }

  /**
   * Another worker has taken the attempt over, or this very outcome is stored and the answer to its COMMIT was lost. Where the
   * post is still in doubt, the network's own answer settles it.
   */
  private async settleLate({ attempt, outcome }: Waiting): Promise<void> {
    const { postId, attemptId, organizationId } = attempt;
    const known = knownOf(outcome);
    const decide = (state: Post) =>
      known && isInDoubt(state, attemptId) ? resolve(known, publisher)(state) : [];
    const isSettled = await this.posts.change({ postId, organizationId, from: fromOf(attempt) }, decide);
    this.logger.warn(
      { ...nameOf({ attempt, outcome }), isUsed: isSettled },
      'A publish attempt had ended already when its outcome was to be stored.',
    );
  }
}

const fromOf = ({ changed }: Attempt) => ({ ...changed, now: changed.at });

async function changesOf(
  batch: readonly Waiting[],
  transaction: Transaction,
  budgetMs: number,
): Promise<PublishingChange[]> {
  const outcomes = await confirmFound(transaction, batch);
  const now = outcomes.some(({ kind }) => kind === 'undecided') ? await nowIn(transaction) : '';
  return batch.map(({ attempt }, index) => {
    const { postId, organizationId, attemptId } = attempt;
    const from = fromOf(attempt);
    return {
      postId,
      organizationId,
      from,
      events: decided(attemptId, outcomes[index] as Outcome, { now, budgetMs })(from.state),
    };
  });
}

async function nowIn(transaction: Transaction): Promise<Instant> {
  const [row] = await transaction.query<{ now: Date }>('SELECT clock_timestamp() AS now');
  return (row as { now: Date }).now.toISOString();
}

/** Whether the post is there, by the network's own answer; null when this outcome does not say. */
function knownOf(outcome: Outcome): Resolution | null {
  if (outcome.kind === 'undecided') return null;
  if (outcome.kind === 'published') return outcome.isFound ? null : { delivered: true, ...outcome };
  if (outcome.kind === 'failed' && outcome.failure.class === 'unconfirmed') return null;
  return { delivered: false };
}

const isInDoubt = (post: Post, attemptId: string): boolean =>
  exists(post) && isUnconfirmed(post) && post.failure.attemptId === attemptId;

function decided(
  attemptId: string,
  outcome: Outcome,
  decision: Pick<NextCheck, 'now' | 'budgetMs'>,
): (post: Post) => PostEvent[] {
  switch (outcome.kind) {
    case 'published': {
      const { platformPostId, platformPostUrl } = outcome;
      return recordPublished({ attemptId, platformPostId, platformPostUrl });
    }
    case 'failed':
      return recordFailed({ attemptId, failure: outcome.failure });
    case 'undecided': {
      const { milliseconds, ids } = outcome;
      return scheduleCheck({ attemptId, milliseconds, ids, ...decision });
    }
    case 'held': {
      const { kind: _, ...held } = outcome;
      return hold({ attemptId, ...held });
    }
  }
}

/** For the log: what an operator needs to find the post, on the network too. */
function nameOf({ attempt: { postId, attemptId }, outcome }: Pick<Waiting, 'attempt' | 'outcome'>) {
  const { kind } = outcome;
  return {
    postId,
    attemptId,
    outcome: kind,
    ...(kind === 'published' && { platformPostId: outcome.platformPostId }),
  };
}
