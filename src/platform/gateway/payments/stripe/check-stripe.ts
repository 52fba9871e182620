import { Injectable, type OnModuleInit } from '@nestjs/common';
import {
  checkResult,
  type CheckResult,
  CredentialChecks,
} from '../../credentials/checks/credential-check.js';
import { readKeyedSecret } from '../../credentials/secrets.js';
import { outcomeOf } from './outcome.js';
import { StripeClients } from './stripe-clients.js';

/** The cheapest call of the payment provider: one product. It needs a permission that the gateway needs anyway. */
@Injectable()
export class CheckStripe implements OnModuleInit {
  constructor(
    private readonly clients: StripeClients,
    private readonly checks: CredentialChecks,
  ) {}

  onModuleInit(): void {
    this.checks.add('stripe', ({ secret }) => this.check(secret));
  }

  private async check(secret: string): Promise<CheckResult> {
    const stripe = this.clients.for(readKeyedSecret(secret).key);
    const outcome = await outcomeOf(() => stripe.products.list({ limit: 1 }));
    switch (outcome.kind) {
      case 'done':
        return checkResult('works');
      case 'credential':
        return checkResult('refused');
      case 'refused':
        return checkResult('unavailable', { code: outcome.refusal.code, status: outcome.refusal.status });
      default:
        return checkResult('unavailable', { code: outcome.kind });
    }
  }
}
