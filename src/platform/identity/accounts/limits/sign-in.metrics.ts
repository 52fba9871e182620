import { Injectable } from '@nestjs/common';
import { Counter } from 'prom-client';
import { Metrics } from '#libs/http';

/** `throttled`: a limit refused the attempt before the password check; `unanswered`: the check did not complete. */
const OUTCOMES = ['success', 'failure', 'throttled', 'unanswered'] as const;

/** Password checks, including those of a password change. */
@Injectable()
export class SignInMetrics {
  private readonly attempts: Counter<'outcome'>;

  constructor(metrics: Metrics) {
    this.attempts = new Counter({
      name: 'identity_sign_in_attempts_total',
      help: 'Attempts to sign in or to confirm the password for a change, by outcome.',
      labelNames: ['outcome'],
      registers: [metrics.registry],
    });
    for (const outcome of OUTCOMES) this.attempts.inc({ outcome }, 0);
  }

  count(outcome: (typeof OUTCOMES)[number]): void {
    this.attempts.inc({ outcome });
  }
}
