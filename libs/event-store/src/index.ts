export { type Aggregate, fold } from './aggregate.js';
export type { AppendRequest, Expectation, HeldRow } from './append-request.js';
export { BEGINNING, compareCursors, type Cursor } from './cursor.js';
export type { DomainEvent, EventActor, EventMetadata, RecordedEvent } from './domain-event.js';
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
export { retryOnConflict } from './retry.js';
export { Stream } from './stream.js';
export type { Changed, ChangeOptions, FollowUp, Loaded, StreamChange } from './stream-change.js';
export { TableView } from './table-view.js';
export { type ViewColumn, viewTable } from './view-table.js';
