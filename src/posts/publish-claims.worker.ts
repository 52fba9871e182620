import { randomUUIDv7 } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Database } from '#libs/database';
import type { Lease } from '#libs/due-work';
import { StreamHasMoved } from '#libs/event-store';
import type { Changed, Loaded } from '#libs/event-store';
import type { Post, Scheduled } from './post.js';
import { exists } from './post.js';
import { fingerprintOf } from './posts.fingerprint.js';
import { PostsPreflight } from './posts.preflight.js';
import { Posts } from './posts.stream.js';
import { decideClaim } from './publish-decision.js';
import type { ClaimDecision } from './publish-decision.js';
import { PublishLeases } from './publish-leases.worker.js';
import { workerContext } from './publish-metadata.worker.js';
import { PublishPlan } from './publish-plan.worker.js';
import type { Planned } from './publish-plan.worker.js';
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
  /** Posts that were claimed, put back or given up; 0: there was nothing to do. */
  readonly progress: number;
}

interface Free {
  readonly planned: Planned;
  /** null: it may be settled, never sent. */
  readonly lease: Lease | null;
}

interface Decided extends Free {
  readonly attemptId: string;
  readonly from: Loaded<Post>;
  readonly decision: ClaimDecision & { kind: 'start' | 'settle' };
}

/** Claims due posts in batches: accounts first, then the latest posts, then the attempts, in one transaction. */
@Injectable()
export class PublishClaims {
  constructor(
    private readonly database: Database,
    private readonly posts: Posts,
    private readonly preflight: PostsPreflight,
    private readonly plan: PublishPlan,
    private readonly leases: PublishLeases,
    private readonly config: PublishConfig,
  ) {}

  /** At most `limit` posts to send, one of each account. What could not be claimed stays as it is. */
  async take(limit: number): Promise<Claim> {
    const planned = await this.plan.make(limit);
    if (planned.length === 0) return { claimed: [], progress: 0 };
    const keys = planned.flatMap(({ accountKey }) => accountKey ?? []);
    const ours = await this.leases.acquire(keys);
    let unused = [...ours.values()];
    try {
      const claim = await this.begin(planned.flatMap((each) => freeOf(each, ours)));
      const used = new Set(claim.claimed.map(({ lease }) => lease));
      unused = unused.filter((lease) => !used.has(lease));
      return claim;
    } finally {
      await this.leases.giveBack(unused);
    }
  }

  private async begin(free: readonly Free[]): Promise<Claim> {
    const loaded = await this.posts.loadMany(free.map(({ planned }) => planned.postId));
    const decided: Decided[] = [];
    for (const each of free) {
      const from = loaded.get(each.planned.postId);
      const attemptId = randomUUIDv7();
      const decision = from && (await this.decide(each.planned, from, attemptId));
      if (decision && isDone(decision, each)) decided.push({ ...each, attemptId, from, decision });
    }
    if (decided.length === 0) return { claimed: [], progress: 0 };
    const changes = decided.map(({ planned: { postId, organizationId, brandId }, from, decision }) => ({
      id: postId,
      from,
      events: decision.events,
      context: workerContext(organizationId, brandId),
    }));
    const answers = await this.database.transaction((transaction) =>
      this.posts.changeMany(transaction, changes),
    );
    return {
      claimed: decided.flatMap((each, index) => claimedOf(each, answers[index]) ?? []),
      progress: answers.filter((answer) => !(answer instanceof StreamHasMoved)).length,
    };
  }

  private async decide(
    planned: Planned,
    { state, now }: Loaded<Post>,
    attemptId: string,
  ): Promise<ClaimDecision> {
    if (!exists(state)) return { kind: 'leave' };
    const [brokenRule = null] = await this.preflight.blockers(state.platform, state.content);
    return decideClaim(state, {
      now,
      attemptId,
      fingerprint: fingerprintOf(state.content),
      before: planned.before,
      wayOut: planned.choice.kind === 'none' ? { failure: planned.choice.failure } : planned.choice,
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

function isDone(decision: ClaimDecision, { lease }: Free): decision is Decided['decision'] {
  return decision.kind === 'settle' || (decision.kind === 'start' && lease !== null);
}

function claimedOf(
  { planned, lease, attemptId, decision }: Decided,
  changed: Changed<Post> | StreamHasMoved | undefined,
): Claimed | undefined {
  if (!changed || changed instanceof StreamHasMoved) return undefined;
  if (decision.kind !== 'start' || planned.choice.kind !== 'connection' || !lease) return undefined;
  const { postId, organizationId, choice } = planned;
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
