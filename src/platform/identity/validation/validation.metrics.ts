import { Injectable } from '@nestjs/common';
import { Counter } from 'prom-client';
import { Metrics } from '#libs/http';

/** `refused`: a definite no; `service_refused`: the asking service has no valid token; `unanswered`: neither yes nor no. */
const OUTCOMES = ['accepted', 'refused', 'service_refused', 'unanswered'] as const;
type Outcome = (typeof OUTCOMES)[number];

@Injectable()
export class ValidationMetrics {
  private readonly validations: Counter<'outcome'>;

  constructor(metrics: Metrics) {
    this.validations = new Counter({
      name: 'identity_validations_total',
      help: 'Questions to /validate by outcome.',
      labelNames: ['outcome'],
      registers: [metrics.registry],
    });
    for (const outcome of OUTCOMES) this.validations.inc({ outcome }, 0);
  }

  count(outcome: Outcome): void {
    this.validations.inc({ outcome });
  }

  /** Counts how the question ends. */
  async counting<T>(question: Promise<T | null>): Promise<T | null> {
    const answer = await question.catch((error: unknown) => {
      this.count('unanswered');
      throw error;
    });
    this.count(answer === null ? 'refused' : 'accepted');
    return answer;
  }
}
