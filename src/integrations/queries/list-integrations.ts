import type { IQueryHandler } from '@nestjs/cqrs';
import { Query, QueryHandler } from '@nestjs/cqrs';
import type { Caller } from '#libs/auth';
import { ConnectionAccess } from '../connections/connection-access.js';
import type { Connection } from '../domain/connection.js';
import { ConnectionsStore } from '../connections/connections.store.js';
import type { Readiness } from '../provider.js';
import { ProviderRegistry } from '../registry/provider-registry.js';

export interface Integration extends Connection {
  readonly displayNameOfPlatform: string;
  readonly readiness: Readiness;
}

export interface ListOfIntegrations {
  readonly caller: Caller;
  /** One brand only; else all in which the caller may see accounts. */
  readonly brandId?: string;
  readonly after: string | null;
  /** One more than the page shows, to detect a next page. */
  readonly limit: number;
}

/** Connected accounts, oldest first. @throws BrandNotFound, ScopeIsMissing for a brand that is named. */
export class ListIntegrations extends Query<Integration[]> {
  constructor(readonly request: ListOfIntegrations) {
    super();
  }
}

@QueryHandler(ListIntegrations)
export class ListIntegrationsHandler implements IQueryHandler<ListIntegrations> {
  constructor(
    private readonly connections: ConnectionsStore,
    private readonly brands: ConnectionAccess,
    private readonly providers: ProviderRegistry,
  ) {}

  async execute({ request: list }: ListIntegrations): Promise<Integration[]> {
    const brandIds = await this.brands.brandsWith(list.caller, 'accounts.read', list.brandId);
    const connections = await this.connections.listOf(brandIds, list.after, list.limit);
    return connections.map((connection) => {
      const provider = this.providers.publishing(connection.platform);
      return {
        ...connection,
        displayNameOfPlatform: provider.displayName,
        readiness: provider.connectedReadiness(),
      };
    });
  }
}
