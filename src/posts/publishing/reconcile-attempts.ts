import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable, Logger } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { Database, DatabaseIsUnavailable } from '#libs/database';
import { ReconcileDelivery } from '../../integrations/index.js';
import type { DeliveryToReconcile, PublishedPost } from '../../integrations/index.js';
import { OTHER_POST_WITH_PLATFORM_ID } from './platform-post-ids.statements.js';
import { RivalAttempts } from './rival-attempts.store.js';
import { PublishConfig } from './publish.config.js';

/** Asked so often before the answer is left to a person; networks show new posts with delay. */
const TIMES = 3;

/** The database is asked again so often while it is away, as when an outcome is stored. */
const RETRY_MS = 250;

export type LostDelivery = Omit<DeliveryToReconcile, 'rivals'>;

/** Settles what became of an attempt whose answer was lost, by looking at the network. */
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
   * Never throws: the post may be live, and whoever asks must be able to say so. An outage of the database is waited
   * out; any other failure is no evidence.
   * What another post of this product was given, or another attempt of it may have made, is no evidence; neither are two
   * posts on the network that could both be the one.
   * @returns the post on the network; `not-delivered` when the network says for certain that there is none and will be none of this
   *   attempt; null when nothing proves either.
   */
  async find(delivery: LostDelivery): Promise<PublishedPost | 'not-delivered' | null> {
    for (let time = 0; time < TIMES; time++) {
      await sleep(this.config.reconcileWaitMs * 2 ** time);
      const answer = await this.patiently(() => this.look(delivery));
      if (answer) return answer;
    }
    return null;
  }

  private async look(delivery: LostDelivery): Promise<PublishedPost | 'not-delivered' | null> {
    const { postId } = delivery;
    const rivals = () => this.rivals.of(postId, delivery.connectionId);
    const answer = await this.queries.execute(new ReconcileDelivery({ ...delivery, rivals }));
    if (answer.kind === 'not-delivered') return answer.kind;
    if (answer.kind !== 'delivered') return null;
    const [found, another] = await this.notGiven(answer.posts, postId);
    return found && !another ? found : null;
  }

  /** Those that no other post was given. */
  private async notGiven(posts: readonly PublishedPost[], postId: string): Promise<PublishedPost[]> {
    const free: PublishedPost[] = [];
    for (const { platformPostId, platformPostUrl } of posts) {
      const others = await this.database.query(OTHER_POST_WITH_PLATFORM_ID, [platformPostId, postId]);
      if (others.length === 0) free.push({ platformPostId, platformPostUrl });
    }
    return free;
  }

  private async patiently<T>(look: () => Promise<T | null>): Promise<T | null> {
    for (;;) {
      try {
        return await look();
      } catch (error) {
        this.logger.error(error, 'An attempt whose answer was lost could not be looked for.');
        if (!(error instanceof DatabaseIsUnavailable)) return null;
        await sleep(RETRY_MS);
      }
    }
  }
}
