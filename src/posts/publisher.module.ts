import { Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { Clock, SystemClock } from '#libs/clock';
import { provideConfig } from '#libs/config';
import { PostsWorkerModule } from './posts-worker.module.js';
import { PublishCandidatesStore } from './publishing/candidates.store.js';
import { ClaimDecisions } from './publishing/claim-decisions.js';
import { PublishClaims } from './publishing/claims.js';
import { AttemptSender } from './publishing/attempt-sender.js';
import { PublishDuePosts } from './publishing/publish-due-posts.worker.js';
import { AbandonedAttempts, DecisionChecks, OpenAttempts } from './publishing/open-attempts.js';
import { NetworkProbes } from './publishing/network-probes.js';
import { NetworkSlots } from './publishing/network-slots.js';
import { PublishLeases } from './publishing/leases.js';
import { PublishMetrics } from './publishing/metrics.js';
import { PublishOutcomes } from './publishing/outcomes.js';
import { PublishPlan } from './publishing/plan.js';
import { PublisherPosts } from './publishing/publisher-posts.js';
import { Quarantine } from './publishing/quarantine.js';
import { PublishConfig } from './publishing/publish.config.js';
import { PublishRecovery } from './publishing/recovery.js';
import { RivalAttempts } from './publishing/rival-attempts.store.js';
import { ReconcileAttempts } from './publishing/reconcile-attempts.js';
import { UnfetchedFiles } from './publishing/unfetched-files.js';

/** Publishing on time; in workers only. */
@Module({
  imports: [CqrsModule, PostsWorkerModule],
  providers: [
    provideConfig(PublishConfig),
    { provide: Clock, useClass: SystemClock },
    PublishCandidatesStore,
    PublishLeases,
    NetworkSlots,
    NetworkProbes,
    OpenAttempts,
    DecisionChecks,
    Quarantine,
    PublisherPosts,
    PublishPlan,
    ClaimDecisions,
    PublishClaims,
    AttemptSender,
    PublishOutcomes,
    AbandonedAttempts,
    PublishMetrics,
    RivalAttempts,
    PublishRecovery,
    ReconcileAttempts,
    UnfetchedFiles,
    PublishDuePosts,
  ],
})
export class PublisherModule {}
