export { type Aggregate, fold } from './aggregate.js';
export type { AppendRequest, Expectation, HeldRow } from './append-request.js';
export {
  BEGINNING,
  compareCursors,
  type Cursor,
  type DomainEvent,
  type EventActor,
  type EventMetadata,
  type RecordedEvent,
} from './domain-event.js';
export {
  AppendIsNotFirstWrite,
  StreamHasMoved,
  StreamNotFound,
  VersionIsStale,
} from './event-store.errors.js';
export { ReactsToEvents } from './declared.js';
export { EventStore } from './event-store.js';
export { EventStoreModule } from './event-store.module.js';
export type { InlineView, ViewRow } from './inline-view.js';
export { LogIsFromAnotherCluster, refuseForeignLog } from './maintenance/foreign-log.js';
export { oldestWritingTransactions, type WritingTransaction } from './maintenance/writing-transactions.js';
export { renumberLog } from './maintenance/renumber.js';
export { eventStoreMigrations } from './migrations/index.js';
export type { Reaction, ReactionOptions } from './reactions/reaction.js';
export { Reactions } from './reactions/reactions.js';
export { Projections, type Rebuilt } from './rebuild/projections.js';
export {
  type Changed,
  type ChangeOptions,
  type FollowUp,
  type Loaded,
  retryOnConflict,
  type StreamChange,
} from './stream-change.js';
export { Stream } from './stream.js';
export { TableView, type ViewColumn, viewTable } from './table-view.js';
