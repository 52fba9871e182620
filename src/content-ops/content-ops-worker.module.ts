import { Module } from '@nestjs/common';
import { RecordAnAuditEventWhenAnythingHappens } from './audit/record-an-audit-event-when-anything-happens.reaction.js';
import { CountActivityWhenContentChanges } from './daily/count-activity-when-content-changes.reaction.js';

/** The reactions that write the audit and the rollups; in the worker only. */
@Module({ providers: [RecordAnAuditEventWhenAnythingHappens, CountActivityWhenContentChanges] })
export class ContentOpsWorkerModule {}
