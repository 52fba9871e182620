import { Injectable } from '@nestjs/common';
import type { DeliveryFile, FailureReport, Instant } from '#libs/content';
import { ConnectionsStore } from '../connections/connections.store.js';
import { CONFIGURATION_HOLD_SECONDS } from '../connections/platform-holds.store.js';
import { MEDIA_NOT_FETCHED, MEDIA_UNREADABLE } from '../domain/delivery-outcome.js';
import type { Refusal } from '../domain/provider-publishing.js';
import { FileAddresses } from '../preparations/file-addresses.js';
import { type PreparationKey, PreparationsStore } from '../preparations/preparations.store.js';
import type { Access } from '../tokens/access-tokens.js';

interface Hold {
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
      await this.connections.holdAccount(connectionId, CONFIGURATION_HOLD_SECONDS * 1000, failure.code);
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

interface NoAccess {
  readonly kind: 'ended' | 'misconfigured' | 'unavailable';
  readonly networkCode?: string;
}

/** Why no token was available; nothing was sent. */
const accessFailure = ({ kind, networkCode }: NoAccess): FailureReport => ({
  ...FAILURES[kind],
  networkCode: networkCode ?? null,
});

const FAILURES: Readonly<Record<NoAccess['kind'], Omit<FailureReport, 'networkCode'>>> = {
  ended: {
    code: 'reconnect_needed',
    class: 'auth',
    message: 'The network no longer accepts the connection of this account.',
    nextStep: 'Connect the account again, then retry the post.',
  },
  misconfigured: {
    code: 'integration_misconfigured',
    class: 'configuration',
    message: 'The network or the stored connection cannot be used with the present configuration.',
    nextStep:
      'An operator has to check the credentials of this network and the log of this service; the post is then sent.',
  },
  unavailable: {
    code: 'token_not_renewed',
    class: 'transient',
    message: 'The access to the account has ended and could not be renewed right now; nothing was sent.',
    nextStep: 'Retry in some minutes.',
  },
};
