import { Injectable } from '@nestjs/common';
import type { DeliveryFile, FailureReport, Instant } from '#libs/content';
import { ConnectionsStore } from '../connections/connections.store.js';
import { PlatformHoldConfig } from '../connections/platform-hold.config.js';
import { accessFailure } from '../domain/access-failures.js';
import { MEDIA_NOT_FETCHED, MEDIA_UNREADABLE } from '../domain/media-unreadable.js';
import type { Refusal } from '../domain/provider-publishing.js';
import { FileAddresses } from '../preparations/file-addresses.js';
import type { PreparationKey } from '../preparations/preparations.store.js';
import { PreparationsStore } from '../preparations/preparations.store.js';
import type { Access } from '../tokens/access-tokens.js';

export interface Hold {
  readonly kind: 'held';
  readonly until: Instant;
  readonly reason: string;
  readonly isStated?: true;
}

const UNREADABLE_WAIT_MS = 60_000;

type HeldPost = PreparationKey & { readonly files: readonly DeliveryFile[] };

/** When a post that is put back is tried again, by the database's clock. */
@Injectable()
export class DeliveryHolds {
  constructor(
    private readonly connections: ConnectionsStore,
    private readonly preparations: PreparationsStore,
    private readonly addresses: FileAddresses,
    private readonly config: PlatformHoldConfig,
  ) {}

  /** @returns null: the refusal asks for no wait, or the budget of the waits of this post is used up */
  async afterRefusal(post: HeldPost, refusal: Refusal): Promise<Hold | null> {
    const { code: reason } = refusal.failure;
    if (reason === MEDIA_NOT_FETCHED && !(await this.addresses.areReadable(post.files)))
      return this.whileUnreadable(post);
    const until = await this.until(post, refusal);
    if (until === null) return null;
    return { kind: 'held', until, reason, ...(refusal.remedy?.kind === 'hold' && { isStated: true }) };
  }

  /** An outage of this product's own store must not fail a post: it is tried again until its late window ends. */
  async whileUnreadable(post: PreparationKey): Promise<Hold> {
    const until = await this.preparations.until(post, UNREADABLE_WAIT_MS);
    return { kind: 'held', until, reason: MEDIA_UNREADABLE };
  }

  /** Only accounts wait whose token an operator must make renewable: a token that is still valid is accepted. */
  async withoutAccess(
    connectionId: string,
    access: Exclude<Access, { kind: 'usable' }>,
  ): Promise<FailureReport> {
    const failure = accessFailure(access);
    if (access.kind === 'misconfigured')
      await this.connections.holdAccount(connectionId, this.config.seconds * 1000, failure.code);
    return failure;
  }

  private async until(post: PreparationKey, { failure, remedy }: Refusal): Promise<Instant | null> {
    switch (remedy?.kind) {
      case 'hold':
        return this.connections.holdAccount(post.connectionId, remedy.milliseconds, failure.code);
      case 'postpone':
        return this.preparations.postponed(post, remedy.milliseconds, remedy.prepareAgainAfterMs);
      default:
        return null;
    }
  }
}
