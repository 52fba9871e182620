import { Injectable, Logger } from '@nestjs/common';
import type { Platform } from '#libs/content';
import type { Lease } from '#libs/due-work';
import type { Changed } from '#libs/event-store';
import { dueAtOf } from '../domain/delivery.js';
import type { PostEvent } from '../domain/post.events.js';
import type { Post } from '../domain/post.js';
import { type Claimed, preparedFor, type Task } from './attempt.js';
import { ClaimDecisions, type Decided, type Reserved } from './claim-decisions.js';
import { PublishLeases } from './leases.js';
import { NetworkProbes } from './network-probes.js';
import { countOutcomes } from './metrics.js';
import { type Planned, PublishPlan } from './plan.js';
import { isStored, PublisherPosts, type PublishingChange, type StoreResult } from './publisher-posts.js';
import { PublishRecovery, type Recovery } from './recovery.js';
import { type Unsent, UnsentAttempts } from './unsent-attempts.js';

export interface ClaimResult {
  readonly claimed: readonly Claimed[];
  /** What is due has changed, or another worker took an account that was planned for: another claim can follow at once. */
  readonly progress: boolean;
}

interface Begun extends Pick<ClaimResult, 'claimed'> {
  readonly stored: number;
}

const NOTHING: Begun = { claimed: [], stored: 0 };

/**
 * Claims due posts in batches: leases the accounts, reads the latest posts and where each goes, and stores the beginnings of
 * the attempts in one transaction.
 */
@Injectable()
export class PublishClaims {
  private readonly logger = new Logger(PublishClaims.name);
  private readonly unsent: UnsentAttempts;

  constructor(
    private readonly plan: PublishPlan,
    private readonly leases: PublishLeases,
    private readonly probes: NetworkProbes,
    private readonly decisions: ClaimDecisions,
    private readonly recovery: PublishRecovery,
    private readonly posts: PublisherPosts,
  ) {
    this.unsent = new UnsentAttempts(posts);
  }

  /**
   * At most `limit` posts to send, one of each account. Unclaimed posts are left unchanged.
   * @throws the failure of the database. What it may have stored all the same is put back later.
   */
  async take(limit: number): Promise<ClaimResult> {
    const recovery = await this.recovery.current();
    const planned = await this.plan.make(limit);
    const keys = planned.flatMap(({ accountKey }) => accountKey ?? []);
    const leases = await this.leases.acquire(keys);
    const quarantined = this.posts.quarantine.total;
    let unused = [...leases.values()];
    const probing = new Set<Platform>();
    try {
      for (const platform of await this.probes.claim(planned.filter((each) => isLeased(each, leases))))
        probing.add(platform);
      const reserved = planned.flatMap((each) => reservedOf(each, leases, probing));
      const { claimed, stored } = await this.begin(reserved, recovery);
      const used = new Set(claimed.map(({ lease }) => lease));
      unused = unused.filter((lease) => !used.has(lease));
      for (const { network, platform } of claimed) if (network.isProbe) probing.delete(platform);
      const isMissed = leases.size < keys.length || this.posts.quarantine.total > quarantined;
      return { claimed, progress: stored > 0 || isMissed };
    } finally {
      await this.leases.giveBack(unused);
      await this.probes.giveBack([...probing]);
    }
  }

  /** To be called after the last claim. Resolves when the attempts are put back that the database shows by then. */
  end(): Promise<void> {
    return this.unsent.end();
  }

  private async begin(reserved: readonly Reserved[], recovery: Recovery): Promise<Begun> {
    if (reserved.length === 0) return NOTHING;
    const decided = await this.decisions.on(reserved, recovery);
    if (decided.length === 0) return NOTHING;
    const answers = await this.store(decided, recovery);
    const stored = answers.filter(isStored);
    this.log(stored);
    const claimed = decided.flatMap((each, index) => claimedOf(each, answers[index]) ?? []);
    return { claimed, stored: stored.length };
  }

  /** Whatever the error says, an attempt whose beginning has no answer may be stored. */
  private async store(decided: readonly Decided[], recovery: Recovery): Promise<readonly StoreResult[]> {
    let answers: readonly StoreResult[] = [];
    try {
      answers = await this.posts.store(decided, {
        changesOf: async (items, transaction) => {
          await this.recovery.mustStillBe(recovery, transaction);
          return items.map(changeOf);
        },
      });
      return answers;
    } finally {
      this.unsent.add(decided.flatMap((each, index) => unsentOf(each, answers[index]) ?? []));
    }
  }

  private log(stored: readonly Changed<Post, PostEvent>[]): void {
    const settled = countOutcomes(stored.flatMap(({ events }) => events));
    if (settled.size === 0) return;
    this.logger.log(Object.fromEntries(settled), 'Due posts were settled without being sent.');
  }
}

const isLeased = ({ accountKey }: Planned, leases: ReadonlyMap<string, Lease>): boolean =>
  accountKey !== null && leases.has(accountKey);

/** A post whose network another worker probes is settled: it waits. */
function reservedOf(
  planned: Planned,
  leases: ReadonlyMap<string, Lease>,
  probing: ReadonlySet<Platform>,
): Reserved[] {
  const { accountKey, isProbe, platform } = planned;
  if (accountKey === null || (isProbe && !probing.has(platform)))
    return [{ planned, lease: null, isProbe: false }];
  const lease = leases.get(accountKey);
  return lease ? [{ planned, lease, isProbe }] : [];
}

function changeOf({ postId, planned: { organizationId }, from, decision }: Decided): PublishingChange {
  const change = { postId, organizationId, from, events: decision.events };
  if (decision.kind !== 'start') return change;
  return { ...change, prepared: preparedFor({ content: decision.post.content, replyTo: decision.replyTo }) };
}

function claimedOf(
  { postId, planned, lease, isProbe, attemptId, choice, decision, media, maybeLiveSince }: Decided,
  answer: StoreResult | undefined,
): Claimed | undefined {
  if (!isStored(answer) || decision.kind !== 'start' || choice.kind !== 'connection' || !lease)
    return undefined;
  const { organizationId } = planned;
  const { connectionId } = choice;
  const { post, replyTo, lateAt } = decision;
  const { platform } = post;
  const network = { startedAt: answer.at, isProbe, isFailing: choice.network.isFailing };
  const task: Task =
    maybeLiveSince === null ? { kind: 'send', lateAt } : { kind: 'find', since: maybeLiveSince };
  const attempt = { postId, platform, attemptId, connectionId, lease, organizationId, task, network };
  return { ...attempt, changed: answer, content: post.content, replyTo, files: media.files };
}

function unsentOf(
  { postId, attemptId, planned: { organizationId }, from: { version }, decision }: Decided,
  answer: StoreResult | undefined,
): Unsent | undefined {
  if (decision.kind !== 'start' || isStored(answer)) return undefined;
  return { postId, attemptId, organizationId, version, dueAt: dueAtOf(decision.post) };
}
