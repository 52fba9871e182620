import { Injectable } from '@nestjs/common';
import { readKeyedSecret } from '../credentials/secrets.js';
import { outcomeOf } from './stripe/outcome.js';
import { StripeClients } from './stripe/stripe-clients.js';

export type PaymentCheck = 'ok' | 'credential' | 'limited' | 'refused' | 'unreachable' | 'no-answer';

/** The cheapest call of the payment provider: one product. It needs a permission that the gateway needs anyway. */
@Injectable()
export class CheckStripe {
  constructor(private readonly clients: StripeClients) {}

  /** @param secret as `Credentials.open` returns it. Never rejects because of the provider. */
  async check(secret: string): Promise<PaymentCheck> {
    const stripe = this.clients.for(readKeyedSecret(secret).key);
    const { kind } = await outcomeOf(() => stripe.products.list({ limit: 1 }));
    switch (kind) {
      case 'done':
        return 'ok';
      case 'not-sent':
        return 'unreachable';
      case 'unknown':
        return 'no-answer';
      default:
        return kind;
    }
  }
}
