export { ClaimProbes } from './commands/claim-probes.js';
export { DeliverPost } from './commands/deliver-post.js';
export { GiveProbesBack } from './commands/give-probes-back.js';
export type { AttemptAtNetwork } from './outages/network-watch.js';
export type {
  AttemptOnNetwork,
  DeliveryContent,
  DeliveryOutcome,
  PublishedPost,
  Reconciliation,
} from './domain/delivery-outcome.js';
export { PLATFORMS } from './networks.js';
export { OutboundHttpConfig } from '#libs/outbound-http';
export { ForgetPreparations } from './commands/forget-preparations.js';
export { TakeBackPreparation } from './commands/take-back-preparation.js';
export { FindBrandsOfSameAccounts } from './queries/find-brands-of-same-accounts.js';
export type { Account } from './domain/provider-publishing.js';
export { FindConnectionsOfSameAccount } from './queries/find-connections-of-same-account.js';
export { FindPublishingConnections } from './queries/find-publishing-connections.js';
export type { ConnectionChoice } from './queries/find-publishing-connections.js';
export { GetConnectionAccounts } from './queries/get-connection-accounts.js';
export { IsConnectionOfBrand } from './queries/is-connection-of-brand.js';
export { isPostId } from './queries/is-post-id.js';
export type { ContentToCheck, TextLength } from './provider.js';
export { hasThreads, textLengthOf } from './queries/network-facts.js';
export { preflightContent } from './queries/preflight-content.js';
export { renditionsOf } from './queries/renditions-of.js';
export { MEDIA_NOT_FETCHED, MEDIA_UNREADABLE } from './domain/media-unreadable.js';
export { AreFilesReadable } from './queries/are-files-readable.js';
export { ReconcileDelivery } from './queries/reconcile-delivery.js';
export type { DeliveryToReconcile } from './queries/reconcile-delivery.js';
