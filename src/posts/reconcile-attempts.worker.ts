import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { Database } from '#libs/database';
import { ReconcileDelivery } from '../integrations/index.js';
import type { DeliveryToReconcile, PublishedPost } from '../integrations/index.js';
import { PublishConfig } from './publish.config.js';

/** Asked so often before the answer is left to a person; networks show new posts with delay. */
const TIMES = 3;

/** Settles what became of an attempt whose answer was lost, by looking at the network. */
@Injectable()
export class ReconcileAttempts {
  constructor(
    private readonly queries: QueryBus,
    private readonly database: Database,
    private readonly config: PublishConfig,
  ) {}

  /**
   * @param postId of the post that was attempted: evidence that is another post of ours is none.
   * @returns the post on the network, or null when nothing proves it. Null is not evidence that it is not there.
   */
  async find(postId: string, delivery: DeliveryToReconcile): Promise<PublishedPost | null> {
    for (let time = 0; time < TIMES; time++) {
      await sleep(this.config.reconcileWaitMs * 2 ** time);
      const answer = await this.queries.execute(new ReconcileDelivery(delivery));
      if (answer.kind === 'delivered' && (await this.isUnclaimed(postId, answer))) {
        const { platformPostId, platformPostUrl } = answer;
        return { platformPostId, platformPostUrl };
      }
    }
    return null;
  }

  private async isUnclaimed(postId: string, { platformPostId }: PublishedPost): Promise<boolean> {
    const rows = await this.database.query(
      'SELECT FROM posts.post_view WHERE platform_post_id = $1 AND id <> $2 LIMIT 1',
      [platformPostId, postId],
    );
    return rows.length === 0;
  }
}
