import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable, Logger } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import type { Instant } from '#libs/content';
import { Database, DatabaseIsUnavailable, isTransient } from '#libs/database';
import {
  type DeliveryToReconcile,
  type PublishedPost,
  ReconcileDelivery,
  type Reconciliation,
} from '../../integrations/index.js';
import { OTHER_POST_WITH_PLATFORM_ID } from './found-posts.js';
import { RivalAttempts } from './rival-attempts.store.js';
import { PublishConfig } from './publish.config.js';

/** Networks show new posts with delay. After so many looks without proof a person is asked. */
const LOOKS = 3;
/** Pause before the database is asked again. */
const RETRY_MS = 250;

/** `not-delivered`: there is none and will be none of this attempt. `unknown`: nothing proves anything. */
export type Search =
  { readonly kind: 'found'; readonly post: PublishedPost } | Exclude<Reconciliation, { kind: 'delivered' }>;

const UNKNOWN: Search = { kind: 'unknown' };

export type LostDelivery = Omit<DeliveryToReconcile, 'rivals'>;

/** Finds out, read-only, whether an attempt whose answer was lost did publish. */
@Injectable()
export class ReconcileAttempts {
  private readonly logger = new Logger(ReconcileAttempts.name);

  constructor(
    private readonly queries: QueryBus,
    private readonly database: Database,
    private readonly rivals: RivalAttempts,
    private readonly config: PublishConfig,
  ) {}

  /**
   * Waits while the database is away. A failure proves nothing. Neither does a post on the network whose id another post has, or
   * that another attempt of this product may have made, nor two posts that match. Never throws.
   */
  async find(delivery: LostDelivery): Promise<Search> {
    for (let time = 0; time < LOOKS; time++) {
      await sleep(this.config.reconcileWaitMs * 2 ** time);
      const answer = await this.once(delivery);
      if (answer.kind !== 'unknown') return answer;
    }
    return UNKNOWN;
  }

  /** Like `find`, by one look at once. */
  async once(delivery: LostDelivery): Promise<Search> {
    return (await this.orNull(() => this.repeatWhile(isAway, () => this.look(delivery)))) ?? UNKNOWN;
  }

  /**
   * Whether a post that the network names as the same content is of an attempt of this post: no other post has its id, and no other
   * attempt with the same text is in doubt. Never throws.
   */
  async isOurs(existing: PublishedPost, delivery: Omit<LostDelivery, 'since'>): Promise<boolean> {
    const { postId, connectionId, content } = delivery;
    const isOurs = await this.orNull(() =>
      this.patiently(async () => {
        const rivals = await this.rivals.of(postId, connectionId);
        if (rivals.some((rival) => rival.content.text === content.text)) return false;
        return (await this.notGiven([existing], postId)).length > 0;
      }),
    );
    return isOurs ?? false;
  }

  /** When the first attempt of this post began whose answer was lost; null: there was none, or it cannot be read. Never throws. */
  firstDoubt(postId: string): Promise<Instant | null> {
    return this.orNull(() => this.patiently(() => this.rivals.firstDoubt(postId)));
  }

  /** Waits while only the state of the database makes `ask` fail. @throws every other error */
  patiently<T>(ask: () => Promise<T>): Promise<T> {
    return this.repeatWhile(isTransient, ask);
  }

  private async orNull<T>(ask: () => Promise<T | null>): Promise<T | null> {
    try {
      return await ask();
    } catch (error) {
      this.logger.error(error, 'The outcome of an attempt could not be determined.');
      return null;
    }
  }

  private async repeatWhile<T>(isTried: (error: unknown) => boolean, ask: () => Promise<T>): Promise<T> {
    for (;;) {
      try {
        return await ask();
      } catch (error) {
        if (!isTried(error)) throw error;
        this.logger.warn(
          error,
          'The database fails while the outcome of an attempt is determined. It is asked again.',
        );
        await sleep(RETRY_MS);
      }
    }
  }

  private async look(delivery: LostDelivery): Promise<Search> {
    const { postId } = delivery;
    const rivals = () => this.rivals.of(postId, delivery.connectionId);
    const answer = await this.queries.execute(new ReconcileDelivery({ ...delivery, rivals }));
    if (answer.kind !== 'delivered') return answer;
    const [found, another] = await this.notGiven(answer.posts, postId);
    return found && !another ? { kind: 'found', post: found } : UNKNOWN;
  }

  /** Those whose id no other post has. */
  private async notGiven(posts: readonly PublishedPost[], postId: string): Promise<PublishedPost[]> {
    const free: PublishedPost[] = [];
    for (const { platformPostId, platformPostUrl } of posts) {
      const others = await this.database.query(OTHER_POST_WITH_PLATFORM_ID, [platformPostId, postId]);
      if (others.length === 0) free.push({ platformPostId, platformPostUrl });
    }
    return free;
  }
}

/** Of a look, which is repeated anyway, other failures of the database cost one: a statement may exceed its time each time. */
const isAway = (error: unknown): boolean => error instanceof DatabaseIsUnavailable;
