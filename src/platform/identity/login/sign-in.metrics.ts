import { Injectable } from '@nestjs/common';
import { Counter } from 'prom-client';
import { Metrics } from '#libs/http';

/** `throttled`: refused by the limits before the password was looked at; `unanswered`: neither right nor wrong. */
const OUTCOMES = ['success', 'failure', 'throttled', 'unanswered'] as const;

/** Checks of a password, those for changing it too. */
@Injectable()
export class SignInMetrics {
  private readonly attempts: Counter<'outcome'>;

  constructor(metrics: Metrics) {
    this.attempts = new Counter({
      name: 'identity_sign_in_attempts_total',
      help: 'Attempts to sign in, or to show the password for changing it, by outcome.',
      labelNames: ['outcome'],
      registers: [metrics.registry],
    });
    for (const outcome of OUTCOMES) this.attempts.inc({ outcome }, 0);
  }

  count(outcome: (typeof OUTCOMES)[number]): void {
    this.attempts.inc({ outcome });
  }
}
