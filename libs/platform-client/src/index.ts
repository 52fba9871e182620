export { AiClient, isStillRunning } from './ai-client.js';
export type {
  AiAttempt,
  AiClientCall,
  AiResult,
  CompletionResult,
  ImageRequest,
  ImagesResult,
} from './ai.types.js';
export {
  type EmailCall,
  EmailClient,
  type EmailResult,
  type NewEmail,
  type SentEmail,
} from './email-client.js';
export { GatewayClient } from './gateway-client.js';
export { GatewayConnection } from './gateway-connection.js';
export { GatewayClientModule } from './gateway-client.module.js';
export type { ChannelCall, GatewayResult, NewVideo, UploadState, VideoChannel } from './gateway.types.js';
export { PaymentsClient } from './payments-client.js';
export type { PaymentsCall, PaymentsResult } from './payments.types.js';
export { HttpIdentityClient } from './http-identity-client.js';
export { IdentityClient, IdentityIsUnavailable, ServiceCredentialIsRefused } from './identity-client.js';
export {
  API_KEY_PREFIX,
  type ClaimedAttribution,
  type Credentials,
  MAX_VALIDATIONS,
  type PermissionPayload,
  type RegisteredService,
  type Registration,
  type ValidatedCaller,
  type ValidatedOrganization,
  type VerifiedAttribution,
} from './identity.types.js';
export { PlatformClientConfig } from './platform-client.config.js';
export { BUSINESS_API_SLUG } from './gateway-client.config.js';
export { PlatformClientModule } from './platform-client.module.js';
