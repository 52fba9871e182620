import { Injectable, Logger } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import type { FailureReport, Instant } from '#libs/content';
import { Database } from '#libs/database';
import { EventStore } from '#libs/event-store';
import { DeliverPost } from '../../integrations/index.js';
import type { DeliveryOutcome } from '../../integrations/index.js';
import type { PostEvent } from '../domain/post.events.js';
import { Posts } from '../posts.stream.js';
import { attemptWasLost } from '../domain/publish-decision.js';
import { AttemptJournal } from './attempt-journal.js';
import type { Claimed } from './claims.js';
import { PublishLeases } from './leases.js';
import type { Outcome } from './outcome.js';
import { ReconcileAttempts } from './reconcile-attempts.js';
import { contentOf, preparedFor } from './sent-content.js';
import type { Sent } from './sent-content.js';

export interface EndedAttempt {
  /** With the post as its journal left it. */
  readonly attempt: Claimed;
  readonly outcome: Outcome;
}

/** Sends one claimed post and finds out what became of it. */
@Injectable()
export class AttemptSender {
  private readonly logger = new Logger(AttemptSender.name);

  constructor(
    private readonly commands: CommandBus,
    private readonly events: EventStore,
    private readonly leases: PublishLeases,
    private readonly reconcile: ReconcileAttempts,
    private readonly database: Database,
    private readonly posts: Posts,
  ) {}

  async send(claimed: Claimed): Promise<EndedAttempt> {
    const journal = new AttemptJournal(this.database, this.posts, claimed);
    const outcome = await this.outcomeOf(claimed, journal);
    return { attempt: { ...claimed, changed: journal.changed }, outcome };
  }

  private async outcomeOf(claimed: Claimed, journal: AttemptJournal): Promise<Outcome> {
    if (claimed.lostSince !== null) return this.confirmed(claimed, claimed.lostSince, attemptWasLost);
    const outcome = await this.delivered(claimed, journal);
    switch (outcome.kind) {
      case 'published':
      case 'held':
        return outcome;
      case 'abandoned':
        return { kind: 'held', until: claimed.changed.at, reason: 'sender_paused' };
      case 'unconfirmed':
        return this.confirmed(claimed, claimed.changed.at, outcome.failure, notDelivered(journal.changed.at));
      case 'failed':
        return outcome.duplicate ? this.afterDuplicate(claimed, outcome.failure) : outcome;
    }
  }

  /** Only what `DeliverPost` throws proves that nothing was published; nothing else may be caught here. */
  private async delivered(claimed: Claimed, journal: AttemptJournal): Promise<DeliveryOutcome> {
    const { attemptId, lease, postId } = claimed;
    const delivery = {
      ...deliveryOf(claimed),
      attemptId,
      maySend: () => this.leases.isSafe(lease),
      journal: (ids: Readonly<Record<string, string>>) => journal.record(ids),
    };
    try {
      return await this.commands.execute(new DeliverPost(delivery));
    } catch (error) {
      this.logger.error(
        error,
        `Attempt ${attemptId} of post ${postId} was interrupted before anything was published.`,
      );
      return { kind: 'held', until: later(claimed.changed.at), reason: 'interrupted' };
    }
  }

  /** The same text is there already: the trace of an earlier attempt of this post whose answer was lost, perhaps. */
  private async afterDuplicate(claimed: Claimed, failure: FailureReport): Promise<Outcome> {
    const since = await this.firstDoubt(claimed.postId).catch((error: unknown) => {
      this.logger.error(error, `What was in doubt about post ${claimed.postId} could not be read.`);
      return null;
    });
    return since === null ? { kind: 'failed', failure } : this.confirmed(claimed, since, failure);
  }

  /** @param absent the outcome when the network says for certain that the attempt published nothing */
  private async confirmed(
    claimed: Claimed,
    since: Instant,
    failure: FailureReport,
    absent: Outcome = { kind: 'failed', failure },
  ): Promise<Outcome> {
    const found = await this.reconcile.find({ ...deliveryOf(claimed), since });
    if (found === 'not-delivered') return absent;
    return found ? { kind: 'published', isFound: true, ...found } : { kind: 'failed', failure };
  }

  /** When the first attempt began that ended in doubt; null when there was none. */
  private async firstDoubt(postId: string): Promise<Instant | null> {
    const { events } = await this.events.read<PostEvent>(postId);
    const doubtful = new Set(
      events.flatMap(({ type, data }) =>
        type === 'PostPublishFailed' && (data as { failure: FailureReport }).failure.class === 'unconfirmed'
          ? [(data as { attemptId: string }).attemptId]
          : [],
      ),
    );
    const started = events.find(
      ({ type, data }) =>
        type === 'PublishAttemptStarted' && doubtful.has((data as { attemptId: string }).attemptId),
    );
    return started?.at ?? null;
  }
}

export function deliveryOf({
  postId,
  connectionId,
  ...sent
}: Sent & Pick<Claimed, 'postId' | 'connectionId'>) {
  return { postId, connectionId, fingerprint: preparedFor(sent), content: contentOf(sent) };
}

/** Certainly without effect: it is sent again, for as long as its late window lasts. */
export const notDelivered = (at: Instant): Outcome => ({
  kind: 'held',
  until: later(at),
  reason: 'not_delivered',
});

/** An interruption here may last: once a minute, until the late window ends it, is often enough. */
function later(at: Instant): Instant {
  return new Date(Date.parse(at) + 60_000).toISOString();
}
