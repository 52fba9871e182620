import { Injectable } from '@nestjs/common';
import { Counter } from 'prom-client';
import { Metrics } from '#libs/http';

/** Spend, for operators. No series per organization: their number has no bound. */
@Injectable()
export class SpendMetrics {
  readonly refusals: Counter<'reason' | 'scope_type' | 'period'>;
  readonly unpriced: Counter<'provider'>;
  readonly swept: Counter;
  readonly doubts: Counter<'doubt'>;
  readonly alarms: Counter<'scope_type' | 'period'>;

  constructor({ registry }: Metrics) {
    const registers = [registry];
    this.refusals = new Counter({
      name: 'gateway_spend_refusals_total',
      help: 'Attempts that a hard limit refused before any provider was called.',
      labelNames: ['reason', 'scope_type', 'period'] as const,
      registers,
    });
    this.unpriced = new Counter({
      name: 'gateway_unpriced_attempts_total',
      help: 'Attempts at models without a price, where no hard limit guards: their cost is not known.',
      labelNames: ['provider'] as const,
      registers,
    });
    this.swept = new Counter({
      name: 'gateway_spend_swept_total',
      help: 'Reservations whose process ended before it settled them.',
      registers,
    });
    this.doubts = new Counter({
      name: 'gateway_doubted_attempts_total',
      help: 'Attempts that need a person: counts beyond the window of the model, or in a unit without a price.',
      labelNames: ['doubt'] as const,
      registers,
    });
    this.alarms = new Counter({
      name: 'gateway_spend_soft_limits_reached_total',
      help: 'Soft limits that were reached, once in each of their periods.',
      labelNames: ['scope_type', 'period'] as const,
      registers,
    });
  }
}
