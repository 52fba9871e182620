import { Injectable, Logger } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import type { Instant } from '#libs/content';
import { Database } from '#libs/database';
import type { Lease } from '#libs/due-work';
import { StreamHasMoved } from '#libs/event-store';
import type { Changed } from '#libs/event-store';
import { ForgetPreparations } from '../../integrations/index.js';
import type { PostEvent } from '../domain/post.events.js';
import type { Post, Scheduled } from '../domain/post.js';
import { Posts } from '../posts.stream.js';
import { ClaimDecisions } from './claim-decisions.js';
import type { Decided, Free } from './claim-decisions.js';
import { mayBeStoredLater, RecoveryHasChanged } from './errors.js';
import { PublishLeases } from './leases.js';
import { workerContext } from './metadata.js';
import { PublishMetrics } from './metrics.js';
import { PublishPlan } from './plan.js';
import type { Planned } from './plan.js';
import type { Recovery } from './recovery.js';
import { PublishRecovery } from './recovery.js';
import { preparedFor } from './sent-content.js';
import { PublishSetAside } from './set-aside.js';
import { UnsentAttempts } from './unsent-attempts.js';

/** A post that is this worker's to send, once. */
export interface Claimed {
  readonly postId: string;
  readonly attemptId: string;
  readonly connectionId: string;
  /** Of the account, for this attempt alone. */
  readonly lease: Lease;
  readonly organizationId: string;
  readonly content: Scheduled['content'];
  readonly replyTo: string | null;
  /** Since when it may be on the network, by an attempt that the database lost: it is looked for, not sent. null: it is not. */
  readonly lostSince: Instant | null;
  /** The post right after the claim: the outcome is decided on it. */
  readonly changed: Changed<Post>;
}

export interface ClaimResult {
  readonly claimed: readonly Claimed[];
  /**
   * Posts that were claimed, put back, given up or set aside, and accounts that another worker took since the plan, so
   * that a plan without them follows at once; 0: there was nothing to do.
   */
  readonly progress: number;
}

type Answer = Changed<Post, PostEvent> | StreamHasMoved;

/**
 * Claims due posts in batches: accounts first, then the latest posts and where each goes out now, then the attempts, in
 * one transaction.
 */
@Injectable()
export class PublishClaims {
  private readonly logger = new Logger(PublishClaims.name);

  constructor(
    private readonly database: Database,
    private readonly posts: Posts,
    private readonly plan: PublishPlan,
    private readonly leases: PublishLeases,
    private readonly decisions: ClaimDecisions,
    private readonly aside: PublishSetAside,
    private readonly unsent: UnsentAttempts,
    private readonly recovery: PublishRecovery,
    private readonly metrics: PublishMetrics,
    private readonly commands: CommandBus,
  ) {}

  /** At most `limit` posts to send, one of each account. What could not be claimed stays as it is. */
  async take(limit: number): Promise<ClaimResult> {
    const recovery = await this.recovery.current();
    const planned = await this.plan.make(limit);
    if (planned.length === 0) return { claimed: [], progress: 0 };
    const keys = planned.flatMap(({ accountKey }) => accountKey ?? []);
    const ours = await this.leases.acquire(keys);
    let unused = [...ours.values()];
    const aside = this.aside.total;
    try {
      const free = planned.flatMap((each) => freeOf(each, ours));
      const claim = await this.begin(free, recovery);
      const used = new Set(claim.claimed.map(({ lease }) => lease));
      unused = unused.filter((lease) => !used.has(lease));
      const lost = keys.length - ours.size;
      return { ...claim, progress: claim.progress + lost + this.aside.total - aside };
    } finally {
      await this.leases.giveBack(unused);
    }
  }

  private async begin(free: readonly Free[], recovery: Recovery): Promise<ClaimResult> {
    const decided = await this.decisions.on(free, recovery);
    if (decided.length === 0) return { claimed: [], progress: 0 };
    let claimed: Claimed[] = [];
    try {
      const answers = await this.store(decided, recovery);
      const stored = answers.filter(isStored);
      this.tell(stored);
      claimed = decided.flatMap((each, index) => claimedOf(each, answers[index]) ?? []);
      return { claimed, progress: stored.length };
    } finally {
      this.remember(decided, claimed);
    }
  }

