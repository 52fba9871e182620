import type { IQueryHandler } from '@nestjs/cqrs';
import { Query, QueryHandler } from '@nestjs/cqrs';
import { ProviderReadiness } from '../registry/provider-readiness.js';
import type { ProviderStatus } from '../registry/provider-readiness.js';

/** Every network and how far it can be used here just now. */
export class ListProviders extends Query<ProviderStatus[]> {}

@QueryHandler(ListProviders)
export class ListProvidersHandler implements IQueryHandler<ListProviders> {
  constructor(private readonly readiness: ProviderReadiness) {}

  execute(): Promise<ProviderStatus[]> {
    return this.readiness.all();
  }
}
