import { Injectable } from '@nestjs/common';
import { Counter, Gauge, Histogram } from 'prom-client';
import { FAILURE_CLASSES, type FailureClass } from '#libs/content';
import type { RecordedEvent } from '#libs/event-store';
import { Metrics } from '#libs/http';
import type { PostEvent } from '../domain/post.events.js';
import type { Outcome } from './attempt.js';
import { PublishCandidatesStore } from './candidates.store.js';
import { Quarantine } from './quarantine.js';

/** Reason of a wait while the network processes what was uploaded. */
const NETWORK_PROCESSING = 'network_processing';

/** More due posts need no other answer: all workers there can be. */
const MAX_COUNTED = 5_000;

type OutcomeName = 'published' | 'held' | FailureClass;

/** Metrics of publishing. */
@Injectable()
export class PublishMetrics {
  private readonly outcomes: Counter<'outcome'>;
  private readonly seconds: Histogram;

  constructor(
    private readonly metrics: Metrics,
    candidates: PublishCandidatesStore,
    quarantine: Quarantine,
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
      help: 'Time from the claim of a post to its outcome known, without attempts that end in a wait for the network.',
      buckets: [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60],
      registers,
    });
    new Gauge({
      name: 'posts_set_aside',
      help: 'Posts that this worker can neither send nor settle: it cannot read their history, or the database refuses. The log names them.',
      registers,
      collect() {
        this.set(quarantine.postIds.length);
      },
    });
    this.countDue(candidates);
  }

  /** @returns to be called when the outcome of the attempt is known */
  attemptStarts(): (outcome: Outcome) => void {
    const observe = this.seconds.startTimer();
    return (outcome) => {
      if (!isProcessing(outcome) && outcome.kind !== 'undecided') observe();
    };
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

  /** Counts the outcomes among stored events. An outcome whose COMMIT was not confirmed is not counted by any worker. */
  stored(events: readonly RecordedEvent<PostEvent>[]): void {
    for (const [outcome, times] of countOutcomes(events)) this.outcomes.inc({ outcome }, times);
  }

  private countDue(candidates: PublishCandidatesStore): void {
    const registers = [this.metrics.registry];
    const late = new Gauge({
      name: 'posts_late',
      help: `Posts that have been due for more than a minute and wait for no earlier part of their thread; at least, from ${MAX_COUNTED} on.`,
      registers,
    });
    const due = new Gauge({
      name: 'posts_due',
      help: `Posts that are due and wait for no earlier part of their thread; at least, from ${MAX_COUNTED} on.`,
      registers,
    });
    this.metrics.collect('due_posts', [due, late], async () => {
      const counts = await candidates.counts(MAX_COUNTED);
      due.set(counts.due);
      late.set(counts.late);
    });
  }
}

/** How many of each outcome there are among events; outcomes that do not occur are left out. */
export function countOutcomes(events: readonly RecordedEvent<PostEvent>[]): ReadonlyMap<OutcomeName, number> {
  const outcomes = events.flatMap((event) => outcomeOf(event) ?? []);
  const groups = Map.groupBy(outcomes, (outcome) => outcome);
  return new Map([...groups].map(([outcome, all]) => [outcome, all.length]));
}

/** The attempt continues after a wait: its steps so far are no outcome. */
const isProcessing = (outcome: object): boolean =>
  'reason' in outcome && outcome.reason === NETWORK_PROCESSING;

function outcomeOf({ type, data }: PostEvent): OutcomeName | null {
  switch (type) {
    case 'PostPublished':
      return 'published';
    case 'PostHeld':
      return isProcessing(data) ? null : 'held';
    case 'PostPublishFailed':
      return data.failure.class;
    case 'DeliveryResolved':
      return data.delivered ? 'published' : data.failure.class;
    default:
      return null;
  }
}
