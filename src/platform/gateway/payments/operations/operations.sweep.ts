import { Injectable } from '@nestjs/common';
import { Gauge } from 'prom-client';
import { Database } from '#libs/database';
import { PeriodicSweep } from '#libs/due-work';
import { DomainError } from '#libs/errors';
import { Metrics } from '#libs/http';
import { Executions } from './executions.js';
import { type Operation, OperationsStore } from './operations.store.js';

interface State {
  readonly unknown: number;
  readonly unresolved: number;
  readonly waiting: number;
  readonly oldestSeconds: number;
  readonly dead: number;
  readonly ownerless: number;
}

/** Unresolved operations are kept for 30 days. */
const STATE = `
  SELECT (SELECT count(*) FROM gateway.payment_operation WHERE state = 'unknown')::float8 AS unknown,
         (SELECT count(*) FROM gateway.payment_operation WHERE state = 'unresolved')::float8 AS unresolved,
         (SELECT count(*) FROM gateway.payment_event WHERE state = 'dead')::float8 AS dead,
         (SELECT count(*) FROM gateway.payment_event WHERE state = 'unknown')::float8 AS ownerless,
         count(*)::float8 AS waiting,
         coalesce(extract(epoch FROM clock_timestamp() - min(received_at)), 0)::float8 AS "oldestSeconds"
    FROM gateway.payment_event WHERE state = 'waiting'`;

/** What payments still have to do, and what needs a person. */
@Injectable()
export class PaymentMetrics {
  constructor(metrics: Metrics, database: Database) {
    const registers = [metrics.registry];
    const operations = new Gauge({
      name: 'gateway_payment_operations',
      help: 'Payment operations without a known outcome: unknown ones are repeated, unresolved ones never.',
      labelNames: ['state'] as const,
      registers,
    });
    const events = new Gauge({
      name: 'gateway_payment_events',
      help: 'Payment events that wait to be relayed to their application, that were given up, and of unknown owners.',
      labelNames: ['state'] as const,
      registers,
    });
    const oldest = new Gauge({
      name: 'gateway_payment_events_oldest_seconds',
      help: 'Time since the oldest waiting payment event was received.',
      registers,
    });
    metrics.collect('gateway_payments', [operations, events, oldest], async () => {
      const [state] = await database.query<State>(STATE);
      operations.set({ state: 'unknown' }, state?.unknown ?? 0);
      operations.set({ state: 'unresolved' }, state?.unresolved ?? 0);
      events.set({ state: 'waiting' }, state?.waiting ?? 0);
      events.set({ state: 'dead' }, state?.dead ?? 0);
      events.set({ state: 'unknown' }, state?.ownerless ?? 0);
      oldest.set(state?.oldestSeconds ?? 0);
    });
  }
}

const EVERY_MS = 10_000;
const BATCH = 5;

/**
 * Finishes operations whose process ended, and repeats those with an unknown outcome, with the key of the first call. What cannot
 * be repeated safely any more is reported. Replicas share the rows.
 */
@Injectable()
export class OperationsSweep extends PeriodicSweep {
  constructor(
    private readonly executions: Executions,
    private readonly store: OperationsStore,
  ) {
    super(EVERY_MS);
  }

  async sweep(): Promise<void> {
    await this.store.discardUnsent();
    await this.inBatches(BATCH, async () => {
      const due = await this.store.takeDue(BATCH);
      await Promise.all(due.map((operation) => this.finish(operation)));
      return due.length;
    });
    for (const { id, kind } of await this.store.giveUp())
      this.logger.error({ operationId: id, kind }, 'The outcome of a payment operation stays unknown.');
    await this.store.deleteOld();
  }

  private async finish(operation: Operation): Promise<void> {
    try {
      await this.executions.execute(operation);
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      const { id, kind } = operation;
      this.logger.warn({ operationId: id, kind, code: error.code }, 'A payment operation has no result yet.');
    }
  }
}
