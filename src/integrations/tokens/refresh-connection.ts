import { Logger } from '@nestjs/common';
import type { ICommandHandler } from '@nestjs/cqrs';
import { Command, CommandHandler } from '@nestjs/cqrs';
import { IntegrationsConfig } from '../integrations.config.js';
import { OutboundHttp } from '../outbound/outbound-http.js';
import { isRefreshResult } from '../domain/token-refresh.js';
import type { RefreshResult } from '../domain/token-refresh.js';

export type { RefreshResult } from '../domain/token-refresh.js';

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
  private readonly logger = new Logger(RefreshConnectionHandler.name);
  private saidIt = false;

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
    if (answer.kind !== 'answered') return 'unavailable';
    const result = (answer.body as { result?: unknown } | null | undefined)?.result;
    if (!isRefreshResult(result)) return this.withoutResult(answer.status);
    this.saidIt = false;
    return result;
  }

  /** Outages and limits pass. Any other answer comes from elsewhere, or from an API that knows another token. */
  private withoutResult(status: number): RefreshResult {
    if (status >= 500 || status === 429) return 'unavailable';
    // Once, not for every token that ends meanwhile.
    if (!this.saidIt)
      this.logger.error(
        `Tokens cannot be renewed: what should be the API answers ${status}. Check that API_INTERNAL_URL is the API's management address and that INTERNAL_SERVICE_TOKEN is the same on both sides.`,
      );
    this.saidIt = true;
    return 'misconfigured';
  }
}
