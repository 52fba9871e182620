import { Injectable } from '@nestjs/common';
import type { Instant } from '#libs/content';
import { ConnectionsStore } from '../connections/connections.store.js';
import type { Refusal } from '../domain/provider-publishing.js';
import type { PreparationKey } from '../preparations/preparations.store.js';
import { PreparationsStore } from '../preparations/preparations.store.js';

const UNREADABLE_WAIT_MS = 60_000;

/** When a post that is put back is tried again, by the database's clock. */
@Injectable()
export class DeliveryHolds {
  constructor(
    private readonly connections: ConnectionsStore,
    private readonly preparations: PreparationsStore,
  ) {}

  /** @returns null: the refusal asks for no wait, or the budget of the waits of this post is used up */
  async afterRefusal(post: PreparationKey, { failure, remedy }: Refusal): Promise<Instant | null> {
    switch (remedy?.kind) {
      case 'hold':
        return this.connections.holdAccount(post.connectionId, remedy.milliseconds, failure.code);
      case 'postpone':
        return this.preparations.postponed(post, remedy.milliseconds, remedy.prepareAgainAfterMs);
      default:
        return null;
    }
  }

  /** An outage of this product's own store must not fail a post: it is tried again until its late window ends. */
  whileUnreadable(post: PreparationKey): Promise<Instant> {
    return this.preparations.until(post, UNREADABLE_WAIT_MS);
  }
}
