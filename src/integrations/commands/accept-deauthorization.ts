import type { ICommandHandler } from '@nestjs/cqrs';
import { Command, CommandHandler } from '@nestjs/cqrs';
import { CallbackChanges } from '../signed-callbacks/callback-changes.js';
import { SignedCallbacksStore } from '../signed-callbacks/signed-callbacks.store.js';
import { SignedRequests } from '../signed-callbacks/signed-requests.js';

export interface SignedCallback {
  readonly platform: string;
  /** As received. */
  readonly signedRequest: string;
}

/**
 * A person removed this service at the network: their connections in every brand lose their tokens and have to be connected again.
 * A repeated request changes nothing.
 * @throws as SignedRequests.read
 */
export class AcceptDeauthorization extends Command<void> {
  constructor(readonly callback: SignedCallback) {
    super();
  }
}

@CommandHandler(AcceptDeauthorization)
export class AcceptDeauthorizationHandler implements ICommandHandler<AcceptDeauthorization> {
  constructor(
    private readonly requests: SignedRequests,
    private readonly store: SignedCallbacksStore,
    private readonly changes: CallbackChanges,
  ) {}

  async execute({ callback: { platform, signedRequest } }: AcceptDeauthorization): Promise<void> {
    await this.changes.once(this.requests.read(platform, signedRequest), {
      kind: 'deauthorize',
      code: null,
      concerns: ({ state }) => state === 'active',
      event: () => ({ type: 'ReconnectNeeded', changed: ['state', 'tokens'] }),
      apply: (transaction, ids) => this.store.end(transaction, ids),
    });
  }
}
