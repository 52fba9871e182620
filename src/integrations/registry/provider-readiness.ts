import type { OnApplicationBootstrap } from '@nestjs/common';
import { Injectable } from '@nestjs/common';
import type { Platform } from '#libs/content';
import { PlatformHolds } from '../connections/platform-holds.store.js';
import { ProviderIsNotConnectable } from '../domain/integration.errors.js';
import type { PublishingProvider, Readiness } from '../provider.js';
import { ProviderRegistry, publishes } from './provider-registry.js';

export interface ProviderStatus {
  readonly platform: Platform;
  readonly displayName: string;
  readonly readiness: Readiness;
  readonly connectable: boolean;
}

/** How far each network can be used just now: as configured, unless the network itself refuses this service. */
@Injectable()
export class ProviderReadiness implements OnApplicationBootstrap {
  constructor(
    private readonly registry: ProviderRegistry,
    private readonly holds: PlatformHolds,
  ) {}

  /** A hold under former credentials does not apply to new ones. */
  async onApplicationBootstrap(): Promise<void> {
    for (const provider of this.registry.connected())
      await this.holds.startAs(provider.platform, provider.setup());
  }

  async all(): Promise<ProviderStatus[]> {
    const held = await this.holds.held();
    return this.registry.all().map((provider) => {
      const configured = provider.readiness();
      const readiness = publishes(provider) && held.has(provider.platform) ? 'setup-required' : configured;
      const connectable = readiness !== 'planned' && readiness !== 'setup-required';
      return { platform: provider.platform, displayName: provider.displayName, readiness, connectable };
    });
  }

  /**
   * For connecting new accounts.
   * @throws PlatformNotFound, and ProviderIsNotConnectable when it is planned, not set up, or refuses this service.
   */
  async connectable(platform: string): Promise<PublishingProvider> {
    const provider = this.registry.of(platform);
    const status = (await this.all()).find((each) => each.platform === platform);
    if (!publishes(provider) || !status?.connectable)
      throw new ProviderIsNotConnectable(provider.displayName, status?.readiness ?? 'planned');
    return provider;
  }
}
