import { Inject, Injectable } from '@nestjs/common';
import type { Platform } from '#libs/content';
import { PlatformNotFound, ProviderIsNotConnectable } from '../domain/integration.errors.js';
import { isPlatform } from '../networks.js';
import type { Provider, PublishingProvider } from '../provider.types.js';

export const PROVIDERS = Symbol('providers of all networks');

@Injectable()
export class ProviderRegistry {
  private readonly byPlatform: ReadonlyMap<Platform, Provider | PublishingProvider>;

  constructor(@Inject(PROVIDERS) providers: readonly (Provider | PublishingProvider)[]) {
    this.byPlatform = new Map(providers.map((provider) => [provider.platform, provider]));
  }

  all(): (Provider | PublishingProvider)[] {
    return [...this.byPlatform.values()];
  }

  /** Those whose accounts may be connected. */
  connected(): PublishingProvider[] {
    return this.all().filter(publishes);
  }

  /** @throws PlatformNotFound for a name that is no network. */
  of(platform: string): Provider | PublishingProvider {
    const provider = isPlatform(platform) ? this.byPlatform.get(platform) : undefined;
    if (!provider) throw new PlatformNotFound();
    return provider;
  }

  /** For accounts that are already connected: these go on working whatever the readiness of new connections. */
  publishing(platform: string): PublishingProvider {
    const provider = this.of(platform);
    if (!publishes(provider)) throw new ProviderIsNotConnectable(provider.displayName, provider.readiness());
    return provider;
  }
}

export function publishes(provider: Provider | PublishingProvider): provider is PublishingProvider {
  return provider.readiness() !== 'planned' && 'commit' in provider;
}
