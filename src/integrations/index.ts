export { OutboundHttpConfig } from '#libs/outbound-http';
export { DeliverPost } from './commands/deliver-post.js';
export { ClaimProbes, ReleaseProbes } from './commands/network-probes.js';
export { DeletePreparations, ReclaimPreparation } from './commands/preparations.js';
export type {
  AttemptOnNetwork,
  DeliveryContent,
  DeliveryOutcome,
  PublishedPost,
  Reconciliation,
} from './domain/delivery-outcome.js';
export { MEDIA_NOT_FETCHED, MEDIA_UNREADABLE } from './domain/delivery-outcome.js';
export type { Account } from './domain/provider-publishing.js';
export { PLATFORMS } from './networks.js';
export type { AttemptAtNetwork } from './outages/network-watch.js';
export type { ContentToCheck, TextLength } from './provider.types.js';
export { AreFilesReadable } from './queries/are-files-readable.js';
export {
  FindBrandsOfSameAccounts,
  FindConnectionsOfSameAccount,
  GetConnectionAccounts,
  IsConnectionOfBrand,
} from './queries/connection-lookups.js';
export { FindPublishingConnections } from './queries/find-publishing-connections.js';
export type { ConnectionChoice } from './queries/find-publishing-connections.js';
export {
  hasThreads,
  isPostId,
  preflightContent,
  renditionsOf,
  textLengthOf,
} from './queries/network-rules.js';
export { ReconcileDelivery } from './queries/reconcile-delivery.js';
export type { DeliveryToReconcile } from './queries/reconcile-delivery.js';
