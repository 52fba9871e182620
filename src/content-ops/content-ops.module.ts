import { Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { Clock, SystemClock } from '#libs/clock';
import { ActivityController } from './http/activity.controller.js';
import { Items } from './http/items.js';
import { ItemsController } from './http/items.controller.js';
import { FindBrandsInViewHandler } from './queries/find-brands-in-view.js';
import { GetDailyRollupHandler } from './queries/get-daily-rollup.js';
import { ListAuditEventsHandler } from './queries/list-audit-events.js';
import { SummarizeWorkspaceHandler } from './queries/summarize-workspace.js';
import { QueueController } from './http/queue.controller.js';

/** The operator's routes. The reactions of the worker write the history that they show. */
@Module({
  imports: [CqrsModule],
  controllers: [QueueController, ItemsController, ActivityController],
  providers: [
    { provide: Clock, useClass: SystemClock },
    Items,
    FindBrandsInViewHandler,
    GetDailyRollupHandler,
    ListAuditEventsHandler,
    SummarizeWorkspaceHandler,
  ],
})
export class ContentOpsModule {}
