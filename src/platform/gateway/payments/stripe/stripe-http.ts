import { Injectable } from '@nestjs/common';
import Stripe from 'stripe';
import { OutboundHttp, type OutboundResponse } from '#libs/outbound-http';
import { PaymentsConfig } from '../payments.config.js';

type Answered = OutboundResponse & { readonly kind: 'answered' };

/** No response. `isSent` false proves that the provider did nothing. */
export class ProviderGaveNoResponse extends Error {
  override name = 'ProviderGaveNoResponse';

  constructor(
    readonly isSent: boolean,
    reason: string,
  ) {
    super(reason);
  }
}

/**
 * The transport of the official client. Its own one repeats a request after ECONNRESET even with `maxNetworkRetries: 0`, limits
 * only the pause between two packets, and cannot tell what was not sent.
 */
export class StripeHttp extends Stripe.HttpClient {
  constructor(
    private readonly http: OutboundHttp,
    private readonly baseUrl: string,
  ) {
    super();
  }

  override getClientName(): string {
    return 'outbound-http';
  }

  override async makeRequest(
    _host: string,
    _port: string | number,
    path: string,
    method: string,
    headers: object,
    requestData: string | Uint8Array,
    _protocol: string,
    timeoutMs: number,
  ): Promise<StripeResponse> {
    const response = await this.http.send({
      method: method as 'GET' | 'POST' | 'DELETE',
      url: this.baseUrl + path,
      headers: headersOf(headers),
      ...(method === 'POST' && { body: requestData }),
      timeoutMs,
    });
    if (response.kind === 'answered') return new StripeResponse(response);
    throw new ProviderGaveNoResponse(
      response.kind === 'no-answer',
      response.kind === 'withheld' ? 'withheld' : response.reason,
    );
  }
}

class StripeResponse extends Stripe.HttpClientResponse {
  constructor(private readonly response: Answered) {
    super(response.status, response.headers as Record<string, string>);
  }

  override getRawResponse(): Answered {
    return this.response;
  }

  override toStream(): never {
    throw new Error('Responses of the payment provider are not streamed.');
  }

  /** Rejects a body that is no JSON object: it proves neither success nor failure. */
  override toJSON(): Promise<object> {
    const { body } = this.response;
    if (typeof body === 'object' && body !== null) return Promise.resolve(body);
    return Promise.reject(new ProviderGaveNoResponse(true, 'unreadable_response'));
  }
}

/** Without the length, which the transport computes. */
function headersOf(headers: object): Record<string, string> {
  const entries = Object.entries(headers as Record<string, string | number>);
  return Object.fromEntries(
    entries
      .filter(([name]) => name.toLowerCase() !== 'content-length')
      .map(([name, value]) => [name.toLowerCase(), String(value)]),
  );
}

/** The wire that the types of the client describe. Another version is a change of this code. */
const STRIPE_VERSION = '2026-10-28.endive';

/** Two calls of an operation end within its lease. */
const CALL_TIMEOUT_MS = 20_000;

/** Clients of the payment provider, one for each secret. None repeats a call by itself. */
@Injectable()
export class StripeClients {
  private readonly httpClient: StripeHttp;

  constructor(http: OutboundHttp, { stripeUrl }: PaymentsConfig) {
    this.httpClient = new StripeHttp(http, stripeUrl);
  }

  for(secretKey: string): Stripe {
    return new Stripe(secretKey, {
      apiVersion: STRIPE_VERSION,
      httpClient: this.httpClient,
      maxNetworkRetries: 0,
      telemetry: false,
      timeout: CALL_TIMEOUT_MS,
    });
  }
}
