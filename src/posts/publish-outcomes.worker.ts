import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable, Logger } from '@nestjs/common';
import { Database } from '#libs/database';
import type { HeldLeases } from '#libs/due-work';
import { StreamHasMoved, StreamNotFound } from '#libs/event-store';
import { hold, recordFailed, recordPublished, resolve } from './delivery.js';
import type { FailureReport, Instant, PostEvent } from './post.events.js';
import type { Post } from './post.js';
import { exists } from './post.js';
import { isUnconfirmed } from './guards.js';
import type { Claimed } from './publish-claims.worker.js';
import { PublishLeases } from './publish-leases.worker.js';
import { publisher, workerContext } from './publish-metadata.worker.js';
import { Posts } from './posts.stream.js';

/** How an attempt ended, as it is recorded. */
export type Outcome =
  | { readonly kind: 'published'; readonly platformPostId: string; readonly platformPostUrl: string }
  | { readonly kind: 'failed'; readonly failure: FailureReport }
  | { readonly kind: 'held'; readonly until: Instant; readonly reason: string };

type Attempt = Pick<Claimed, 'postId' | 'attemptId' | 'accountKey' | 'organizationId' | 'changed'>;

interface Waiting {
  readonly attempt: Attempt;
  readonly outcome: Outcome;
  readonly recorded: () => void;
}

const GATHER_MS = 5;
const AT_ONCE = 256;
const RETRY_MS = 250;

/**
 * Records outcomes, those that come together in one transaction, and gives their accounts back in it. An outcome
 * is not lost to an outage of the database: it is tried again until it is stored.
 */
@Injectable()
export class PublishOutcomes {
  private readonly logger = new Logger(PublishOutcomes.name);
  private readonly waiting = new Set<Waiting>();
  private flushing = false;

  constructor(
    private readonly database: Database,
    private readonly posts: Posts,
    private readonly leases: PublishLeases,
  ) {}

  /** Resolves once it is stored, or somebody else has settled the attempt. */
  record(attempt: Attempt, outcome: Outcome): Promise<void> {
    return new Promise((recorded) => {
      this.waiting.add({ attempt, outcome, recorded });
      if (!this.flushing) void this.flush();
    });
  }

  private async flush(): Promise<void> {
    this.flushing = true;
    await sleep(GATHER_MS);
    while (this.waiting.size > 0) {
      const batch = this.oneOfEachPost();
      try {
        await this.store(batch);
        for (const each of batch) {
          this.waiting.delete(each);
          each.recorded();
        }
      } catch (error) {
        this.logger.error(
          error,
          'Outcomes of publish attempts could not be stored yet; they are kept and tried again.',
        );
        await sleep(RETRY_MS);
      }
    }
    this.flushing = false;
  }

  /**
   * The oldest of each post: a worker that was frozen may settle an attempt of its own as somebody else's while its own
   * call ends. Who comes second finds the attempt settled.
   */
  private oneOfEachPost(): Waiting[] {
    const first = new Map<string, Waiting>();
    for (const each of this.waiting) {
      if (first.size === AT_ONCE) break;
      if (!first.has(each.attempt.postId)) first.set(each.attempt.postId, each);
    }
    return [...first.values()];
  }

  private async store(batch: readonly Waiting[]): Promise<void> {
    const changes = batch.map(({ attempt: { postId, organizationId, changed }, outcome, attempt }) => ({
      id: postId,
      from: { ...changed, now: changed.at },
      events: decided(attempt, outcome)(changed.state),
      context: workerContext(organizationId, brandIdOf(changed.state)),
    }));
    const keys = batch.map(({ attempt }) => attempt.accountKey);
    let given: HeldLeases = new Map();
    const answers = await this.database.transaction(async (transaction) => {
      const stored = await this.posts.changeMany(transaction, changes);
      given = await this.leases.release(transaction, keys);
      return stored;
    });
    this.leases.forget(given);
    const overtaken = batch.filter((_, index) => answers[index] instanceof StreamHasMoved);
    for (const { attempt, outcome } of overtaken) await this.settleLate(attempt, outcome);
  }

  /** Another worker took this attempt over. What the network has named is the better knowledge. */
  private async settleLate(
    { postId, attemptId, organizationId, changed }: Attempt,
    outcome: Outcome,
  ): Promise<void> {
    this.logger.warn(
      { postId, attemptId, outcome: outcome.kind },
      'A publish attempt was taken over before its outcome.',
    );
    if (outcome.kind !== 'published') return;
    const delivered = { delivered: true, ...outcome } as const;
    const context = workerContext(organizationId, brandIdOf(changed.state));
    const decide = () => (state: Post) =>
      exists(state) && isUnconfirmed(state) ? resolve(delivered, publisher)(state) : [];
    await this.posts.change(postId, decide, context).catch((error: unknown) => {
      if (!(error instanceof StreamNotFound)) throw error;
    });
  }
}

function decided({ attemptId }: Attempt, outcome: Outcome): (post: Post) => PostEvent[] {
  switch (outcome.kind) {
    case 'published': {
      const { platformPostId, platformPostUrl } = outcome;
      return recordPublished({ attemptId, platformPostId, platformPostUrl });
    }
    case 'failed':
      return recordFailed({ attemptId, failure: outcome.failure });
    case 'held':
      return hold({ attemptId, until: outcome.until, reason: outcome.reason });
  }
}

function brandIdOf(post: Post): string {
  if (post.status === 'absent') throw new Error('A claimed post is never absent.');
  return post.brandId;
}
