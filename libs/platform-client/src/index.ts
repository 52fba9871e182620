export { RecentlyAccepted } from './recently-accepted.js';
export { GatewayClient } from './gateway-client.js';
export { GatewayClientConfig } from './gateway-client.config.js';
export { GatewayClientModule } from './gateway-client.module.js';
export type {
  ChannelCall,
  GatewayResult,
  NewVideo,
  PublishedVideo,
  UploadState,
  VideoChannel,
  VideoPart,
} from './gateway.types.js';
export { HttpGatewayClient } from './http-gateway-client.js';
export { HttpIdentityClient } from './http-identity-client.js';
export { IdentityClient } from './identity-client.js';
export { IdentityIsUnavailable, ServiceCredentialIsRefused } from './identity.errors.js';
export type {
  Credentials,
  PermissionPayload,
  RegisteredService,
  Registration,
  ValidatedCaller,
  ValidatedOrganization,
} from './identity.types.js';
export { PlatformClientConfig } from './platform-client.config.js';
export { ServiceSlugConfig } from './service-slug.config.js';
export { PlatformClientModule } from './platform-client.module.js';
