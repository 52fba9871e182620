import { Injectable } from '@nestjs/common';
import { Counter, Gauge, Histogram } from 'prom-client';
import { Metrics } from '#libs/http';
import { type ClaimedRendition, RenditionClaims } from './rendition-claims.store.js';

const OUTCOMES = ['ready', 'failed', 'retried', 'lost'] as const;
export type RenditionOutcome = (typeof OUTCOMES)[number];

/** Metrics of the worker that makes renditions. */
@Injectable()
export class RenditionMetrics {
  private readonly outcomes: Counter<'outcome'>;
  private readonly seconds: Histogram<'kind'>;

  constructor(metrics: Metrics, claims: RenditionClaims) {
    const registers = [metrics.registry];
    this.outcomes = new Counter({
      name: 'media_rendition_outcomes_total',
      help: 'Ends of claims of renditions: ready, failed for good, retried later, or lost to another worker or a deletion.',
      labelNames: ['outcome'],
      registers,
    });
    for (const outcome of OUTCOMES) this.outcomes.inc({ outcome }, 0);
    this.seconds = new Histogram({
      name: 'media_rendition_duration_seconds',
      help: 'Time from the claim of a rendition to its outcome.',
      labelNames: ['kind'],
      buckets: [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300],
      registers,
    });
    const pending = new Gauge({
      name: 'media_renditions_pending',
      help: 'Renditions that are to be made, those being made included.',
      registers,
    });
    const oldest = new Gauge({
      name: 'media_rendition_oldest_pending_seconds',
      help: 'Time since the oldest rendition that is not made yet was asked for; 0 when all are.',
      registers,
    });
    metrics.collect('renditions', [pending, oldest], async () => {
      const counts = await claims.counts();
      pending.set(counts.pending);
      oldest.set(counts.oldestSeconds);
    });
  }

  /** @returns to be called with the outcome of the claim */
  starts({ spec: { kind } }: ClaimedRendition): (outcome: RenditionOutcome) => void {
    const observe = this.seconds.startTimer({ kind });
    return (outcome) => {
      this.outcomes.inc({ outcome });
      if (outcome !== 'lost') observe();
    };
  }
}