  private tell(stored: readonly Changed<Post, PostEvent>[]): void {
    const settled = this.metrics.stored(stored.flatMap(({ events }) => events));
    if (Object.keys(settled).length === 0) return;
    this.logger.log(settled, 'Due posts were settled without being sent.');
  }

  /** At the end of the claim alone: from here on nobody hands over what was not. */
  private remember(decided: readonly Decided[], claimed: readonly Claimed[]): void {
    const handedOver = new Set(claimed.map(({ attemptId }) => attemptId));
    for (const { attemptId, decision } of decided)
      if (decision.kind === 'start' && !handedOver.has(attemptId)) this.unsent.add(attemptId);
  }

  /** In the order of the decisions; undefined: that one is not stored. */
  private async store(decided: readonly Decided[], recovery: Recovery): Promise<(Answer | undefined)[]> {
    try {
      return await this.append(decided, recovery);
    } catch (error) {
      if (isToBeDecidedAgain(error)) throw error;
      this.logger.error(error, 'Due posts could not be claimed together; each is claimed by itself.');
    }
    const answers: (Answer | undefined)[] = [];
    try {
      for (const each of decided) answers.push(await this.storeAlone(each, recovery));
    } catch (error) {
      this.logger.error(error, 'The rest of the due posts could not be claimed; those before them are sent.');
    }
    return answers;
  }

  private async storeAlone(decided: Decided, recovery: Recovery): Promise<Answer | undefined> {
    try {
      return (await this.append([decided], recovery))[0];
    } catch (error) {
      if (isToBeDecidedAgain(error)) throw error;
      this.aside.add(decided.planned.postId, error);
      return undefined;
    }
  }

  private append(decided: readonly Decided[], recovery: Recovery): Promise<Answer[]> {
    const changes = decided.map(({ planned: { postId, organizationId, brandId }, from, decision }) => ({
      id: postId,
      from,
      events: decision.events,
      context: workerContext(organizationId, brandId),
    }));
    return this.database.transaction(async (transaction) => {
      await this.recovery.mustStillBe(recovery, transaction);
      const answers = await this.posts.changeMany(transaction, changes);
      const stored = decided.filter((_, index) => isStored(answers[index]));
      await this.commands.execute(new ForgetPreparations(stored.flatMap(toForget)));
      return answers;
    });
  }
}

const isToBeDecidedAgain = (error: unknown): boolean =>
  mayBeStoredLater(error) || error instanceof RecoveryHasChanged;

function freeOf(planned: Planned, ours: ReadonlyMap<string, Lease>): Free[] {
  if (planned.accountKey === null) return [{ planned, lease: null }];
  const lease = ours.get(planned.accountKey);
  return lease ? [{ planned, lease }] : [];
}

function isStored(answer: Answer | undefined): answer is Changed<Post, PostEvent> {
  return answer !== undefined && !(answer instanceof StreamHasMoved);
}

/** Steps that were taken for other content than what is sent now prove nothing about it; what is settled needs none. */
const toForget = ({ planned: { postId }, decision }: Decided): ForgetPreparations['posts'] => {
  if (decision.kind === 'start') {
    const { post, replyTo } = decision;
    return [{ postId, kept: preparedFor({ content: post.content, replyTo }) }];
  }
  return decision.events.some(({ type }) => type === 'PostPublishFailed') ? [{ postId, kept: null }] : [];
};

function claimedOf(
  { planned, lease, attemptId, choice, decision, lostSince }: Decided,
  changed: Answer | undefined,
): Claimed | undefined {
  if (!isStored(changed)) return undefined;
  if (decision.kind !== 'start' || choice.kind !== 'connection' || !lease) return undefined;
  const { postId, organizationId } = planned;
  const { connectionId } = choice;
  const { post, replyTo } = decision;
  return {
    postId,
    attemptId,
    connectionId,
    lease,
    organizationId,
    content: post.content,
    replyTo,
    lostSince,
    changed,
  };
}
