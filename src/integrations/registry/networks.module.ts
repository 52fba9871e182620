import type { DynamicModule } from '@nestjs/common';
import { Module } from '@nestjs/common';
import { NETWORKS } from '../networks.js';
import type { Provider, PublishingProvider } from '../provider.js';
import { PlannedProvider } from './planned-provider.js';
import { PROVIDERS, ProviderRegistry } from './provider-registry.js';

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
