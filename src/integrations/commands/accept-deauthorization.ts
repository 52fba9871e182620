import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { CallbackChanges } from '../signed-callbacks/callback-changes.js';
import {
  type ConcernedConnection,
  SignedCallbacksStore,
} from '../signed-callbacks/signed-callbacks.store.js';
import { type NetworkCallback, SignedRequests } from '../signed-callbacks/signed-requests.js';

export interface SignedCallback {
  readonly platform: string;
  /** As received. */
  readonly signedRequest: string;
}

/**
 * A person removed this service at the network: their connections in every brand lose their tokens and have to be connected again.
 * A repeated request changes nothing, and neither does a late one that was issued before the present sign-in began.
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
    const callback = this.requests.read(platform, signedRequest);
    await this.changes.once(callback, {
      kind: 'deauthorize',
      code: null,
      concerns: (connection) => connection.state === 'active' && !isOlder(callback, connection),
      event: () => ({ type: 'ReconnectNeeded', changed: ['state', 'tokens'] }),
      apply: (transaction, ids) => this.store.end(transaction, ids),
    });
  }
}

/** `issued_at` has no fractions of a second. */
const isOlder = ({ issuedAt }: NetworkCallback, { signedInAt }: ConcernedConnection): boolean =>
  issuedAt !== null && signedInAt !== null && issuedAt < Math.floor(signedInAt.getTime() / 1000);
