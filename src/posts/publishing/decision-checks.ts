import { Injectable } from '@nestjs/common';
import type { Lease } from '#libs/due-work';
import type { Claimed } from './attempt.js';
import type { DueCheck } from './candidates.store.js';
import { PublishCandidatesStore } from './candidates.store.js';
import { PublishLeases } from './leases.js';
import type { LoadedPost } from './publisher-posts.js';
import { PublisherPosts } from './publisher-posts.js';

export interface ChecksRequest {
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
    private readonly leases: PublishLeases,
    private readonly posts: PublisherPosts,
  ) {}

  async take({ limit, except }: ChecksRequest): Promise<Claimed[]> {
    if (limit <= 0) return [];
    const due = new Map(
      (await this.candidates.dueChecks(limit, except)).map((check) => [keyOf(check), check]),
    );
    const leases = [...(await this.leases.acquire([...due.keys()])).values()];
    if (leases.length === 0) return [];
    let unused = leases;
    try {
      const checks = leases.map((lease) => ({ lease, check: due.get(lease.key) as DueCheck }));
      const loaded = await this.posts.load(checks.map(({ check }) => check.postId));
      const claimed = checks.flatMap(
        ({ lease, check }) => claimedOf(lease, check, loaded.get(check.postId)) ?? [],
      );
      const used = new Set(claimed.map(({ lease }) => lease));
      unused = leases.filter((lease) => !used.has(lease));
      return claimed;
    } finally {
      await this.leases.giveBack(unused);
    }
  }
}

const keyOf = ({ attemptId }: DueCheck): string => `decision:${attemptId}`;

/** As the stream has it while this worker holds the lease; undefined: it was settled or checked meanwhile. */
function claimedOf(
  lease: Lease,
  { postId, attemptId, connectionId, organizationId, before }: DueCheck,
  loaded: LoadedPost | undefined,
): Claimed | undefined {
  const post = loaded?.state;
  if (!loaded || post?.status !== 'scheduled' || post.attempt?.attemptId !== attemptId) return undefined;
  const { undecided, startedAt, maybeLiveSince } = post.attempt;
  if (undecided === null || undecided.checkAt > loaded.now) return undefined;
  const attempt = { postId, platform: post.platform, attemptId, connectionId, lease, organizationId };
  return {
    ...attempt,
    content: post.content,
    replyTo: before?.platformPostId ?? null,
    files: [],
    task: {
      kind: 'check',
      since: maybeLiveSince ?? startedAt,
      at: undecided.checkAt,
      mayBeOther: maybeLiveSince !== null,
    },
    network: { startedAt, isProbe: false, isFailing: false },
    changed: { ...loaded, id: postId, events: [] },
  };
}
