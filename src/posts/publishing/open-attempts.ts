import { Injectable } from '@nestjs/common';
import type { Instant } from '#libs/content';
import type { Lease } from '#libs/due-work';
import type { OpenAttempt } from '../domain/post.js';
import type { Claimed, Task } from './attempt.js';
import type { UnsettledAttempt } from './candidates.store.js';
import { PublishLeases } from './leases.js';
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
