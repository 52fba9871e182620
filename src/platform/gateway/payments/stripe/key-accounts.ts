import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Clock } from '#libs/clock';
import { ExpiringMap } from '#libs/concurrency';
import {
  checkResult,
  type CheckResult,
  CredentialChecks,
} from '../../credentials/checks/credential-check.js';
import { keyDigest } from '../../credentials/key-digest.js';
import { readKeyedSecret } from '../../credentials/secrets.js';
import { type Outcome, outcomeOf } from './outcome.js';
import type { PaymentCredential } from './payment-credentials.js';
import { StripeClients } from './stripe-http.js';

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

/** A key belongs to one account for ever. What it may read can change at the provider. */
const TTL_MS = 3_600_000;
/** With two calls, within the lease of an operation. */
const TIMEOUT_MS = 10_000;
const MODE = /^(?:sk|rk)_(live|test)_/;

/** `hidden`: the key may not read its account. */
export type KeyAccount =
  { readonly kind: 'known'; readonly account: string } | { readonly kind: 'hidden' } | Unread;

interface Unread {
  readonly kind: 'unread';
  readonly outcome: Exclude<Outcome<never>, { readonly kind: 'done' | 'refused' }>;
}

/** The accounts of keys, by `GET /v1/account`: once an hour for each key and process. */
@Injectable()
export class KeyAccounts {
  private readonly known: ExpiringMap<Exclude<KeyAccount, Unread>>;

  constructor(
    private readonly clients: StripeClients,
    private readonly clock: Clock,
  ) {
    this.known = new ExpiringMap(TTL_MS, () => clock.monotonic());
  }

  /** With the mode of the key: an account has separate objects and results of keys in live and in test mode. Never rejects. */
  async of(credential: Pick<PaymentCredential, 'id' | 'key'>): Promise<KeyAccount> {
    const digest = keyDigest(credential);
    const known = this.known.get(digest);
    if (known) return known;
    const at = this.clock.monotonic();
    const read = await this.read(credential.key);
    if (read.kind !== 'unread') this.known.set(digest, read, at);
    return read;
  }

  private async read(key: string): Promise<KeyAccount> {
    const mode = MODE.exec(key)?.[1];
    if (mode === undefined) return { kind: 'hidden' };
    const stripe = this.clients.for(key);
    const outcome = await outcomeOf(() => stripe.accounts.retrieveCurrent({}, { timeout: TIMEOUT_MS }));
    if (outcome.kind === 'done') return { kind: 'known', account: `${outcome.value.id}/${mode}` };
    if (outcome.kind === 'refused') return { kind: 'hidden' };
    if (outcome.kind === 'credential' && outcome.status === 403) return { kind: 'hidden' };
    return { kind: 'unread', outcome };
  }
}
