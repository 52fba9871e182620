import { Injectable } from '@nestjs/common';
import { Counter, Gauge, Histogram } from 'prom-client';
import { FAILURE_CLASSES } from '#libs/content';
import type { FailureClass } from '#libs/content';
import type { RecordedEvent } from '#libs/event-store';
import { Metrics } from '#libs/http';
import type { PostEvent } from '../domain/post.events.js';
import { PublishCandidatesStore } from './candidates.store.js';
import { PublishSetAside } from './set-aside.js';

type OutcomeName = 'published' | 'held' | FailureClass;

/** What the operator sees of publishing. */
@Injectable()
export class PublishMetrics {
  private readonly outcomes: Counter<'outcome'>;
  private readonly seconds: Histogram;

  constructor(
    private readonly metrics: Metrics,
    candidates: PublishCandidatesStore,
    aside: PublishSetAside,
  ) {
    const registers = [metrics.registry];
    this.outcomes = new Counter({
      name: 'publish_outcomes_total',
      help: 'What was stored of due posts: published, held, or the class of the failure. One settled after doubt counts again.',
      labelNames: ['outcome'],
      registers,
    });
    for (const outcome of ['published', 'held', ...FAILURE_CLASSES]) this.outcomes.inc({ outcome }, 0);
    this.seconds = new Histogram({
      name: 'publish_attempt_duration_seconds',
      help: 'Time from the claim of a post to its outcome known.',
      buckets: [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60],
      registers,
    });
    new Gauge({
      name: 'posts_set_aside',
      help: 'Posts that this worker can do nothing with, because of their history or because the database refuses; the log names them.',
      registers,
      collect() {
        this.set(aside.ids.length);
      },
    });
    this.countDue(candidates);
  }

  attemptTook(milliseconds: number): void {
    this.seconds.observe(milliseconds / 1000);
  }

  /** @param oldestMs age of the oldest outcome that is not stored yet, in milliseconds */
  watchUnrecorded(oldestMs: () => number): void {
    new Gauge({
      name: 'publish_unrecorded_outcome_age_seconds',
      help: 'Age of the oldest outcome of a publish attempt that is not stored yet; 0 when all are.',
      registers: [this.metrics.registry],
      collect() {
        this.set(oldestMs() / 1000);
      },
    });
  }

  /**
   * Counts the outcomes among events that this worker knows to be in the log. One that was stored while the answer to its
   * COMMIT was lost is counted by nobody, and one that a person settled by hand is none of publishing's.
   * @returns how many of each there were, without those that there were none of.
   */
  stored(events: readonly RecordedEvent<PostEvent>[]): Partial<Record<OutcomeName, number>> {
    const counts: Partial<Record<OutcomeName, number>> = {};
    for (const event of events) {
      const outcome = outcomeOf(event);
      if (!outcome) continue;
      this.outcomes.inc({ outcome });
      counts[outcome] = (counts[outcome] ?? 0) + 1;
    }
    return counts;
  }

  private countDue(candidates: PublishCandidatesStore): void {
    const registers = [this.metrics.registry];
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
    this.metrics.collect('due_posts', [due, late], async () => {
      const counts = await candidates.counts();
      due.set(counts.due);
      late.set(counts.late);
    });
  }
}

function outcomeOf({ type, data }: PostEvent): OutcomeName | null {
  switch (type) {
    case 'PostPublished':
      return 'published';
    case 'PostHeld':
      return 'held';
    case 'PostPublishFailed':
      return data.failure.class;
    case 'DeliveryResolved':
      return data.delivered ? 'published' : data.failure.class;
    default:
      return null;
  }
}
