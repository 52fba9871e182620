import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable, Logger } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { Clock } from '#libs/clock';
import { inDoubt } from '#libs/content';
import { Database } from '#libs/database';
import { StreamHasMoved, StreamNotFound } from '#libs/event-store';
import { ForgetPreparations } from '../../integrations/index.js';
import type { Resolution } from '../domain/delivery.js';
import { hold, recordFailed, recordPublished, resolve } from '../domain/delivery.js';
import type { PostEvent } from '../domain/post.events.js';
import type { Post } from '../domain/post.js';
import { exists } from '../domain/post.js';
import { isUnconfirmed } from '../domain/guards.js';
import type { Claimed } from './claims.js';
import { mayBeStoredLater } from './errors.js';
import { confirmFound } from './found-posts.js';
import { PublishLeases } from './leases.js';
import type { Outcome } from './outcome.js';
import { publisher, workerContext } from './metadata.js';
import { PublishMetrics } from './metrics.js';
import { Posts } from '../posts.stream.js';

type Attempt = Pick<Claimed, 'postId' | 'attemptId' | 'lease' | 'organizationId' | 'changed'>;

interface Waiting {
  readonly attempt: Attempt;
  readonly outcome: Outcome;
  /** Monotonic milliseconds. */
  readonly since: number;
  readonly recorded: () => void;
}

const GATHER_MS = 5;
const AT_ONCE = 256;
const RETRY_MS = 250;

/** Instead of what cannot be stored. Should the post be known not to be there, asking a person still does no harm. */
const UNRECORDED: Outcome = {
  kind: 'failed',
  failure: inDoubt('What the network answered could not be recorded. The post may be live.'),
};

/**
 * Records outcomes, those that come together in one transaction, and gives their accounts back in it. An outcome
 * is not lost to an outage of the database: it is tried again until it is stored, or this process is to end. One that
 * no database could store holds up no other.
 */
@Injectable()
export class PublishOutcomes {
  private readonly logger = new Logger(PublishOutcomes.name);
  private readonly waiting = new Set<Waiting>();
  private flushing = false;
  private ended = false;

  constructor(
    private readonly clock: Clock,
    private readonly database: Database,
    private readonly posts: Posts,
    private readonly leases: PublishLeases,
    private readonly metrics: PublishMetrics,
    private readonly commands: CommandBus,
  ) {
    metrics.watchUnrecorded(() => this.oldestMs);
  }

  /** Resolves once it is stored, somebody else has settled the attempt, or it is left to who takes the attempt over. */
  record(attempt: Attempt, outcome: Outcome): Promise<void> {
    return new Promise((recorded) => {
      this.waiting.add({ attempt, outcome, since: this.clock.monotonic(), recorded });
      if (this.ended) this.end();
      else if (!this.flushing) void this.flush();
    });
  }

  /** How long the oldest outcome has waited to be stored; 0 when none waits. */
  private get oldestMs(): number {
    const [oldest] = this.waiting;
    return oldest ? this.clock.monotonic() - oldest.since : 0;
  }

  /** Waits no longer: takeover settles, once the leases have run out, what is not stored. */
  end(): void {
    this.ended = true;
    for (const each of this.waiting) {
      this.logger.error(
        nameOf(each),
        'This outcome was not stored before the end; its attempt is taken over.',
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
        await this.store(batch);
        batch.forEach((each) => this.settled(each));
      } catch (error) {
        this.logger.error(
          error,
          'Outcomes of publish attempts could not be stored yet; they are kept and tried again.',
        );
        if (!mayBeStoredLater(error)) for (const each of batch) await this.storeAlone(each);
        await sleep(RETRY_MS);
      }
    }
    this.flushing = false;
  }

  /** As it is, else as a question to a person, else not at all: then takeover finds the attempt. */
  private async storeAlone(waiting: Waiting): Promise<void> {
    for (const outcome of [waiting.outcome, UNRECORDED]) {
      try {
        await this.store([{ ...waiting, outcome }]);
        return this.settled(waiting);
      } catch (error) {
        if (mayBeStoredLater(error)) return;
        this.logger.error({ ...nameOf(waiting), err: error }, 'An outcome cannot be stored as it is.');
      }
    }
    await this.leases.giveBack([waiting.attempt.lease]);
    this.settled(waiting);
  }

  private settled(waiting: Waiting): void {
    this.waiting.delete(waiting);
    waiting.recorded();
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
    const leases = batch.map(({ attempt }) => attempt.lease);
    const answers = await this.database.transaction(async (transaction) => {
      const outcomes = await confirmFound(transaction, batch);
      const changes = batch.map(({ attempt }, index) => changeOf(attempt, outcomes[index] as Outcome));
      const stored = await this.posts.changeMany(transaction, changes);
      await this.commands.execute(new ForgetPreparations(settledIn(batch, stored)));
      await this.leases.release(transaction, leases);
      return stored;
    });
    this.leases.forget(leases);
    this.metrics.stored(answers.flatMap((answer) => (answer instanceof StreamHasMoved ? [] : answer.events)));
    const overtaken = batch.filter((_, index) => answers[index] instanceof StreamHasMoved);
    for (const { attempt, outcome } of overtaken) await this.settleLate(attempt, outcome);
  }

  /**
   * Another worker took this attempt over, without an answer of the network. This one has its answer: where the attempt
   * is still in doubt, that settles it.
   */
  private async settleLate(attempt: Attempt, outcome: Outcome): Promise<void> {
    const { postId, attemptId, organizationId, changed } = attempt;
    this.logger.warn(nameOf({ attempt, outcome }), 'A publish attempt was taken over before its outcome.');
    const known = knownOf(outcome);
    if (!known) return;
    const context = workerContext(organizationId, brandIdOf(changed.state));
    const decide = () => (state: Post) =>
      isInDoubt(state, attemptId) ? resolve(known, publisher)(state) : [];
    const { events } = await this.posts.change(postId, decide, context).catch((error: unknown) => {
      if (!(error instanceof StreamNotFound)) throw error;
      return { events: [] };
    });
    this.metrics.stored(events);
    if (events.length === 0)
      this.logger.warn(
        nameOf({ attempt, outcome }),
        'It was settled otherwise before; this outcome is not used.',
      );
  }
}

/** What is put back continues later with what the network has of it. */
const settledIn = (batch: readonly Waiting[], stored: readonly object[]) =>
  batch
    .filter(({ outcome }, index) => outcome.kind !== 'held' && !(stored[index] instanceof StreamHasMoved))
    .map(({ attempt }) => ({ postId: attempt.postId, kept: null }));

function changeOf({ postId, organizationId, changed, attemptId }: Attempt, outcome: Outcome) {
  return {
    id: postId,
    from: { ...changed, now: changed.at },
    events: decided(attemptId, outcome)(changed.state),
    context: workerContext(organizationId, brandIdOf(changed.state)),
  };
}

/** Whether the post is there, by the network's own answer; null when this outcome does not say. */
function knownOf(outcome: Outcome): Resolution | null {
  if (outcome.kind === 'published') return outcome.isFound ? null : { delivered: true, ...outcome };
  if (outcome.kind === 'failed' && outcome.failure.class === 'unconfirmed') return null;
  return { delivered: false };
}

const isInDoubt = (post: Post, attemptId: string): boolean =>
  exists(post) && isUnconfirmed(post) && post.failure.attemptId === attemptId;

function decided(attemptId: string, outcome: Outcome): (post: Post) => PostEvent[] {
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
