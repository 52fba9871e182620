import type { DynamicModule, Provider, Type } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { provideConfig } from '#libs/config';
import { AccessTokens } from './tokens/access-tokens.js';
import { DeletePreparationsHandler, ReclaimPreparationHandler } from './commands/preparations.js';
import { ClaimProbesHandler, ReleaseProbesHandler } from './commands/network-probes.js';
import { FileAddresses } from './preparations/file-addresses.js';
import { PreparePost } from './preparations/prepare-post.js';
import { PreparationsStore } from './preparations/preparations.store.js';
import { DeliverPostHandler } from './commands/deliver-post.js';
import { ConnectionRefreshClient } from './tokens/connection-refresh.client.js';
import { ConnectionLog } from './connections/connection-log.js';
import { ConnectionsStore } from './connections/connections.store.js';
import { PlatformHolds } from './connections/platform-holds.store.js';
import { DeliveryPaceConfig } from './commands/delivery-pace.config.js';
import { DeliveryHolds } from './commands/delivery-holds.js';
import { DeliveryPace } from './commands/delivery-pace.js';
import { EncryptionConfig } from './encryption/encryption.config.js';
import { SecretBox } from './encryption/secret-box.js';
import { IntegrationWarningsConfig } from './integration-warnings.config.js';
import { IntegrationsConfig } from './integrations.config.js';
import { GrantedLimits } from './limits/granted-limits.js';
import { NetworkLimitsConfig } from './limits/network-limits.config.js';
import { NetworkLimits } from './limits/network-limits.js';
import { NetworkUsageStore } from './limits/network-usage.store.js';
import { UsageQueue } from './limits/usage-queue.js';
import { NetworkOutageConfig } from './outages/network-outage.config.js';
import { NetworkOutages } from './outages/network-outages.store.js';
import { NetworkWatch } from './outages/network-watch.js';
import { NetworkAccessModule } from './providers/network-access.module.js';
import { NetworksModule } from './registry/networks.module.js';
import {
  FindBrandsOfSameAccountsHandler,
  FindConnectionsOfSameAccountHandler,
  GetConnectionAccountsHandler,
  IsConnectionOfBrandHandler,
} from './queries/connection-lookups.js';
import { FindPublishingConnectionsHandler } from './queries/find-publishing-connections.js';
import { AreFilesReadableHandler } from './queries/are-files-readable.js';
import { ReconcileDeliveryHandler } from './queries/reconcile-delivery.js';
import { EndedGrants } from './tokens/ended-grants.js';
import { TokensStore } from './tokens/tokens.store.js';

const configs = [
  IntegrationsConfig,
  EncryptionConfig,
  DeliveryPaceConfig,
  NetworkLimitsConfig,
  IntegrationWarningsConfig,
  NetworkOutageConfig,
].map((config) => provideConfig<object>(config));

/** Networks are those that are registered when a service starts. */
export const sharedImports = (): (DynamicModule | Type)[] => [
  CqrsModule,
  NetworkAccessModule,
  NetworksModule.forRoot(),
];

/** What the API and the worker both need: the messages of the public entry and their handlers. */
export const sharedProviders: Provider[] = [
  ...configs,
  SecretBox,
  ConnectionsStore,
  PlatformHolds,
  TokensStore,
  DeliveryPace,
  DeliveryHolds,
  FileAddresses,
  AreFilesReadableHandler,
  NetworkOutages,
  NetworkWatch,
  ConnectionLog,
  EndedGrants,
  AccessTokens,
  FindPublishingConnectionsHandler,
  GetConnectionAccountsHandler,
  FindBrandsOfSameAccountsHandler,
  FindConnectionsOfSameAccountHandler,
  IsConnectionOfBrandHandler,
  NetworkUsageStore,
  GrantedLimits,
  UsageQueue,
  NetworkLimits,
  PreparationsStore,
  PreparePost,
  DeliverPostHandler,
  ReclaimPreparationHandler,
  ClaimProbesHandler,
  ReleaseProbesHandler,
  DeletePreparationsHandler,
  ReconcileDeliveryHandler,
  ConnectionRefreshClient,
];
