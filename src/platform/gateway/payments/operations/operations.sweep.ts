import { Injectable } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { DomainError } from '#libs/errors';
import { PeriodicSweep } from '#libs/due-work';
import { Executions } from './executions.js';
import { type Operation, OperationsStore } from './operations.store.js';

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
    super();
  }

  @Interval(EVERY_MS)
  tick(): Promise<void> {
    return this.pass(() => this.sweep());
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
