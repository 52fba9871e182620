import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { Clock } from '#libs/clock';
import type { Platform } from '#libs/content';
import { PlatformHolds } from '../connections/platform-holds.store.js';
import { ProviderIsNotConnectable } from '../domain/integration.errors.js';
import { type IntegrationWarning, refusalWarnings, versionWarnings } from '../domain/integration-warnings.js';
import type { ApiVersion } from '../domain/network-limits.js';
import { IntegrationWarningsConfig } from '../integration-warnings.config.js';
import type { Provider, PublishingProvider, Readiness } from '../provider.types.js';
import { ProviderRegistry, publishes } from './provider-registry.js';

const DAY_MS = 86_400_000;

export interface ProviderStatus {
  readonly platform: Platform;
  readonly displayName: string;
  readonly readiness: Readiness;
  readonly connectable: boolean;
  /** null: the network has no versions, or is planned. */
  readonly apiVersion: ApiVersion | null;
  readonly warnings: readonly IntegrationWarning[];
}

/** How far each network can be used just now: as configured, unless the network itself refuses this service. */
@Injectable()
export class ProviderReadiness implements OnApplicationBootstrap {
  constructor(
    private readonly registry: ProviderRegistry,
    private readonly holds: PlatformHolds,
    private readonly clock: Clock,
    private readonly config: IntegrationWarningsConfig,
  ) {}

  /** A hold under former credentials does not apply to new ones. */
  async onApplicationBootstrap(): Promise<void> {
    for (const provider of this.registry.connected())
      await this.holds.startAs(provider.platform, provider.setup());
  }

  async all(): Promise<ProviderStatus[]> {
    const [held, refusals] = await Promise.all([this.holds.held(), this.holds.refusals()]);
    const isRefused = (platform: Platform) => held.has(platform) || refusals.get(platform)?.isRecent === true;
    return this.registry.all().map((provider) => {
      const configured = provider.readiness();
      const readiness = publishes(provider) && isRefused(provider.platform) ? 'setup-required' : configured;
      const connectable = readiness !== 'planned' && readiness !== 'setup-required';
      const { platform, displayName } = provider;
      const { apiVersion, warnings: ofVersion } = this.versionOf(provider);
      const warnings = [...refusalWarnings(refusals.get(platform)), ...ofVersion];
      return { platform, displayName, readiness, connectable, apiVersion, warnings };
    });
  }

  /** The version of the interface that this service calls, and whether the network ends it soon. */
  versionOf(provider: Provider | PublishingProvider): Pick<ProviderStatus, 'apiVersion' | 'warnings'> {
    const apiVersion = publishes(provider) ? provider.apiVersion() : null;
    const aheadMs = this.config.apiVersionDays * DAY_MS;
    const warnings = versionWarnings(provider.displayName, apiVersion, aheadMs, this.clock.now());
    return { apiVersion, warnings };
  }

  /** For connecting new accounts. @throws PlatformNotFound, ProviderIsNotConnectable */
  async connectable(platform: string): Promise<PublishingProvider> {
    const provider = this.registry.of(platform);
    const status = (await this.all()).find((each) => each.platform === platform);
    if (!publishes(provider) || !status?.connectable)
      throw new ProviderIsNotConnectable(provider.displayName, status?.readiness ?? 'planned');
    return provider;
  }
}
