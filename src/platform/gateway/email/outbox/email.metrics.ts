import { Injectable } from '@nestjs/common';
import { Counter, Gauge } from 'prom-client';
import { Database } from '#libs/database';
import { Metrics } from '#libs/http';
import { OUTBOX_STATE } from './outbox.sql.js';

interface OutboxState {
  readonly open: number;
  readonly oldestSeconds: number;
  readonly uncertain: number;
}

/** What the outbox did and what it still has to do. */
@Injectable()
export class EmailMetrics {
  private readonly results: Counter<'provider' | 'state'>;

  constructor(metrics: Metrics, database: Database) {
    const registers = [metrics.registry];
    const gauge = (name: string, help: string) => new Gauge({ name, help, registers });
    this.results = new Counter({
      name: 'email_recipients_total',
      help: 'Results of attempts, by provider and state of the recipient; queued ones are tried again.',
      labelNames: ['provider', 'state'],
      registers,
    });
    const open = gauge('email_outbox_messages', 'Messages with recipients that are still to be sent to.');
    const oldest = gauge('email_outbox_oldest_seconds', 'Age of the oldest of them.');
    const uncertain = gauge(
      'email_uncertain_recipients',
      'Recipients whose delivery a person has to resolve.',
    );
    metrics.collect('email_outbox', [open, oldest, uncertain], async () => {
      const [state] = await database.query<OutboxState>(OUTBOX_STATE);
      open.set(state?.open ?? 0);
      oldest.set(state?.oldestSeconds ?? 0);
      uncertain.set(state?.uncertain ?? 0);
    });
  }

  count(provider: string, states: readonly string[]): void {
    for (const state of states) this.results.inc({ provider, state });
  }
}
