import type { ICommandHandler } from '@nestjs/cqrs';
import { Command, CommandBus, CommandHandler } from '@nestjs/cqrs';
import { AuthorizationStateIsInvalid } from '../domain/integration.errors.js';
import { networkOf } from '../networks.js';
import { ConnectAccess } from '../sign-in/connect-access.js';
import { ConnectStartsStore } from '../sign-in/connect-starts.store.js';
import type { ConnectStartToken } from '../sign-in/connect-starts.store.js';
import { BeginConnect } from './begin-connect.js';
import type { ConnectStart } from './begin-connect.js';

export interface ConfirmedStart {
  /** Of the network. */
  readonly displayName: string;
  readonly start: ConnectStart;
}

/**
 * Uses a start token up and begins the sign-in for its caller, who is validated again.
 * @throws AuthorizationStateIsInvalid, ConnectIsNotAllowed, IdentityIsUnavailable, ProviderIsNotConnectable
 */
export class ConfirmConnectStart extends Command<ConfirmedStart> {
  constructor(readonly token: ConnectStartToken) {
    super();
  }
}

@CommandHandler(ConfirmConnectStart)
export class ConfirmConnectStartHandler implements ICommandHandler<ConfirmConnectStart> {
  constructor(
    private readonly starts: ConnectStartsStore,
    private readonly access: ConnectAccess,
    private readonly commands: CommandBus,
  ) {}

  async execute({ token }: ConfirmConnectStart): Promise<ConfirmedStart> {
    const confirmed = await this.starts.take(token);
    if (!confirmed) throw new AuthorizationStateIsInvalid();
    const { caller } = await this.access.mayConnect(confirmed);
    const start = await this.commands.execute(new BeginConnect({ ...confirmed, caller }));
    return { displayName: networkOf(confirmed.platform).displayName, start };
  }
}
