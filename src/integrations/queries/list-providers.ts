import type { IQueryHandler } from '@nestjs/cqrs';
import { Query, QueryHandler } from '@nestjs/cqrs';
import type { Platform } from '../platforms.js';
import type { Readiness } from '../provider.js';
import { ProviderRegistry } from '../providers/provider-registry.js';

export interface ProviderStatus {
  readonly platform: Platform;
  readonly displayName: string;
  readonly readiness: Readiness;
  readonly connectable: boolean;
}

/** Every network and how far it can be used here. */
export class ListProviders extends Query<ProviderStatus[]> {}

@QueryHandler(ListProviders)
export class ListProvidersHandler implements IQueryHandler<ListProviders> {
  constructor(private readonly providers: ProviderRegistry) {}

  execute(): Promise<ProviderStatus[]> {
    const statuses = this.providers.all().map((provider) => {
      const readiness = provider.readiness();
      const connectable = readiness !== 'planned' && readiness !== 'setup-required';
      return { platform: provider.platform, displayName: provider.displayName, readiness, connectable };
    });
    return Promise.resolve(statuses);
  }
}
