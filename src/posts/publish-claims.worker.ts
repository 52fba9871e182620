import { randomUUIDv7 } from 'node:crypto';
import { Injectable, Logger } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { Database } from '#libs/database';
import type { Lease } from '#libs/due-work';
import { StreamHasMoved } from '#libs/event-store';
import type { Changed, Loaded } from '#libs/event-store';
import { FindPublishingConnections } from '../integrations/index.js';
import type { ConnectionChoice } from '../integrations/index.js';
import type { LivePost, Post, Scheduled } from './post.js';
import { exists } from './post.js';
import { fingerprintOf } from './posts.fingerprint.js';
import { PostsPreflight } from './posts.preflight.js';
import { Posts } from './posts.stream.js';
import { decideClaim } from './publish-decision.js';
import type { ClaimDecision } from './publish-decision.js';
import { mayBeStoredLater } from './publish-errors.worker.js';
import { PublishLeases } from './publish-leases.worker.js';
import { workerContext } from './publish-metadata.worker.js';
import { PublishMetrics } from './publish-metrics.worker.js';
import { PublishPlan } from './publish-plan.worker.js';
import type { Planned } from './publish-plan.worker.js';
import { PublishSetAside } from './publish-set-aside.worker.js';
import { PublishConfig } from './publish.config.js';

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
  /** The post right after the claim: the outcome is decided on it. */
  readonly changed: Changed<Post>;
}

export interface Claim {
  readonly claimed: readonly Claimed[];
  /** Posts that were claimed, put back, given up or set aside; 0: there was nothing to do. */
  readonly progress: number;
}

interface Free {
  readonly planned: Planned;
  /** null: it may be settled, never sent. */
  readonly lease: Lease | null;
}

/** As it is while the account is ours: what it was planned by may have changed since. */
interface Latest extends Free {
  readonly from: Loaded<Post>;
  readonly post: LivePost;
  readonly choice: ConnectionChoice;
}

interface Decided extends Latest {
  readonly attemptId: string;
  readonly decision: ClaimDecision & { kind: 'start' | 'settle' };
}

type Answer = Changed<Post> | StreamHasMoved;

/**
 * Claims due posts in batches: accounts first, then the latest posts and where each goes out now, then the attempts, in
 * one transaction.
 */
@Injectable()
export class PublishClaims {
  private readonly logger = new Logger(PublishClaims.name);

  constructor(
    private readonly queries: QueryBus,
    private readonly database: Database,
    private readonly posts: Posts,
    private readonly preflight: PostsPreflight,
    private readonly plan: PublishPlan,
    private readonly leases: PublishLeases,
    private readonly aside: PublishSetAside,
    private readonly metrics: PublishMetrics,
    private readonly config: PublishConfig,
  ) {}

  /** At most `limit` posts to send, one of each account. What could not be claimed stays as it is. */
  async take(limit: number): Promise<Claim> {
    const planned = await this.plan.make(limit);
    if (planned.length === 0) return { claimed: [], progress: 0 };
    const keys = planned.flatMap(({ accountKey }) => accountKey ?? []);
    const ours = await this.leases.acquire(keys);
    let unused = [...ours.values()];
    const aside = this.aside.total;
    try {
      const claim = await this.begin(planned.flatMap((each) => freeOf(each, ours)));
      const used = new Set(claim.claimed.map(({ lease }) => lease));
      unused = unused.filter((lease) => !used.has(lease));
      return { ...claim, progress: claim.progress + this.aside.total - aside };
    } finally {
      await this.leases.giveBack(unused);
    }
  }

  private async begin(free: readonly Free[]): Promise<Claim> {
    const decided: Decided[] = [];
    for (const latest of await this.latest(free)) {
      const each = await this.decided(latest);
      if (each) decided.push(each);
    }
    if (decided.length === 0) return { claimed: [], progress: 0 };
    const answers = await this.store(decided);
    const stored = answers.filter(isStored);
    const settled = this.metrics.stored(stored.flatMap(({ events }) => events));
    if (Object.keys(settled).length > 0)
      this.logger.log(settled, 'Due posts were settled without being sent.');
    return {
      claimed: decided.flatMap((each, index) => claimedOf(each, answers[index]) ?? []),
      progress: stored.length,
    };
  }

