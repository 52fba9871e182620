import { Module } from '@nestjs/common';
import { DueWorkModule } from '#libs/due-work';
import { AccountEventsController } from './account-events.controller.js';
import { AuditLog } from './audit-log.js';
import { AuditRetention } from './audit-retention.js';
import { AuditController } from './audit.controller.js';

@Module({
  imports: [DueWorkModule],
  controllers: [AuditController, AccountEventsController],
  providers: [AuditLog, AuditRetention],
  exports: [AuditLog],
})
export class AuditModule {}
