export { OutboundHttpConfig } from '#libs/outbound-http';
export { DeliverPost } from './commands/deliver-post.js';
export { ClaimProbes, ReleaseProbes } from './commands/network-probes.js';
export { DeletePreparations, ReclaimPreparation } from './commands/preparations.js';
export {
  type AttemptOnNetwork,
  type DeliveryContent,
  type DeliveryOutcome,
  MEDIA_NOT_FETCHED,
  MEDIA_UNREADABLE,
  type PublishedPost,
  type Reconciliation,
} from './domain/delivery-outcome.js';
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
export { type ConnectionChoice, FindPublishingConnections } from './queries/find-publishing-connections.js';
export {
  hasThreads,
  isPostId,
  preflightContent,
  renditionsOf,
  textLengthOf,
} from './queries/network-rules.js';
export { type DeliveryToReconcile, ReconcileDelivery } from './queries/reconcile-delivery.js';
