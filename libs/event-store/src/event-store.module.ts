import { Global, Module, type OnModuleInit } from '@nestjs/common';
import { DiscoveryModule, DiscoveryService } from '@nestjs/core';
import { Database } from '#libs/database';
import { declaredReactions, declaredViews } from './declared.js';
import { EventStore } from './event-store.js';
import { refuseForeignLog } from './maintenance/foreign-log.js';
import { Reactions } from './reactions/reactions.js';
import { Projections } from './rebuild/projections.js';

const projections = {
  provide: Projections,
  inject: [Database, EventStore, Reactions, DiscoveryService],
  useFactory: (
    database: Database,
    store: EventStore,
    reactions: Reactions,
    discovery: DiscoveryService,
  ): Projections => new Projections(database, store, reactions, () => declaredViews(discovery)),
};

/**
 * The event log of this process's database. Global. Collects the streams and reactions among the providers of all modules.
 * Throws at start if the log is from another cluster.
 */
@Global()
@Module({
  imports: [DiscoveryModule],
  providers: [EventStore, Reactions, projections],
  exports: [EventStore, Reactions, Projections],
})
export class EventStoreModule implements OnModuleInit {
  constructor(
    private readonly database: Database,
    private readonly reactions: Reactions,
    private readonly discovery: DiscoveryService,
  ) {}

  onModuleInit(): Promise<void> {
    for (const reaction of declaredReactions(this.discovery)) this.reactions.register(reaction);
    return refuseForeignLog(this.database);
  }
}
