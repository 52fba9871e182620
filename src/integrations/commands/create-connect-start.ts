import { randomBytes } from 'node:crypto';
import type { ICommandHandler } from '@nestjs/cqrs';
import { Command, CommandHandler } from '@nestjs/cqrs';
import type { ConnectStartRequest } from '../sign-in/connect-starts.store.js';
import { ConnectStartsStore } from '../sign-in/connect-starts.store.js';
import { IntegrationsConfig } from '../integrations.config.js';

/**
 * Creates the address with which a browser starts to connect an account, for a caller that `BeginConnect` has authorized. It works
 * once, for five minutes, and asks the person first.
 */
export class CreateConnectStart extends Command<string> {
  constructor(readonly request: ConnectStartRequest) {
    super();
  }
}

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
