import { Injectable } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import type { Lease } from '#libs/due-work';
import { GetConnectionAccounts } from '../../integrations/index.js';
import type { Claimed, Task } from './attempt.js';
import { PublishCandidatesStore } from './candidates.store.js';
import type { UnsettledAttempt } from './candidates.store.js';
import { PublishLeases } from './leases.js';
import type { LoadedPost } from './publisher-posts.js';
import { PublisherPosts } from './publisher-posts.js';
import { PublishConfig } from './publish.config.js';

export interface TakeoverRequest {
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
    private readonly posts: PublisherPosts,
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
    const free = [...firsts.keys()].filter((key) => !held.has(key)).slice(0, limit);
    const leases = [...(await this.leases.acquire(free)).values()];
    if (leases.length === 0) return [];
    let unused = leases;
    try {
      const attempts = leases.map((lease) => ({ lease, attempt: firsts.get(lease.key) as UnsettledAttempt }));
      const loaded = await this.posts.load(attempts.map(({ attempt }) => attempt.postId));
      const claimed = attempts.flatMap(
        ({ lease, attempt }) => claimedOf(lease, attempt, loaded.get(attempt.postId)) ?? [],
      );
      const used = new Set(claimed.map(({ lease }) => lease));
      unused = leases.filter((lease) => !used.has(lease));
      return claimed;
    } finally {
      await this.leases.giveBack(unused);
    }
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

/** As the stream has it while this worker holds the account; undefined: the attempt was settled meanwhile. */
function claimedOf(
  lease: Lease,
  { postId, attemptId, connectionId, organizationId, before, startedAt }: UnsettledAttempt,
  loaded: LoadedPost | undefined,
): Claimed | undefined {
  const post = loaded?.state;
  if (!loaded || post?.status !== 'scheduled' || post.attempt?.attemptId !== attemptId) return undefined;
  const changed = { ...loaded, id: postId, events: [] };
  const sent = { content: post.content, replyTo: before?.platformPostId ?? null };
  const { maybeLiveSince } = post.attempt;
  const task: Task =
    maybeLiveSince === null
      ? { kind: 'take-over', since: startedAt }
      : { kind: 'find', since: maybeLiveSince };
  const network = { startedAt, isProbe: false, isFailing: false };
  const attempt = { postId, platform: post.platform, attemptId, connectionId, lease, organizationId };
  return { ...sent, ...attempt, files: [], task, network, changed };
}
