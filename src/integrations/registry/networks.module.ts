import type { Platform } from '#libs/content';
import type { Provider, Readiness, PublishingProvider } from '../provider.types.js';
import { type DynamicModule, Module } from '@nestjs/common';
import { NETWORKS } from '../networks.js';
import { PROVIDERS, ProviderRegistry } from './provider-registry.js';

/** A network whose posts can be drafted, but whose accounts cannot be connected yet. */
class PlannedProvider implements Provider {
  constructor(
    readonly platform: Platform,
    readonly displayName: string,
  ) {}

  readiness(): Readiness {
    return 'planned';
  }
}

/** The provider of every network that is registered when the service starts. */
@Module({})
export class NetworksModule {
  static forRoot(): DynamicModule {
    const connectors = NETWORKS.flatMap(({ connector }) => connector ?? []);
    return {
      module: NetworksModule,
      imports: connectors.map(({ module }) => module),
      providers: [
        {
          provide: PROVIDERS,
          useFactory: (...connected: PublishingProvider[]) => inOrder(connected),
          inject: connectors.map(({ provider }) => provider),
        },
        ProviderRegistry,
      ],
      exports: [ProviderRegistry],
    };
  }
}

const inOrder = (connected: readonly PublishingProvider[]) =>
  NETWORKS.flatMap(({ platform, displayName, connector }): readonly Provider[] =>
    connector
      ? connected.filter((provider) => provider instanceof connector.provider)
      : [new PlannedProvider(platform, displayName)],
  );
