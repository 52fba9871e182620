import { Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { Clock, SystemClock } from '#libs/clock';
import { provideConfig } from '#libs/config';
import { PostsWorkerModule } from './posts-worker.module.js';
import { PostsPreflight } from './posts.preflight.js';
import { PublishCandidatesStore } from './publish-candidates.store.js';
import { ClaimDecisions } from './publish-claim-decisions.worker.js';
import { PublishClaims } from './publish-claims.worker.js';
import { PublishDelivery } from './publish-delivery.worker.js';
import { PublishDuePosts } from './publish-due-posts.worker.js';
import { PublishLeases } from './publish-leases.worker.js';
import { PublishMetrics } from './publish-metrics.worker.js';
import { PublishOutcomes } from './publish-outcomes.worker.js';
import { PublishPlan } from './publish-plan.worker.js';
import { PublishSetAside } from './publish-set-aside.worker.js';
import { PublishTakeover } from './publish-takeover.worker.js';
import { UnsentAttempts } from './publish-unsent.worker.js';
import { PublishConfig } from './publish.config.js';
import { ReconcileAttempts } from './reconcile-attempts.worker.js';

/** Publishing on time; in workers only. */
@Module({
  imports: [CqrsModule, PostsWorkerModule],
  providers: [
    provideConfig(PublishConfig),
    { provide: Clock, useClass: SystemClock },
    PublishCandidatesStore,
    PublishLeases,
    PublishSetAside,
    PublishPlan,
    ClaimDecisions,
    PublishClaims,
    UnsentAttempts,
    PublishDelivery,
    PublishOutcomes,
    PublishTakeover,
    PublishMetrics,
    PostsPreflight,
    ReconcileAttempts,
    PublishDuePosts,
  ],
})
export class PublisherModule {}
