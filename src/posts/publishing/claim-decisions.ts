import { randomUUIDv7 } from 'node:crypto';
import { Injectable, Logger } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import type { Instant } from '#libs/content';
import type { Lease } from '#libs/due-work';
import { type ConnectionChoice, FindPublishingConnections } from '../../integrations/index.js';
import { fingerprintOf } from '../content/content-fingerprint.js';
import { blockersIn, preflightOfSent } from '../content/content-preflight.js';
import type { ExistingPost } from '../domain/post.js';
import { type ClaimDecision, decideClaim } from '../domain/publish-decision.js';
import { NO_MEDIA, PostRenditions, type SendableMedia } from '../media/post-renditions.js';
import type { Planned } from './plan.js';
import { PublishConfig } from './publish.config.js';
import { isFailureOfDatabase, type LoadedPost, PublisherPosts } from './publisher-posts.js';
import { PublishRecovery, type Recovery } from './recovery.js';

/** A due post whose account, if it needs one now, this worker holds. */
export interface Reserved {
  readonly planned: Planned;
  /** null: it may be settled, never sent. */
  readonly lease: Lease | null;
  /** Its network is down and this worker has the right to send one post to it. */
  readonly isProbe: boolean;
}

/** As stored while this worker holds the account: the plan may be outdated. */
interface Latest extends Reserved {
  readonly postId: string;
  readonly from: LoadedPost;
  readonly choice: ConnectionChoice;
  readonly media: SendableMedia;
}

export interface Decided extends Latest {
  readonly attemptId: string;
  /** Since when it may be on the network by an attempt that the database lost; null: it is not there. */
  readonly maybeLiveSince: Instant | null;
  readonly decision: ClaimDecision & { kind: 'start' | 'settle' };
}

/** Decides what to do with due posts, by the latest state and destination of each. A post that fails goes to quarantine. */
@Injectable()
export class ClaimDecisions {
  private readonly logger = new Logger(ClaimDecisions.name);

  constructor(
    private readonly queries: QueryBus,
    private readonly posts: PublisherPosts,
    private readonly renditions: PostRenditions,
    private readonly recovery: PublishRecovery,
    private readonly config: PublishConfig,
  ) {}

  /** @returns the posts that are sent by the account that is held, or settled; the others are left unchanged */
  async on(reserved: readonly Reserved[], { lost }: Recovery): Promise<Decided[]> {
    const decided: Decided[] = [];
    const all = await this.latest(reserved);
    const maybeLive = await this.recovery.maybeLive(
      all.map(({ from }) => from.state),
      lost,
    );
    for (const latest of all) {
      const each = this.decided(latest, maybeLive.get(latest.postId) ?? null);
      if (each) decided.push(each);
    }
    return decided;
  }

  private async latest(reserved: readonly Reserved[]): Promise<Latest[]> {
    const loaded = await this.posts.load(reserved.map(({ planned }) => planned.postId));
    const found = reserved.flatMap((each) => {
      const { postId } = each.planned;
      const from = loaded.get(postId);
      return from ? [{ ...each, postId, from }] : [];
    });
    if (found.length === 0) return [];
    const requests = found.map(({ from: { state } }) => ({ ...state, target: state.content.target }));
    const choices = await this.queries.execute(new FindPublishingConnections({ posts: requests }));
    const chosen = found.map((each, index) => ({ ...each, choice: choices[index] as ConnectionChoice }));
    return this.withMedia(chosen);
  }

  /** A failure of the media library delays the posts with files only: they wait as for renditions. */
  private async withMedia(posts: readonly Omit<Latest, 'media'>[]): Promise<Latest[]> {
    const requests = posts.map(({ from: { state: post }, choice }) => ({ post, account: accountOf(choice) }));
    try {
      const media = await this.renditions.of(requests);
      return posts.map((each, index) => ({ ...each, media: media[index] ?? NO_MEDIA }));
    } catch (error) {
      if (isFailureOfDatabase(error)) throw error;
      this.logger.error(error, 'The media library fails. Posts with files wait.');
      return posts.map((each) => ({ ...each, media: hasMedia(each) ? UNKNOWN_MEDIA : NO_MEDIA }));
    }
  }

  /** Reads nothing but the network's rules, so that a failure concerns this post alone. */
  private decided(latest: Latest, maybeLiveSince: Instant | null): Decided | undefined {
    const attemptId = randomUUIDv7();
    try {
      const decision = this.decide(latest, attemptId, maybeLiveSince);
      return isActedOn(decision, latest) ? { ...latest, attemptId, decision, maybeLiveSince } : undefined;
    } catch (error) {
      this.posts.quarantine.add(latest.postId, error);
      return undefined;
    }
  }

  private decide(
    { planned, from, choice, media, isProbe }: Latest,
    attemptId: string,
    maybeLiveSince: Instant | null,
  ): ClaimDecision {
    const post: ExistingPost = from.state;
    const { platform, content } = post;
    const findings = preflightOfSent({ platform, content, media: media.facts, account: accountOf(choice) });
    const [violatedRule = null] = blockersIn(findings);
    return decideClaim(post, {
      now: from.now,
      attemptId,
      fingerprint: fingerprintOf(post.content),
      predecessor: planned.before,
      destination: choice.kind === 'none' ? { failure: choice.failure } : choice,
      network: networkOf(choice, isProbe),
      violatedRule,
      media: media.readiness,
      lateWindowMs: this.config.lateWindowMs,
      retry: {
        budgetMs: this.config.budgetOf(post.platform),
        firstWaitMs: this.config.retryWaitMs,
        jitter: Math.random(),
      },
      maybeLiveSince,
    });
  }
}

const networkOf = (choice: ConnectionChoice, isProbe: boolean) =>
  choice.kind === 'none' || isProbe ? { outage: null, mayProbe: isProbe } : choice.network;

const UNKNOWN_MEDIA: SendableMedia = { ...NO_MEDIA, readiness: { kind: 'pending' } };

const accountOf = (choice: ConnectionChoice) => (choice.kind === 'connection' ? choice.account : null);

const hasMedia = ({ from: { state } }: Pick<Latest, 'from'>): boolean => state.content.mediaIds.length > 0;

/** A post whose account has changed since the plan is left to the next plan. */
function isActedOn(decision: ClaimDecision, { lease, choice }: Latest): decision is Decided['decision'] {
  if (decision.kind !== 'start') return decision.kind === 'settle';
  return lease !== null && choice.kind === 'connection' && choice.accountKey === lease.key;
}
