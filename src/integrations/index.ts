export { DeliverPost } from './commands/deliver-post.js';
export type { Delivery } from './commands/deliver-post.js';
export { RefreshConnection } from './commands/refresh-connection.js';
export type { RefreshResult } from './commands/refresh-connection.js';
export type { ConnectionEvent } from './connection.events.js';
export type {
  DeliveryContent,
  DeliveryFailure,
  DeliveryOutcome,
  FailureClass,
  Finding,
  PublishedPost,
  Reconciliation,
} from './delivery.js';
export { isPlatform, PLATFORMS } from './platforms.js';
export type { Platform } from './platforms.js';
export { FindBrandsOfSameAccounts } from './queries/find-brands-of-same-accounts.js';
export { FindPublishingConnections } from './queries/find-publishing-connections.js';
export type { ConnectionChoice, ConnectionRequest } from './queries/find-publishing-connections.js';
export { GetConnectionAccounts } from './queries/get-connection-accounts.js';
export { IsPostId } from './queries/is-post-id.js';
export { PreflightContent } from './queries/preflight-content.js';
export type { ContentToCheck } from './queries/preflight-content.js';
export { ReconcileDelivery } from './queries/reconcile-delivery.js';
export type { DeliveryToReconcile } from './queries/reconcile-delivery.js';
