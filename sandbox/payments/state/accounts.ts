import type { Journal } from '../../ledger/journal.js';
import { Records } from '../../networks/kit/state/records.js';
import type { Call } from '../../wire/call.js';
import { newId } from './objects.js';

/** An account at the payment provider. Its objects are visible to its own keys only. */
export interface PaymentAccount {
  readonly id: string;
  readonly name: string;
  readonly secretKeys: readonly string[];
  /** Those of `secretKeys` that may not read the account. */
  readonly restrictedKeys?: readonly string[];
}

export class PaymentAccounts extends Records<PaymentAccount> {
  constructor(
    journal: Pick<Journal, 'append'>,
    private readonly firstKey: string,
  ) {
    super(journal, 'payments.account');
  }

  /** The account of the configured key. */
  seed(): PaymentAccount {
    return (
      this.byKey(this.firstKey) ??
      this.keep({ id: newId('acct', 16), name: 'platform', secretKeys: [this.firstKey] })
    );
  }

  open(name: string): PaymentAccount {
    return this.keep({ id: newId('acct', 16), name, secretKeys: [newId('sk_test', 32)] });
  }

  /** The new key is the first. @param keepOld whether former keys still work */
  roll(
    account: PaymentAccount,
    { keepOld, isRestricted }: { readonly keepOld: boolean; readonly isRestricted: boolean },
  ): PaymentAccount {
    const key = newId(isRestricted ? 'rk_test' : 'sk_test', 32);
    const former = keepOld ? account.secretKeys : [];
    const restrictedKeys = [...(isRestricted ? [key] : []), ...(account.restrictedKeys ?? [])];
    return this.keep({ ...account, secretKeys: [key, ...former], restrictedKeys });
  }

  byKey(key: string): PaymentAccount | undefined {
    return [...this.all].find(({ secretKeys }) => secretKeys.includes(key));
  }
}

/** As a bearer token, or as the user name of Basic. */
export function secretKeyIn(call: Call): string | null {
  const basic = /^Basic +(\S+) *$/i.exec(call.headers.authorization ?? '')?.[1];
  if (basic === undefined) return call.bearerToken;
  return Buffer.from(basic, 'base64').toString('utf8').split(':', 1)[0] ?? null;
}
