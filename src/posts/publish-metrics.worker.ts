import { Injectable } from '@nestjs/common';
import { Counter, Gauge, Histogram } from 'prom-client';
import { Metrics } from '#libs/http';
import { PublishCandidatesStore } from './publish-candidates.store.js';
import type { Outcome } from './publish-outcomes.worker.js';
import { PublishOutcomes } from './publish-outcomes.worker.js';

/** What the operator sees of publishing. */
@Injectable()
export class PublishMetrics {
  private readonly attempts: Counter<'outcome'>;
  private readonly seconds: Histogram;

  constructor(metrics: Metrics, candidates: PublishCandidatesStore, outcomes: PublishOutcomes) {
    const registers = [metrics.registry];
    this.attempts = new Counter({
      name: 'publish_attempts_total',
      help: 'Publish attempts by how they ended: published, held, or the class of the failure.',
      labelNames: ['outcome'],
      registers,
    });
    this.seconds = new Histogram({
      name: 'publish_attempt_duration_seconds',
      help: 'Time from the claim of a post to its outcome known.',
      buckets: [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60],
      registers,
    });
    const late = new Gauge({
      name: 'posts_late',
      help: 'Posts that have been due for more than a minute and have their turn.',
      registers,
    });
    const due = new Gauge({
      name: 'posts_due',
      help: 'Posts that are due and have their turn.',
      registers,
    });
    new Gauge({
      name: 'publish_unrecorded_outcome_age_seconds',
      help: 'Age of the oldest outcome of a publish attempt that is not stored yet; 0 when all are.',
      registers,
      collect() {
        this.set(outcomes.oldestMs / 1000);
      },
    });
    metrics.collect('due_posts', [due, late], async () => {
      const counts = await candidates.counts();
      due.set(counts.due);
      late.set(counts.late);
    });
  }

  attempted(outcome: Outcome, milliseconds: number): void {
    this.attempts.inc({ outcome: outcome.kind === 'failed' ? outcome.failure.class : outcome.kind });
    this.seconds.observe(milliseconds / 1000);
  }
}
