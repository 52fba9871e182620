import { randomBytes } from 'node:crypto';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { CallbackChanges } from '../signed-callbacks/callback-changes.js';
import { SignedCallbacksStore } from '../signed-callbacks/signed-callbacks.store.js';
import { SignedRequests } from '../signed-callbacks/signed-requests.js';
import type { SignedCallback } from './accept-deauthorization.js';

/**
 * A person wants the data deleted that this service has of them: tokens, profile and the network's ids of their connections, in every
 * brand. The rows stay without them. A repeated request returns the same code.
 * @throws as SignedRequests.read
 */
export class DeletePersonalData extends Command<{ readonly code: string }> {
  constructor(readonly callback: SignedCallback) {
    super();
  }
}

const CODE_BYTES = 16;

@CommandHandler(DeletePersonalData)
export class DeletePersonalDataHandler implements ICommandHandler<DeletePersonalData> {
  constructor(
    private readonly requests: SignedRequests,
    private readonly store: SignedCallbacksStore,
    private readonly changes: CallbackChanges,
  ) {}

  async execute({ callback: { platform, signedRequest } }: DeletePersonalData): Promise<{ code: string }> {
    const code = randomBytes(CODE_BYTES).toString('hex');
    const record = await this.changes.once(this.requests.read(platform, signedRequest), {
      kind: 'data-deletion',
      code,
      concerns: () => true,
      event: ({ state }) => ({
        type: 'AccountDisconnected',
        changed: state === 'disconnected' ? ['accountId'] : ['tokens', 'profile', 'state', 'accountId'],
      }),
      apply: (transaction, ids) => this.store.erase(transaction, ids),
    });
    return { code: record.code ?? code };
  }
}
