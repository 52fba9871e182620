import { Injectable } from '@nestjs/common';
import { type Caller, eventContext } from '#libs/auth';
import { Database } from '#libs/database';
import { type EventMetadata, EventStore, Stream, StreamNotFound } from '#libs/event-store';
import type { PipelineDto } from './dto/pipeline.dto.js';
import { PipelineNotFound } from './domain/pipeline.errors.js';
import type { PipelineEvent } from './domain/pipeline.events.js';
import {
  type Decision,
  mustExist,
  type Pipeline,
  pipelineAggregate,
  type PipelineState,
} from './domain/pipeline.js';
import { detailsOf, pipelineProjection } from './views/pipeline.view.js';
import { lockPipeline } from './commands/pipelines.locks.js';

export interface PipelineChange {
  readonly pipelineId: string;
  readonly caller: Caller;
  readonly ifVersion?: number;
}

@Injectable()
export class Pipelines extends Stream<PipelineState, PipelineEvent> {
  constructor(
    private readonly transactions: Database,
    store: EventStore,
  ) {
    super(transactions, store, pipelineAggregate, pipelineProjection);
  }

  /**
   * Decides for a caller with pipelines.write. Decisions on one pipeline run one after the other.
   * @throws PipelineNotFound, ScopeIsMissing, VersionIsStale, the errors of the decision
   */
  async decide({ pipelineId, caller, ifVersion }: PipelineChange, decision: Decision): Promise<PipelineDto> {
    const context = await this.contextFor(pipelineId, caller);
    return this.transactions.transaction(async (transaction) => {
      await lockPipeline(transaction, pipelineId);
      return detailsOf(await this.change(pipelineId, () => decision, context, { ifVersion }));
    });
  }

  /** For work that locks the pipeline itself. */
  async contextFor(pipelineId: string, caller: Caller): Promise<EventMetadata> {
    const { organizationId } = await this.current(pipelineId);
    caller.must('pipelines.write', { organizationId }, () => new PipelineNotFound());
    return eventContext(caller, { organizationId, brandId: null });
  }

  private async current(pipelineId: string): Promise<Pipeline> {
    try {
      return mustExist((await this.load(pipelineId)).state);
    } catch (error) {
      throw error instanceof StreamNotFound ? new PipelineNotFound() : error;
    }
  }
}
