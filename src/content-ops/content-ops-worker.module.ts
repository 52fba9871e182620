import { Module } from '@nestjs/common';
import { Reactions } from '#libs/event-store';
import { CountActivityWhenContentChanges } from './daily/count-activity-when-content-changes.reaction.js';
import { RecordAnAuditEventWhenAnythingHappens } from './audit/record-an-audit-event-when-anything-happens.reaction.js';

/** The reactions that write the audit and the rollups; in the worker only. */
@Module({ providers: [RecordAnAuditEventWhenAnythingHappens, CountActivityWhenContentChanges] })
export class ContentOpsWorkerModule {
  constructor(
    reactions: Reactions,
    audit: RecordAnAuditEventWhenAnythingHappens,
    rollup: CountActivityWhenContentChanges,
  ) {
    reactions.register(audit);
    reactions.register(rollup);
  }
}
