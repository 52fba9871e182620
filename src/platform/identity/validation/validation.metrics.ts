import { Injectable } from '@nestjs/common';
import { Counter } from 'prom-client';
import { Metrics } from '#libs/http';

/** `refused`: credentials refused; `service_refused`: no valid service token; `unanswered`: no result because of an error. */
const OUTCOMES = ['accepted', 'refused', 'service_refused', 'unanswered'] as const;
type Outcome = (typeof OUTCOMES)[number];

@Injectable()
export class ValidationMetrics {
  private readonly validations: Counter<'outcome'>;

  constructor(metrics: Metrics) {
    this.validations = new Counter({
      name: 'identity_validations_total',
      help: 'Requests to /validate by outcome.',
      labelNames: ['outcome'],
      registers: [metrics.registry],
    });
    for (const outcome of OUTCOMES) this.validations.inc({ outcome }, 0);
  }

  count(outcome: Outcome): void {
    this.validations.inc({ outcome });
  }

  async countOutcome<T>(validation: Promise<T | null>): Promise<T | null> {
    const result = await validation.catch((error: unknown) => {
      this.count('unanswered');
      throw error;
    });
    this.count(result === null ? 'refused' : 'accepted');
    return result;
  }
}
