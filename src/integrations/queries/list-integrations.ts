import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import type { Caller } from '#libs/auth';
import { RequestQuery } from '#libs/messages';
import { ConnectionAccess } from '../connections/connection-access.js';
import type { Connection } from '../domain/connection.js';
import { PlatformHolds, type PlatformRefusal } from '../connections/platform-holds.store.js';
import { type ConnectionPage, ConnectionsStore } from '../connections/connections.store.js';
import { type GrantHealth, grantHealthOf } from '../domain/grant-health.js';
import { grantWarnings, type IntegrationWarning, refusalWarnings } from '../domain/integration-warnings.js';
import { IntegrationWarningsConfig } from '../integration-warnings.config.js';
import { type AccountLimit, AccountLimits } from '../limits/account-limits.js';
import type { Readiness } from '../provider.types.js';
import { ProviderReadiness, type ProviderStatus } from '../registry/provider-readiness.js';
import { ProviderRegistry } from '../registry/provider-registry.js';

export interface Integration extends Connection {
  readonly displayNameOfPlatform: string;
  readonly readiness: Readiness;
  readonly health: GrantHealth;
  readonly limits: readonly AccountLimit[];
  readonly warnings: readonly IntegrationWarning[];
}

/** A page: `limit` is one more than it shows, to detect a next page. */
interface ListOfIntegrations extends ConnectionPage {
  readonly caller: Caller;
  /** One brand only; else all in which the caller may see accounts. */
  readonly brandId?: string;
}

const DAY_MS = 86_400_000;

/** Connected accounts, oldest first. @throws BrandNotFound, ScopeIsMissing for a brand that is named. */
export class ListIntegrations extends RequestQuery<ListOfIntegrations, Integration[]> {}

@QueryHandler(ListIntegrations)
export class ListIntegrationsHandler implements IQueryHandler<ListIntegrations> {
  constructor(
    private readonly connections: ConnectionsStore,
    private readonly brands: ConnectionAccess,
    private readonly providers: ProviderRegistry,
    private readonly readiness: ProviderReadiness,
    private readonly limits: AccountLimits,
    private readonly holds: PlatformHolds,
    private readonly config: IntegrationWarningsConfig,
  ) {}

  async execute({ request: { caller, brandId, ...page } }: ListIntegrations): Promise<Integration[]> {
    const brandIds = await this.brands.brandsWith(caller, 'accounts.read', brandId);
    const connections = await this.connections.listOf(brandIds, page);
    const [limits, refusals] = await Promise.all([this.limits.of(connections), this.holds.refusals()]);
    return connections.map((each, index) =>
      this.shown(each, limits[index] ?? [], refusals.get(each.platform)),
    );
  }

  private shown(
    connection: Connection,
    limits: readonly AccountLimit[],
    refusal: PlatformRefusal | undefined,
  ): Integration {
    const provider = this.providers.publishing(connection.platform);
    const { displayName, renewal } = provider;
    const health = grantHealthOf(connection, renewal, this.config.grantDays * DAY_MS, connection.readAt);
    const warnings = [
      ...refusalWarnings(refusal),
      ...grantWarnings(displayName, health),
      ...this.readiness.versionOf(provider).warnings,
    ];
    const readiness = provider.connectedReadiness();
    return { ...connection, displayNameOfPlatform: displayName, readiness, health, limits, warnings };
  }
}

/** Every network and how far it can be used here just now. */
export class ListProviders extends Query<ProviderStatus[]> {}

@QueryHandler(ListProviders)
export class ListProvidersHandler implements IQueryHandler<ListProviders> {
  constructor(private readonly readiness: ProviderReadiness) {}

  execute(): Promise<ProviderStatus[]> {
    return this.readiness.all();
  }
}
