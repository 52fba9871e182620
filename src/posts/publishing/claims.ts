import { Injectable, Logger } from '@nestjs/common';
import type { Lease } from '#libs/due-work';
import type { Changed } from '#libs/event-store';
import type { PostEvent } from '../domain/post.events.js';
import type { Post } from '../domain/post.js';
import type { Claimed, Task } from './attempt.js';
import { preparedFor } from './attempt.js';
import { ClaimDecisions } from './claim-decisions.js';
import type { Decided, Reserved } from './claim-decisions.js';
import { PublishLeases } from './leases.js';
import { countOutcomes } from './metrics.js';
import { PublishPlan } from './plan.js';
import type { Planned } from './plan.js';
import type { PostChange, StoreAnswer } from './publisher-posts.js';
import { isStored, PublisherPosts } from './publisher-posts.js';
import type { Recovery } from './recovery.js';
import { PublishRecovery, RecoveryHasChanged } from './recovery.js';
import type { Unsent } from './unsent-attempts.js';
import { putBackUnsent } from './unsent-attempts.js';

export interface ClaimResult {
  readonly claimed: readonly Claimed[];
  /** What is due has changed, or another worker took an account that was planned for: another claim can follow at once. */
  readonly progress: boolean;
  /** Resolves when the attempts are put back that a failed claim may have stored; null: there are none. */
  readonly putBack: Promise<void> | null;
}

interface Begun extends Pick<ClaimResult, 'claimed' | 'putBack'> {
  readonly stored: number;
}

const NOTHING: Begun = { claimed: [], stored: 0, putBack: null };

/**
 * Claims due posts in batches: leases the accounts, reads the latest posts and where each goes, and stores the beginnings of
 * the attempts in one transaction.
 */
@Injectable()
export class PublishClaims {
  private readonly logger = new Logger(PublishClaims.name);

  constructor(
    private readonly plan: PublishPlan,
    private readonly leases: PublishLeases,
    private readonly decisions: ClaimDecisions,
    private readonly recovery: PublishRecovery,
    private readonly posts: PublisherPosts,
  ) {}

  /** At most `limit` posts to send, one of each account. Unclaimed posts are left unchanged. */
  async take(limit: number): Promise<ClaimResult> {
    const recovery = await this.recovery.current();
    const planned = await this.plan.make(limit);
    const keys = planned.flatMap(({ accountKey }) => accountKey ?? []);
    const leases = await this.leases.acquire(keys);
    const quarantined = this.posts.quarantine.total;
    let unused = [...leases.values()];
    try {
      const reserved = planned.flatMap((each) => reservedOf(each, leases));
      const { claimed, stored, putBack } = await this.begin(reserved, recovery);
      const used = new Set(claimed.map(({ lease }) => lease));
      unused = unused.filter((lease) => !used.has(lease));
      const isMissed = leases.size < keys.length || this.posts.quarantine.total > quarantined;
      return { claimed, putBack, progress: stored > 0 || isMissed };
    } finally {
      await this.leases.giveBack(unused);
    }
  }

  /** Milliseconds until the next post is due; Infinity when none waits. */
  nextInMs(): Promise<number> {
    return this.plan.nextInMs();
  }

  /** To be called when a part of a thread was published. */
  expectParts(): void {
    this.plan.expectParts();
  }

  private async begin(reserved: readonly Reserved[], recovery: Recovery): Promise<Begun> {
    if (reserved.length === 0) return NOTHING;
    const decided = await this.decisions.on(reserved, recovery);
    if (decided.length === 0) return NOTHING;
    const answers = await this.store(decided, recovery);
    const stored = answers.filter(isStored);
    this.log(stored);
    const claimed = decided.flatMap((each, index) => claimedOf(each, answers[index]) ?? []);
    const unsent = decided.filter(
      ({ decision }, index) => decision.kind === 'start' && answers[index] === 'unknown',
    );
    const putBack = unsent.length > 0 ? putBackUnsent(this.posts, unsent.map(unsentOf)) : null;
    return { claimed, stored: stored.length, putBack };
  }

  private async store(decided: readonly Decided[], recovery: Recovery): Promise<StoreAnswer[]> {
    try {
      return await this.posts.store(decided, {
        changesOf: async (items, transaction) => {
          await this.recovery.mustStillBe(recovery, transaction);
          return items.map(changeOf);
        },
      });
    } catch (error) {
      if (error instanceof RecoveryHasChanged) throw error;
      this.logger.error(error, 'Due posts could not be claimed. They are tried again.');
      return decided.map(() => 'unknown');
    }
  }

  private log(stored: readonly Changed<Post, PostEvent>[]): void {
    const settled = countOutcomes(stored.flatMap(({ events }) => events));
    if (settled.size === 0) return;
    this.logger.log(Object.fromEntries(settled), 'Due posts were settled without being sent.');
  }
}

function reservedOf(planned: Planned, leases: ReadonlyMap<string, Lease>): Reserved[] {
  if (planned.accountKey === null) return [{ planned, lease: null }];
  const lease = leases.get(planned.accountKey);
  return lease ? [{ planned, lease }] : [];
}

function changeOf({ postId, planned: { organizationId }, from, decision }: Decided): PostChange {
  const change = { postId, organizationId, from, events: decision.events };
  if (decision.kind !== 'start') return change;
  return { ...change, prepared: preparedFor({ content: decision.post.content, replyTo: decision.replyTo }) };
}

function claimedOf(
  { postId, planned, lease, attemptId, choice, decision, maybeLiveSince }: Decided,
  answer: StoreAnswer | undefined,
): Claimed | undefined {
  if (!isStored(answer) || decision.kind !== 'start' || choice.kind !== 'connection' || !lease)
    return undefined;
  const { organizationId } = planned;
  const { connectionId } = choice;
  const { post, replyTo } = decision;
  const task: Task = maybeLiveSince === null ? { kind: 'send' } : { kind: 'find', since: maybeLiveSince };
  const attempt = { postId, attemptId, connectionId, lease, organizationId, task, changed: answer };
  return { ...attempt, content: post.content, replyTo };
}

const unsentOf = ({
  postId,
  attemptId,
  planned: { organizationId },
  from: { version },
}: Decided): Unsent => ({
  postId,
  attemptId,
  organizationId,
  version,
});
