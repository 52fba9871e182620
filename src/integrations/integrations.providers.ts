import type { Provider } from '@nestjs/common';
import { Clock, SystemClock } from '#libs/clock';
import { provideConfig } from '#libs/config';
import { AccessTokens } from './tokens/access-tokens.js';
import { DeliverPostHandler } from './commands/deliver-post.js';
import { RefreshConnectionHandler } from './commands/refresh-connection.js';
import { ConnectionLog } from './connections/connection-log.js';
import { ConnectionsStore } from './connections/connections.store.js';
import { PlatformHolds } from './connections/platform-holds.store.js';
import { DeliveryPaceConfig } from './commands/delivery-pace.config.js';
import { DeliveryPace } from './commands/delivery-pace.js';
import { EncryptionConfig } from './encryption/encryption.config.js';
import { SecretBox } from './encryption/secret-box.js';
import { IntegrationsConfig } from './integrations.config.js';
import { OutboundHttp } from './outbound/outbound-http.js';
import { OutboundHttpConfig } from './outbound/outbound-http.config.js';
import { PLANNED_PROVIDERS } from './providers/planned-provider.js';
import { PROVIDERS, ProviderRegistry } from './providers/provider-registry.js';
import { XApi } from './providers/x/x-api.js';
import { XOAuth } from './providers/x/x-oauth.js';
import { XProfile } from './providers/x/x-profile.js';
import { XTimeline } from './providers/x/x-timeline.js';
import { XConfig } from './providers/x/x.config.js';
import { XProvider } from './providers/x/x.provider.js';
import { FindBrandsOfSameAccountsHandler } from './queries/find-brands-of-same-accounts.js';
import { FindConnectionsOfSameAccountHandler } from './queries/find-connections-of-same-account.js';
import { FindPublishingConnectionsHandler } from './queries/find-publishing-connections.js';
import { GetConnectionAccountsHandler } from './queries/get-connection-accounts.js';
import { IsConnectionOfBrandHandler } from './queries/is-connection-of-brand.js';
import { IsPostIdHandler } from './queries/is-post-id.js';
import { PreflightContentHandler } from './queries/preflight-content.js';
import { ReconcileDeliveryHandler } from './queries/reconcile-delivery.js';
import { EndedGrants } from './tokens/ended-grants.js';
import { TokensStore } from './tokens/tokens.store.js';

const configs = [IntegrationsConfig, EncryptionConfig, OutboundHttpConfig, DeliveryPaceConfig, XConfig].map(
  (config) => provideConfig<object>(config),
);

const networks: Provider[] = [
  XOAuth,
  XApi,
  XProfile,
  XTimeline,
  XProvider,
  { provide: PROVIDERS, useFactory: (x: XProvider) => [x, ...PLANNED_PROVIDERS], inject: [XProvider] },
  ProviderRegistry,
];

/** What the API and the worker both need: the messages of the door and what answers them. */
export const sharedProviders: Provider[] = [
  { provide: Clock, useClass: SystemClock },
  ...configs,
  ...networks,
  OutboundHttp,
  SecretBox,
  ConnectionsStore,
  PlatformHolds,
  TokensStore,
  DeliveryPace,
  ConnectionLog,
  EndedGrants,
  AccessTokens,
  PreflightContentHandler,
  FindPublishingConnectionsHandler,
  GetConnectionAccountsHandler,
  FindBrandsOfSameAccountsHandler,
  FindConnectionsOfSameAccountHandler,
  IsConnectionOfBrandHandler,
  IsPostIdHandler,
  DeliverPostHandler,
  ReconcileDeliveryHandler,
  RefreshConnectionHandler,
];
