import { Injectable } from '@nestjs/common';
import { OutboundHttp, type OutboundRequest, type OutboundResponse } from '#libs/outbound-http';
import { BUSINESS_API_SLUG, GatewayClientConfig } from './gateway-client.config.js';
import { IdentityClient } from './identity-client.js';

export type GatewayRequest = Omit<OutboundRequest, 'url'> & {
  readonly path: string;
  readonly organizationId: string;
};

/** The request was not sent: this service cannot authenticate at the gateway. */
export type Unauthenticated =
  | { readonly kind: 'misconfigured'; readonly code: string }
  | { readonly kind: 'not-sent'; readonly reason: string };

const READY_WITHIN_MS = 1_000;

/** Calls of this service to the gateway, with its token and its registered identifier. */
@Injectable()
export class GatewayConnection {
  private applicationId: string | undefined;

  constructor(
    private readonly http: OutboundHttp,
    private readonly config: GatewayClientConfig,
    private readonly identity: IdentityClient,
  ) {}

  get isConfigured(): boolean {
    return this.config.gatewayServiceToken !== undefined;
  }

  /** @throws Error when the gateway does not answer that it is ready */
  async reach(): Promise<void> {
    const url = `${this.config.gatewayUrl}/readyz`;
    const response = await this.http.send({ method: 'GET', url, timeoutMs: READY_WITHIN_MS });
    if (response.kind !== 'answered') throw new Error(`The gateway does not answer: ${response.kind}`);
    if (response.status !== 200) throw new Error(`The gateway is not ready: ${response.status}`);
  }

  /** @param outcomeOf `misconfigured`: the identifier is read again for the next call */
  async send<T extends { readonly kind: string }>(
    { path, headers, organizationId, ...request }: GatewayRequest,
    outcomeOf: (response: OutboundResponse) => T,
  ): Promise<T | Unauthenticated> {
    const { gatewayServiceToken, gatewayUrl } = this.config;
    if (gatewayServiceToken === undefined) return { kind: 'misconfigured', code: 'gateway_token_missing' };
    const applicationId = await this.registeredId();
    if (typeof applicationId !== 'string') return applicationId;
    const response = await this.http.send({
      ...request,
      url: gatewayUrl + path,
      headers: {
        ...headers,
        'x-service-token': gatewayServiceToken,
        'x-application-id': applicationId,
        'x-organization-id': organizationId,
      },
    });
    const outcome = outcomeOf(response);
    // Another installation of identity may have another identifier.
    if (outcome.kind === 'misconfigured') this.applicationId = undefined;
    return outcome;
  }

  /** The registered identifier of this service. It never changes within an installation. */
  private async registeredId(): Promise<string | Unauthenticated> {
    if (this.applicationId !== undefined) return this.applicationId;
    try {
      const found = await this.identity.registration(BUSINESS_API_SLUG);
      this.applicationId = found?.id;
      return found?.id ?? { kind: 'misconfigured', code: 'service_not_registered' };
    } catch {
      return { kind: 'not-sent', reason: 'identity_unavailable' };
    }
  }
}