  /** In the order of the decisions; undefined: that one is not stored. */
  private async store(decided: readonly Decided[]): Promise<(Answer | undefined)[]> {
    try {
      return await this.append(decided);
    } catch (error) {
      if (mayBeStoredLater(error)) throw error;
      this.logger.error(error, 'Due posts could not be claimed together; each is claimed by itself.');
    }
    const answers: (Answer | undefined)[] = [];
    try {
      for (const each of decided) answers.push(await this.storeAlone(each));
    } catch (error) {
      this.logger.error(error, 'The rest of the due posts could not be claimed; those before them are sent.');
    }
    return answers;
  }

  private async storeAlone(decided: Decided): Promise<Answer | undefined> {
    try {
      return (await this.append([decided]))[0];
    } catch (error) {
      if (mayBeStoredLater(error)) throw error;
      this.aside.add(decided.planned.postId, error);
      return undefined;
    }
  }

  private append(decided: readonly Decided[]): Promise<Answer[]> {
    const changes = decided.map(({ planned: { postId, organizationId, brandId }, from, decision }) => ({
      id: postId,
      from,
      events: decision.events,
      context: workerContext(organizationId, brandId),
    }));
    return this.database.transaction((transaction) => this.posts.changeMany(transaction, changes));
  }

  private async latest(free: readonly Free[]): Promise<Latest[]> {
    const loaded = await this.posts.loadMany(
      free.map(({ planned }) => planned.postId),
      (postId, error) => this.aside.add(postId, error),
    );
    const there = free.flatMap((each) => {
      const from = loaded.get(each.planned.postId);
      return from && exists(from.state) ? [{ ...each, from, post: from.state }] : [];
    });
    if (there.length === 0) return [];
    const requests = there.map(({ post }) => ({ ...post, target: post.content.target }));
    const choices = await this.queries.execute(new FindPublishingConnections(requests));
    return there.map((each, index) => ({ ...each, choice: choices[index] as ConnectionChoice }));
  }

  /** Pure but for the network's rules, which are pure too: what fails here fails for this post alone. */
  private async decided(latest: Latest): Promise<Decided | undefined> {
    const attemptId = randomUUIDv7();
    try {
      const decision = await this.decide(latest, attemptId);
      return isDone(decision, latest) ? { ...latest, attemptId, decision } : undefined;
    } catch (error) {
      this.aside.add(latest.planned.postId, error);
      return undefined;
    }
  }

  private async decide({ planned, from, post, choice }: Latest, attemptId: string): Promise<ClaimDecision> {
    const [brokenRule = null] = await this.preflight.blockers(post.platform, post.content);
    return decideClaim(post, {
      now: from.now,
      attemptId,
      fingerprint: fingerprintOf(post.content),
      before: planned.before,
      wayOut: choice.kind === 'none' ? { failure: choice.failure } : choice,
      brokenRule,
      lateWindowMs: this.config.lateWindowMs,
    });
  }
}

function freeOf(planned: Planned, ours: ReadonlyMap<string, Lease>): Free[] {
  if (planned.accountKey === null) return [{ planned, lease: null }];
  const lease = ours.get(planned.accountKey);
  return lease ? [{ planned, lease }] : [];
}

/** What goes out by another account by now than the one that is ours, is left to the next plan. */
function isDone(decision: ClaimDecision, { lease, choice }: Latest): decision is Decided['decision'] {
  if (decision.kind !== 'start') return decision.kind === 'settle';
  return lease !== null && choice.kind === 'connection' && choice.accountKey === lease.key;
}

function isStored(answer: Answer | undefined): answer is Changed<Post> {
  return answer !== undefined && !(answer instanceof StreamHasMoved);
}

function claimedOf(
  { planned, lease, attemptId, choice, decision }: Decided,
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
    changed,
  };
}
