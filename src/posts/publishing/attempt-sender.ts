import { Injectable, Logger } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { type FailureReport, inDoubt, type Instant } from '#libs/content';
import {
  DeliverPost,
  type DeliveryOutcome,
  MEDIA_NOT_FETCHED,
  MEDIA_UNREADABLE,
  ReclaimPreparation,
} from '../../integrations/index.js';
import { attemptWasLost } from '../domain/publish-decision.js';
import { exists } from '../domain/post.js';
import { afterStatedHold, lateAtOf, windowOf } from '../domain/late-window.js';
import { retryOrFail } from '../domain/retrying.js';
import { AttemptJournal } from './attempt-journal.js';
import { type Claimed, deliveryOf, type Outcome, type Task } from './attempt.js';
import { PublishConfig } from './publish.config.js';
import { PublishLeases } from './leases.js';
import { PublishMetrics } from './metrics.js';
import { PublisherPosts } from './publisher-posts.js';
import { ReconcileAttempts, type Search } from './reconcile-attempts.js';
import { UnfetchedFiles } from './unfetched-files.js';

export interface EndedAttempt {
  /** With the post as its journal left it. */
  readonly attempt: Claimed;
  readonly outcome: Outcome;
}

/** Sends a claimed post, or looks for it on the network, and determines the outcome of the attempt. */
@Injectable()
export class AttemptSender {
  private readonly logger = new Logger(AttemptSender.name);

  constructor(
    private readonly commands: CommandBus,
    private readonly posts: PublisherPosts,
    private readonly leases: PublishLeases,
    private readonly reconcile: ReconcileAttempts,
    private readonly files: UnfetchedFiles,
    private readonly metrics: PublishMetrics,
    private readonly config: PublishConfig,
  ) {}

  /** @throws when the preparation of an attempt that is taken over cannot be read: whether it was sent stays open */
  async send(claimed: Claimed): Promise<EndedAttempt> {
    const journal = new AttemptJournal(this.posts, claimed);
    const outcome = await this.outcomeOf(claimed, journal);
    return { attempt: { ...claimed, changed: journal.changed }, outcome };
  }

  private async outcomeOf(claimed: Claimed, journal: AttemptJournal): Promise<Outcome> {
    const { task } = claimed;
    switch (task.kind) {
      case 'send': {
        const ends = this.metrics.attemptStarts();
        const outcome = await this.sent(claimed, journal, task.lateAt);
        ends(outcome);
        return outcome;
      }
      case 'find':
        return this.confirmed(claimed, task.since, attemptWasLost);
      case 'take-over':
        return this.takenOver(claimed, task.since);
      case 'check':
        return this.checked(claimed, task);
    }
  }

  private async sent(claimed: Claimed, journal: AttemptJournal, lateAt: Instant): Promise<Outcome> {
    const outcome = await this.delivered(claimed, journal);
    switch (outcome.kind) {
      case 'published':
        return outcome;
      case 'held':
        return afterHold(claimed, outcome, lateAt);
      case 'accepted':
        return { kind: 'undecided', milliseconds: outcome.milliseconds, ids: outcome.ids };
      case 'abandoned':
        return { kind: 'held', until: claimed.changed.at, reason: 'sender_paused' };
      case 'unconfirmed':
        return this.confirmed(claimed, claimed.changed.at, outcome.failure, notDelivered(journal.changed.at));
      case 'passing':
        return this.afterPassing(claimed, outcome, lateAt);
      case 'failed':
        return outcome.duplicate ? this.afterDuplicate(claimed, outcome) : outcome;
    }
  }

  private afterPassing(
    { changed: { state } }: Claimed,
    { failure, at, isNetworkDown }: DeliveryOutcome & { readonly kind: 'passing' },
    lateAt: Instant,
  ): Outcome {
    if (!exists(state) || state.status !== 'scheduled') return { kind: 'failed', failure };
    const { retryWaitMs } = this.config;
    const budgetMs = this.config.budgetOf(state.platform);
    const limits = {
      budgetMs,
      firstWaitMs: retryWaitMs,
      lateAt,
      inTimeOnly: state.ifLate === 'fail',
      jitter: Math.random(),
    };
    return retryOrFail(state.retrying, { failure, at, endsEarly: isNetworkDown }, limits);
  }

  /** Only what `DeliverPost` throws proves that nothing was published; nothing else may be caught here. */
  private async delivered(claimed: Claimed, journal: AttemptJournal): Promise<DeliveryOutcome> {
    const { attemptId, lease, postId, files, network } = claimed;
    const delivery = {
      ...deliveryOf(claimed),
      files,
      network,
      attemptId,
      maySend: () => this.leases.isSafe(lease),
      journal: (ids: Readonly<Record<string, string>>) => journal.record(ids),
    };
    try {
      return await this.commands.execute(new DeliverPost(delivery));
    } catch (error) {
      this.logger.error(
        error,
        `Attempt ${attemptId} of post ${postId} failed before anything was published.`,
      );
      return { kind: 'held', until: inAMinute(claimed.changed.at), reason: 'interrupted' };
    }
  }

