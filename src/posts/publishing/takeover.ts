import { Injectable, Logger } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import type { Instant } from '#libs/content';
import { inDoubt } from '#libs/content';
import type { Lease } from '#libs/due-work';
import { GetConnectionAccounts, TakeBackPreparation } from '../../integrations/index.js';
import { dueAtOf } from '../domain/delivery.js';
import type { Post, Scheduled } from '../domain/post.js';
import { Posts } from '../posts.stream.js';
import { PublishCandidatesStore } from './candidates.store.js';
import type { UnsettledAttempt } from './candidates.store.js';
import type { Claimed } from './claims.js';
import { deliveryOf, notDelivered } from './attempt-sender.js';
import { PublishLeases } from './leases.js';
import { mayBeStoredLater } from './errors.js';
import { PublishOutcomes } from './outcomes.js';
import type { Outcome } from './outcome.js';
import { PublishSetAside } from './set-aside.js';
import { UnsentAttempts } from './unsent-attempts.js';
import { PublishConfig } from './publish.config.js';
import { ReconcileAttempts } from './reconcile-attempts.js';

interface TakenOver extends Claimed {
  /** The post is put back as due as it was: whether a lost attempt may have sent it depends on that. */
  readonly dueAt: Instant;
}

/** Each mostly waits: as many as a worker of the usual size leaves behind. */
const AT_ONCE = 256;

/**
 * Takes over attempts whose worker is gone: begun longer ago than a lease and a call last, and their account is not
 * held by anybody. They are looked for on the network, never sent again. Those that this worker itself never sent are put
 * back at once.
 */
@Injectable()
export class PublishTakeover {
  private readonly logger = new Logger(PublishTakeover.name);
  /** Ids of the attempts that are being settled here. */
  private readonly inHand = new Set<string>();

  constructor(
    private readonly queries: QueryBus,
    private readonly commands: CommandBus,
    private readonly posts: Posts,
    private readonly candidates: PublishCandidatesStore,
    private readonly leases: PublishLeases,
    private readonly reconcile: ReconcileAttempts,
    private readonly outcomes: PublishOutcomes,
    private readonly aside: PublishSetAside,
    private readonly unsent: UnsentAttempts,
    private readonly config: PublishConfig,
  ) {}

  /** @returns one promise for each attempt taken over, resolved when its outcome is stored or it is left for another try. */
  async take(): Promise<Promise<void>[]> {
    const taken: Promise<void>[] = [];
    const free = AT_ONCE - this.inHand.size;
    for (let skip = 0; taken.length < free; skip += free) {
      const open = await this.open(free, skip);
      taken.push(...(await this.takeFreeOf(open, free - taken.length)));
      if (open.length < free) break;
    }
    return taken;
  }

  private open(limit: number, skip: number): Promise<UnsettledAttempt[]> {
    return this.candidates.unsettledAttempts({
      olderThanMs: this.config.leaseMs + this.config.callTimeoutMs,
      limit,
      skip,
      inHand: [...this.inHand],
      unsent: this.unsent.ids,
      except: this.aside.ids,
    });
  }

  /** Of at most `limit` accounts that nobody holds, one attempt each. */
  private async takeFreeOf(open: readonly UnsettledAttempt[], limit: number): Promise<Promise<void>[]> {
    if (open.length === 0) return [];
    const accounts = await this.queries.execute(
      new GetConnectionAccounts(open.map((each) => each.connectionId)),
    );
    const keyOf = ({ connectionId }: UnsettledAttempt) =>
      accounts.get(connectionId) ?? `connection:${connectionId}`;
    const first = new Map(open.toReversed().map((each) => [keyOf(each), each]));
    const held = await this.leases.heldOf([...first.keys()]);
    const free = [...first.keys()].filter((key) => !held.has(key));
    const ours = await this.leases.acquire(free.slice(0, limit));
    return [...ours.values()].map((lease) => this.settle(lease, first.get(lease.key) as UnsettledAttempt));
  }

  private async settle(lease: Lease, attempt: UnsettledAttempt): Promise<void> {
    this.inHand.add(attempt.attemptId);
    try {
      const claimed = await this.stillOpen(lease, attempt);
      if (!claimed) {
        await this.leases.giveBack([lease]);
        return;
      }
      this.logger.warn(
        { postId: attempt.postId, attemptId: attempt.attemptId },
        'Taking over a publish attempt.',
      );
      await this.outcomes.record(claimed, await this.outcomeOf(claimed, attempt));
    } catch (error) {
      if (!mayBeStoredLater(error)) this.aside.add(attempt.postId, error);
      else this.logger.error(error, 'A publish attempt could not be taken over; it is tried again.');
      await this.leases.giveBack([lease]);
    } finally {
      this.inHand.delete(attempt.attemptId);
    }
  }

  private async outcomeOf(
    claimed: TakenOver,
    { postId, attemptId, startedAt }: UnsettledAttempt,
  ): Promise<Outcome> {
    if (this.unsent.has(attemptId)) return { kind: 'held', until: claimed.dueAt, reason: 'interrupted' };
    if (await this.commands.execute(new TakeBackPreparation(postId, attemptId)))
      return { kind: 'held', until: claimed.changed.at, reason: 'interrupted' };
    const found = await this.reconcile.find({ ...deliveryOf(claimed), since: startedAt });
    if (found === 'not-delivered') return notDelivered(claimed.changed.at);
    return found ? { kind: 'published', isFound: true, ...found } : { kind: 'failed', failure: lost };
  }

  /** As the stream has it now, while the account is ours. */
  private async stillOpen(lease: Lease, open: UnsettledAttempt): Promise<TakenOver | null> {
    const { postId, attemptId, connectionId, organizationId } = open;
    const loaded = await this.posts.load(postId);
    if (!isOpen(loaded.state, attemptId)) return null;
    const replyTo = open.before?.platformPostId ?? null;
    const changed = { ...loaded, id: postId, events: [] };
    const { content } = loaded.state;
    const claimed = { postId, attemptId, connectionId, lease, organizationId, content, replyTo, changed };
    return { ...claimed, lostSince: null, dueAt: dueAtOf(loaded.state) };
  }
}

function isOpen(post: Post, attemptId: string): post is Scheduled {
  return post.status === 'scheduled' && post.attempt?.attemptId === attemptId;
}

const lost = inDoubt(
  'The worker that was sending this post stopped before the network answered. The post may be live.',
);
