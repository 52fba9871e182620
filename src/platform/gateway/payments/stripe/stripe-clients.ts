import { Injectable } from '@nestjs/common';
import Stripe from 'stripe';
import { OutboundHttp } from '#libs/outbound-http';
import { PaymentsConfig } from '../payments.config.js';
import { StripeHttp } from './stripe-http.js';

/** The wire that the types of the client describe. Another version is a change of this code. */
export const STRIPE_VERSION = '2026-10-28.endive';

/** Two calls of an operation end within its lease. */
export const CALL_TIMEOUT_MS = 20_000;

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