  private async takenOver(claimed: Claimed, since: Instant): Promise<Outcome> {
    const { postId, attemptId, changed } = claimed;
    this.logger.warn({ postId, attemptId }, 'Taking over a publish attempt.');
    const reclaim = () => this.commands.execute(new ReclaimPreparation({ postId, attemptId }));
    if (await this.reconcile.patiently(reclaim))
      return { kind: 'held', until: changed.at, reason: 'interrupted' };
    return this.confirmed(claimed, since, workerWasLost, notDelivered(changed.at));
  }

  /** What cannot be told now is asked again, until the budget ends. */
  private async checked(
    claimed: Claimed,
    { since, at, mayBeOther }: Task & { kind: 'check' },
  ): Promise<Outcome> {
    const found = await this.reconcile.once({ ...deliveryOf(claimed), since });
    const unknown: Outcome = { kind: 'undecided', milliseconds: UNKNOWN_WAIT_MS, ids: {} };
    const absent: Outcome = mayBeOther ? { kind: 'failed', failure: attemptWasLost } : notDelivered(at);
    return this.outcomeAfter(claimed, found, { unknown, absent });
  }

  /** The network has the same text: perhaps from an earlier attempt of this post whose answer was lost. */
  private async afterDuplicate(
    claimed: Claimed,
    { failure, existing }: DeliveryOutcome & { readonly kind: 'failed' },
  ): Promise<Outcome> {
    const since = await this.reconcile.firstDoubt(claimed.postId);
    if (since === null) return { kind: 'failed', failure };
    if (existing && (await this.reconcile.isOurs(existing, deliveryOf(claimed))))
      return { kind: 'published', isFound: true, ...existing };
    return this.confirmed(claimed, since, failure);
  }

  /** @param absent the outcome when the network says for certain that the attempt published nothing */
  private async confirmed(
    claimed: Claimed,
    since: Instant,
    failure: FailureReport,
    absent: Outcome = { kind: 'failed', failure },
  ): Promise<Outcome> {
    const found = await this.reconcile.find({ ...deliveryOf(claimed), since });
    return this.outcomeAfter(claimed, found, { unknown: { kind: 'failed', failure }, absent });
  }

  private async outcomeAfter(
    claimed: Claimed,
    found: Search,
    other: Record<'unknown' | 'absent', Outcome>,
  ): Promise<Outcome> {
    const isUnfetched = found.kind === 'refused' && found.failure.code === MEDIA_NOT_FETCHED;
    return isUnfetched ? this.afterUnfetched(claimed, found.failure) : outcomeOf(found, other);
  }

  /** The refusal is final only when this product's own address of the files works. Nothing was published. */
  private async afterUnfetched(claimed: Claimed, failure: FailureReport): Promise<Outcome> {
    const { task, changed } = claimed;
    const { state } = changed;
    const at = task.kind === 'check' ? task.at : changed.at;
    if (!exists(state) || state.status !== 'scheduled') return { kind: 'failed', failure };
    if (!(await this.files.areReadable(state)))
      return { kind: 'held', until: inAMinute(at), reason: MEDIA_UNREADABLE };
    if (failure.class !== 'transient') return { kind: 'failed', failure };
    const lateAt = lateAtOf(state, windowOf(state, null), this.config.lateWindowMs);
    return this.afterPassing(claimed, { kind: 'passing', failure, at, isNetworkDown: false }, lateAt);
  }
}

/** Waits of this product's own last until the late window ends; those that the network states may move it. */
function afterHold(
  { changed: { state } }: Claimed,
  { until, reason, isStated }: DeliveryOutcome & { readonly kind: 'held' },
  lateAt: Instant,
): Outcome {
  if (!isStated || !exists(state) || state.status !== 'scheduled') return { kind: 'held', until, reason };
  return afterStatedHold(state, { until, reason }, lateAt);
}

function outcomeOf(found: Search, other: Record<'unknown' | 'absent', Outcome>): Outcome {
  switch (found.kind) {
    case 'found':
      return { kind: 'published', isFound: true, ...found.post };
    case 'pending':
      return { kind: 'undecided', milliseconds: found.milliseconds, ids: {} };
    case 'refused':
      return { kind: 'failed', failure: found.failure };
    case 'not-delivered':
      return other.absent;
    case 'unknown':
      return other.unknown;
  }
}

/** After a check that told nothing; grows with the time that the post has waited. */
const UNKNOWN_WAIT_MS = 30_000;

const workerWasLost = inDoubt(
  'The worker that was sending this post stopped before the network answered. The post may be live.',
);

/** Certainly without effect: it is sent again, for as long as its late window lasts. */
const notDelivered = (at: Instant): Outcome => ({
  kind: 'held',
  until: inAMinute(at),
  reason: 'not_delivered',
});

/** The cause may last: one attempt a minute is enough, until the late window ends it. */
const inAMinute = (at: Instant): Instant => new Date(Date.parse(at) + 60_000).toISOString();
