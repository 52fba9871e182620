import { Injectable } from '@nestjs/common';
import type { Instant } from '#libs/content';
import type { NetworkLimit } from '../domain/network-limits.js';
import type { Account } from '../domain/provider-publishing.js';
import { ProviderRegistry } from '../registry/provider-registry.js';
import { counterOf, keyOf } from './counters.js';
import { GrantedLimits } from './granted-limits.js';
import { NetworkUsageStore } from './network-usage.store.js';

export interface AccountLimit {
  readonly name: string;
  readonly scope: NetworkLimit['scope'];
  readonly counts: NetworkLimit['counts'];
  /** null: the network publishes no number and has stated none. */
  readonly max: number | null;
  readonly remaining: number | null;
  /** When used calls are given back, the first of them for a rolling limit; null: none is used. */
  readonly resetsAt: Instant | null;
}

interface AccountOfNetwork extends Account {
  readonly platform: string;
}

@Injectable()
export class AccountLimits {
  constructor(
    private readonly granted: GrantedLimits,
    private readonly usage: NetworkUsageStore,
    private readonly providers: ProviderRegistry,
  ) {}

  /** Reads the limits of each account, in their order, with one query; none without limits. */
  async of(accounts: readonly AccountOfNetwork[]): Promise<AccountLimit[][]> {
    const counters = accounts.map((account) =>
      this.granted
        .of(this.providers.publishing(account.platform), account)
        .map((limit) => counterOf(account.platform, account.accountId, limit)),
    );
    const all = new Map(counters.flat().map((counter) => [keyOf(counter), counter]));
    const levels = await this.usage.read([...all.values()]);
    return counters.map((ofAccount) =>
      ofAccount.map((counter) => {
        const { name, scope, counts, max } = counter.limit;
        const unused = { max, remaining: max, resetsAt: null };
        return { name, scope, counts, ...(levels.get(keyOf(counter)) ?? unused) };
      }),
    );
  }
}
