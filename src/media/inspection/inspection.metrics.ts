import { Injectable } from '@nestjs/common';
import { Counter, Histogram } from 'prom-client';
import { Metrics } from '#libs/http';

const OUTCOMES = ['accepted', 'rejected', 'retried', 'lost'] as const;
export type InspectionEnd = (typeof OUTCOMES)[number];

/** Metrics of the worker that inspects files. */
@Injectable()
export class InspectionMetrics {
  private readonly outcomes: Counter<'outcome'>;
  private readonly seconds: Histogram;

  constructor({ registry }: Metrics) {
    this.outcomes = new Counter({
      name: 'media_inspection_outcomes_total',
      help: 'Ends of claims of inspections: accepted, rejected, retried later, or lost to another worker or a deletion.',
      labelNames: ['outcome'],
      registers: [registry],
    });
    for (const outcome of OUTCOMES) this.outcomes.inc({ outcome }, 0);
    this.seconds = new Histogram({
      name: 'media_inspection_duration_seconds',
      help: 'Time from the claim of an inspection to its end.',
      buckets: [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 60],
      registers: [registry],
    });
  }

  /** @returns to be called with the end of the claim */
  starts(): (outcome: InspectionEnd) => void {
    const observe = this.seconds.startTimer();
    return (outcome) => {
      this.outcomes.inc({ outcome });
      observe();
    };
  }
}
