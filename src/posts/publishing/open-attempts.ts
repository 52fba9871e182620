import { Injectable } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import type { Instant } from '#libs/content';
import type { Lease } from '#libs/due-work';
import { GetConnectionAccounts } from '../../integrations/index.js';
import type { OpenAttempt } from '../domain/post.js';
import type { Claimed, Task } from './attempt.js';
import { PublishCandidatesStore, type UnsettledAttempt } from './candidates.store.js';
import { PublishLeases } from './leases.js';
import { PublishConfig } from './publish.config.js';
import { type LoadedPost, PublisherPosts } from './publisher-posts.js';

/** What an open attempt needs now, as the stream has it while this worker holds its lease; undefined: nothing yet. */
export type TaskOf = (attempt: OpenAttempt, now: Instant) => Task | undefined;

/** Claims attempts that other claims began. */
@Injectable()
export class OpenAttempts {
  constructor(
    private readonly leases: PublishLeases,
    private readonly posts: PublisherPosts,
  ) {}

  /**
   * @param attempts by the key of the lease under which one worker at a time settles each
   * @returns without those that any worker holds, that have ended meanwhile, or that have no task
   */
  async claim(attempts: ReadonlyMap<string, UnsettledAttempt>, taskOf: TaskOf): Promise<Claimed[]> {
    const leases = [...(await this.leases.acquire([...attempts.keys()])).values()];
    if (leases.length === 0) return [];
    let unused = leases;
    try {
      const leased = leases.map((lease) => ({ lease, attempt: attempts.get(lease.key) as UnsettledAttempt }));
      const loaded = await this.posts.load(leased.map(({ attempt }) => attempt.postId));
      const claimed = leased.flatMap(
        ({ lease, attempt }) => claimedOf(lease, attempt, loaded.get(attempt.postId), taskOf) ?? [],
      );
      const used = new Set(claimed.map(({ lease }) => lease));
      unused = leases.filter((lease) => !used.has(lease));
      return claimed;
    } finally {
      await this.leases.giveBack(unused);
    }
  }
}

function claimedOf(
  lease: Lease,
  { postId, attemptId, connectionId, organizationId, before }: UnsettledAttempt,
  loaded: LoadedPost | undefined,
  taskOf: TaskOf,
): Claimed | undefined {
  const post = loaded?.state;
  if (!loaded || post?.status !== 'scheduled' || post.attempt?.attemptId !== attemptId) return undefined;
  const task = taskOf(post.attempt, loaded.now);
  if (!task) return undefined;
  const attempt = { postId, platform: post.platform, attemptId, connectionId, lease, organizationId, task };
  return {
    ...attempt,
    content: post.content,
    replyTo: before?.platformPostId ?? null,
    files: [],
    network: { startedAt: post.attempt.startedAt, isProbe: false, isFailing: false },
    changed: { ...loaded, id: postId, events: [] },
  };
}

interface TakeoverRequest {
  /** At most so many. */
  readonly limit: number;
  /** Ids of attempts that this worker has taken over already. */
  readonly except: readonly string[];
}

/** Claims attempts whose worker is gone: begun longer ago than a lease and a call last, and no worker holds their account. */
@Injectable()
export class AbandonedAttempts {
  constructor(
    private readonly queries: QueryBus,
    private readonly candidates: PublishCandidatesStore,
    private readonly leases: PublishLeases,
    private readonly attempts: OpenAttempts,
    private readonly config: PublishConfig,
  ) {}

  /** One of each account, oldest first, page by page: what is claimed when a later page fails must be settled too. */
  async *take({ limit, except }: TakeoverRequest): AsyncGenerator<Claimed, void> {
    let taken = 0;
    for (let skip = 0; taken < limit; skip += limit) {
      const open = await this.open(limit, skip, except);
      const claimed = await this.takeFreeOf(open, limit - taken);
      taken += claimed.length;
      yield* claimed;
      if (open.length < limit) return;
    }
  }

  private open(limit: number, skip: number, exceptAttempts: readonly string[]): Promise<UnsettledAttempt[]> {
    const { abandonedAfterMs } = this.config;
    return this.candidates.unsettledAttempts({ olderThanMs: abandonedAfterMs, limit, skip, exceptAttempts });
  }

  private async takeFreeOf(open: readonly UnsettledAttempt[], limit: number): Promise<Claimed[]> {
    if (open.length === 0) return [];
    const firsts = await this.firstOfEachAccount(open);
    const held = await this.leases.heldOf([...firsts.keys()]);
    const free = [...firsts].filter(([key]) => !held.has(key)).slice(0, limit);
    return this.attempts.claim(new Map(free), taskOf);
  }

  private async firstOfEachAccount(
    open: readonly UnsettledAttempt[],
  ): Promise<ReadonlyMap<string, UnsettledAttempt>> {
    const ids = open.map(({ connectionId }) => connectionId);
    const accounts = await this.queries.execute(new GetConnectionAccounts({ connectionIds: ids }));
    const keyOf = ({ connectionId }: UnsettledAttempt) =>
      accounts.get(connectionId) ?? `connection:${connectionId}`;
    return new Map(open.toReversed().map((attempt) => [keyOf(attempt), attempt]));
  }
}

const taskOf: TaskOf = ({ startedAt, maybeLiveSince }) =>
  maybeLiveSince === null ? { kind: 'take-over', since: startedAt } : { kind: 'find', since: maybeLiveSince };

interface ChecksRequest {
  readonly limit: number;
  /** Ids of attempts that this worker checks already. */
  readonly except: readonly string[];
}

/**
 * Claims attempts whose network has the post and decides later, when it is to be asked. One worker at a time asks for a post. Neither
 * its account nor a slot is occupied meanwhile.
 */
@Injectable()
export class DecisionChecks {
  constructor(
    private readonly candidates: PublishCandidatesStore,
    private readonly attempts: OpenAttempts,
  ) {}

  async take({ limit, except }: ChecksRequest): Promise<Claimed[]> {
    if (limit <= 0) return [];
    const due = await this.candidates.dueChecks(limit, except);
    return this.attempts.claim(new Map(due.map((attempt) => [keyOf(attempt), attempt])), checkOf);
  }
}

const keyOf = ({ attemptId }: UnsettledAttempt): string => `decision:${attemptId}`;

/** undefined: it was checked meanwhile. */
const checkOf: TaskOf = ({ undecided, startedAt, maybeLiveSince }, now) => {
  if (undecided === null || undecided.checkAt > now) return undefined;
  const since = maybeLiveSince ?? startedAt;
  return { kind: 'check', since, at: undecided.checkAt, mayBeOther: maybeLiveSince !== null };
};
