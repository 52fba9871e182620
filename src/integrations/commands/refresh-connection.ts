import type { ICommandHandler } from '@nestjs/cqrs';
import { Command, CommandHandler } from '@nestjs/cqrs';
import { IntegrationsConfig } from '../integrations.config.js';
import { OutboundHttp } from '../outbound/outbound-http.js';
import { isRefreshResult } from '../token-refresh.js';
import type { RefreshResult } from '../token-refresh.js';

export type { RefreshResult } from '../token-refresh.js';

/** Has the API renew the tokens of a connection: client secrets live there only. Never throws for what a network does. */
export class RefreshConnection extends Command<RefreshResult> {
  constructor(
    readonly connectionId: string,
    /** The tokens that no longer work; when others are stored by now, they count as renewed. Absent: renew whatever is stored. */
    readonly refusedVersion?: number,
  ) {
    super();
  }
}

@CommandHandler(RefreshConnection)
export class RefreshConnectionHandler implements ICommandHandler<RefreshConnection> {
  constructor(
    private readonly http: OutboundHttp,
    private readonly config: IntegrationsConfig,
  ) {}

  async execute({ connectionId, refusedVersion }: RefreshConnection): Promise<RefreshResult> {
    const answer = await this.http.send({
      method: 'POST',
      url: `${this.config.apiInternalUrl}/internal/connections/${connectionId}/refresh`,
      headers: {
        authorization: `Bearer ${this.config.internalToken ?? ''}`,
        'content-type': 'application/json',
      },
      body: JSON.stringify({ tokenVersion: refusedVersion }),
    });
    const result = answer.kind === 'answered' && (answer.body as { result?: unknown } | undefined)?.result;
    return isRefreshResult(result) ? result : 'unavailable';
  }
}
