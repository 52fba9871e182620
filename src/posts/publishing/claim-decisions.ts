import { randomUUIDv7 } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import type { Instant } from '#libs/content';
import type { Lease } from '#libs/due-work';
import type { Loaded } from '#libs/event-store';
import { FindPublishingConnections } from '../../integrations/index.js';
import type { ConnectionChoice } from '../../integrations/index.js';
import type { ExistingPost, Post } from '../domain/post.js';
import { exists } from '../domain/post.js';
import { fingerprintOf } from '../content/content-fingerprint.js';
import { blockersIn, ContentPreflight } from '../content/content-preflight.js';
import { Posts } from '../posts.stream.js';
import { decideClaim } from '../domain/publish-decision.js';
import type { ClaimDecision } from '../domain/publish-decision.js';
import { LostPosts } from './lost-posts.js';
import type { Planned } from './plan.js';
import type { Recovery } from './recovery.js';
import { PublishSetAside } from './set-aside.js';
import { PublishConfig } from './publish.config.js';

/** A due post whose account, if it needs one now, is ours. */
export interface Free {
  readonly planned: Planned;
  /** null: it may be settled, never sent. */
  readonly lease: Lease | null;
}

/** As it is while the account is ours: what it was planned by may have changed since. */
interface Latest extends Free {
  readonly from: Loaded<Post>;
  readonly post: ExistingPost;
  readonly choice: ConnectionChoice;
}

export interface Decided extends Latest {
  readonly attemptId: string;
  /** Since when it may be on the network, by an attempt that the database lost: it is looked for, not sent. null: it is not. */
  readonly lostSince: Instant | null;
  readonly decision: ClaimDecision & { kind: 'start' | 'settle' };
}

/** What becomes of due posts, decided on the latest of each and on where it goes out now. One that fails keeps no other waiting. */
@Injectable()
export class ClaimDecisions {
  constructor(
    private readonly queries: QueryBus,
    private readonly posts: Posts,
    private readonly preflight: ContentPreflight,
    private readonly lostPosts: LostPosts,
    private readonly aside: PublishSetAside,
    private readonly config: PublishConfig,
  ) {}

  /** Of each that is to be sent by the account that is ours, or settled; the others are left as they are. */
  async on(free: readonly Free[], { lost }: Recovery): Promise<Decided[]> {
    const decided: Decided[] = [];
    const all = await this.latest(free);
    const lostSince = await this.lostPosts.among(
      all.map(({ post }) => post),
      lost,
    );
    for (const latest of all) {
      const each = await this.decided(latest, lostSince.get(latest.post.id) ?? null);
      if (each) decided.push(each);
    }
    return decided;
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
  private async decided(latest: Latest, lostSince: Instant | null): Promise<Decided | undefined> {
    const attemptId = randomUUIDv7();
    try {
      const decision = await this.decide(latest, attemptId, lostSince !== null);
      return isDone(decision, latest) ? { ...latest, attemptId, decision, lostSince } : undefined;
    } catch (error) {
      this.aside.add(latest.planned.postId, error);
      return undefined;
    }
  }

  private async decide(
    { planned, from, post, choice }: Latest,
    attemptId: string,
    mayBeLive: boolean,
  ): Promise<ClaimDecision> {
    const account = choice.kind === 'connection' ? choice.account : null;
    const [violatedRule = null] = blockersIn(
      await this.preflight.check(post.platform, post.content, account),
    );
    return decideClaim(post, {
      now: from.now,
      attemptId,
      fingerprint: fingerprintOf(post.content),
      predecessor: planned.before,
      destination: choice.kind === 'none' ? { failure: choice.failure } : choice,
      violatedRule,
      lateWindowMs: this.config.lateWindowMs,
      mayBeLive,
    });
  }
}

/** What goes out by another account by now than the one that is ours, is left to the next plan. */
function isDone(decision: ClaimDecision, { lease, choice }: Latest): decision is Decided['decision'] {
  if (decision.kind !== 'start') return decision.kind === 'settle';
  return lease !== null && choice.kind === 'connection' && choice.accountKey === lease.key;
}
