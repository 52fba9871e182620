import { Injectable, Logger } from '@nestjs/common';
import { OutboundHttp } from '#libs/outbound-http';
import { IntegrationsConfig } from '../integrations.config.js';
import { recordIn } from '../providers/values.js';

const RESULTS = ['refreshed', 'reconnect-needed', 'misconfigured', 'unavailable'] as const;

export interface RefreshResult {
  /**
   * `refreshed`: newer tokens are stored. `reconnect-needed`: the grant is dead, or there is none.
   * `misconfigured`: the network refuses this service, or the API refuses the worker. `unavailable`: retry later; the connection is
   * unchanged.
   */
  readonly result: (typeof RESULTS)[number];
  /** The network's name of the error that ended the grant. Absent: the network was not asked, or did not name it. */
  readonly networkCode?: string;
}

/** Longer than any network's name of an error. */
const MAX_CODE = 100;

/** @returns null for a response without a result */
function refreshResultIn(body: unknown): RefreshResult | null {
  const { result, networkCode } = recordIn(body);
  const known = RESULTS.find((each) => each === result);
  if (known === undefined) return null;
  return typeof networkCode === 'string' && networkCode.length <= MAX_CODE
    ? { result: known, networkCode }
    : { result: known };
}

/** Has the API renew the tokens of a connection: only the API holds client secrets. Never throws for what a network does. */
@Injectable()
export class ConnectionRefreshClient {
  private readonly logger = new Logger(ConnectionRefreshClient.name);
  private isReported = false;

  constructor(
    private readonly http: OutboundHttp,
    private readonly config: IntegrationsConfig,
  ) {}

  /** @param refusedVersion when newer tokens are stored, they count as refreshed. Absent: renews whatever their version */
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
