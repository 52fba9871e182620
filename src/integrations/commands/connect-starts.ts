import { randomBytes } from 'node:crypto';
import { Command, CommandBus, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { RequestCommand } from '#libs/messages';
import {
  type ConnectStartRequest,
  ConnectStartsStore,
  type ConnectStartToken,
} from '../sign-in/connect-starts.store.js';
import { IntegrationsConfig } from '../integrations.config.js';
import { AuthorizationStateIsInvalid } from '../domain/integration.errors.js';
import { networkOf } from '../networks.js';
import { ConnectAccess } from '../sign-in/connect-access.js';
import { BeginConnect, type ConnectStart } from './begin-connect.js';

/** Creates the address with which a browser starts to connect an account: it works once, for five minutes, and asks the person. */
export class CreateConnectStart extends RequestCommand<ConnectStartRequest, string> {}

@CommandHandler(CreateConnectStart)
export class CreateConnectStartHandler implements ICommandHandler<CreateConnectStart> {
  constructor(
    private readonly starts: ConnectStartsStore,
    private readonly config: IntegrationsConfig,
  ) {}

  async execute({ request }: CreateConnectStart): Promise<string> {
    const token = randomBytes(32).toString('base64url');
    await this.starts.keep(token, request);
    return `${this.config.publicUrl}/api/integrations/${request.platform}/connect/start?startToken=${token}`;
  }
}

interface ConfirmedStart {
  readonly displayName: string;
  readonly start: ConnectStart;
}

/** Uses a start token up and begins the sign-in for its caller, who is validated again. */
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
