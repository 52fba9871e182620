import { Injectable, Logger } from '@nestjs/common';
import { OutboundHttp } from '#libs/outbound-http';
import { refreshResultIn } from '../domain/token-refresh.js';
import type { RefreshResult } from '../domain/token-refresh.js';
import { IntegrationsConfig } from '../integrations.config.js';

/** Has the API renew the tokens of a connection: only the API holds client secrets. Never throws for what a network does. */
@Injectable()
export class ConnectionRefreshClient {
  private readonly logger = new Logger(ConnectionRefreshClient.name);
  private isReported = false;

  constructor(
    private readonly http: OutboundHttp,
    private readonly config: IntegrationsConfig,
  ) {}

  /**
   * @param refusedVersion version of the tokens that no longer work; when newer ones are stored, they count as refreshed. Absent:
   *   the stored tokens are renewed whatever their version.
   */
  async refresh(connectionId: string, refusedVersion?: number): Promise<RefreshResult> {
    const answer = await this.http.send({
      method: 'POST',
      url: `${this.config.apiInternalUrl}/internal/connections/${connectionId}/refresh`,
      headers: {
        authorization: `Bearer ${this.config.internalToken ?? ''}`,
        'content-type': 'application/json',
      },
      body: JSON.stringify({ tokenVersion: refusedVersion }),
    });
    if (answer.kind !== 'answered') return { result: 'unavailable' };
    const result = refreshResultIn(answer.body);
    if (result === null) return this.withoutResult(answer.status);
    this.isReported = false;
    return result;
  }

  /** Outages and limits pass. Any other response comes from another service, or from an API with another token. */
  private withoutResult(status: number): RefreshResult {
    if (status >= 500 || status === 429) return { result: 'unavailable' };
    // Once, not for each token that ends until it is corrected.
    if (!this.isReported)
      this.logger.error(
        `Tokens cannot be renewed: the API's management address responds with status ${status}. Check that API_INTERNAL_URL is the API's management address and that INTERNAL_SERVICE_TOKEN is the same on both sides.`,
      );
    this.isReported = true;
    return { result: 'misconfigured' };
  }
}
