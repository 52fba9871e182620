import type { OnModuleInit } from '@nestjs/common';
import { Global, Module } from '@nestjs/common';
import { Database } from '#libs/database';
import { EventStore } from './event-store.js';
import { refuseForeignLog } from './maintenance/foreign-log.js';
import { Reactions } from './reactions/reactions.js';
import { Projections } from './rebuild/projections.js';

/** The event log of this process's database. Global. Throws at start if the log is from another cluster. */
@Global()
@Module({ providers: [EventStore, Reactions, Projections], exports: [EventStore, Reactions, Projections] })
export class EventStoreModule implements OnModuleInit {
  constructor(private readonly database: Database) {}

  onModuleInit(): Promise<void> {
    return refuseForeignLog(this.database);
  }
}
