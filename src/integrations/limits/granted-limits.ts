import { Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import type { NetworkLimit } from '../domain/network-limits.js';
import type { Account } from '../domain/provider-publishing.js';
import type { PublishingProvider } from '../provider.types.js';
import { ProviderRegistry } from '../registry/provider-registry.js';
import { NetworkLimitsConfig } from './network-limits.config.js';

type Limiting = Pick<PublishingProvider, 'platform' | 'limits'>;

const ANY_ACCOUNT: Account = { accountId: '', username: '', facts: {} };

@Injectable()
export class GrantedLimits implements OnApplicationBootstrap {
  private readonly logger = new Logger(GrantedLimits.name);
  /** By platform and name. */
  private readonly granted: ReadonlyMap<string, number>;

  constructor(
    { granted }: NetworkLimitsConfig,
    private readonly providers: ProviderRegistry,
  ) {
    const entries = granted.split(',').flatMap((entry) => (entry ? [entry.split('=')] : []));
    this.granted = new Map(entries.map(([name = '', max]) => [name, Number(max)]));
  }

  /** A misspelt name, or one of a limit in percent, changes nothing; the log says so. */
  onApplicationBootstrap(): void {
    const known = this.providers.connected().flatMap(namesOf);
    const unknown = [...this.granted.keys()].filter((name) => !known.includes(name));
    if (unknown.length > 0)
      this.logger.warn(
        `NETWORK_LIMITS names limits of which no network grants a number: ${unknown.join(', ')}.`,
      );
  }

  of(provider: Limiting, account: Account): readonly NetworkLimit[] {
    const limits = provider.limits(account);
    if (this.granted.size === 0) return limits;
    return limits.map((limit) =>
      isGrantable(limit) ? { ...limit, max: this.maxOf(provider.platform, limit) } : limit,
    );
  }

  private maxOf(platform: string, { name, max }: NetworkLimit): number | null {
    return this.granted.get(`${platform}/${name}`) ?? this.granted.get(`${platform}/*`) ?? max;
  }
}

/** A maximum of calls in place of percent would be compared with percent. */
const isGrantable = ({ isPercent }: NetworkLimit): boolean => isPercent !== true;

function namesOf(provider: Limiting): string[] {
  const names = provider
    .limits(ANY_ACCOUNT)
    .filter(isGrantable)
    .map(({ name }) => name);
  return names.length > 0 ? ['*', ...names].map((name) => `${provider.platform}/${name}`) : [];
}
