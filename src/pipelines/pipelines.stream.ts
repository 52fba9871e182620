import { Injectable } from '@nestjs/common';
import type { Caller } from '#libs/auth';
import { eventContext } from '#libs/auth';
import { Database } from '#libs/database';
import type { EventMetadata } from '#libs/event-store';
import { EventStore, Stream, StreamNotFound } from '#libs/event-store';
import { PipelineNotFound } from './pipeline.errors.js';
import type { PipelineEvent } from './pipeline.events.js';
import type { Pipeline, PipelineState } from './pipeline.js';
import { mustExist, pipelineAggregate } from './pipeline.js';
import { pipelineProjection } from './pipeline.projection.js';
import type { PipelineDetails } from './pipeline.view.js';
import { detailsOf } from './pipeline.view.js';
import { lockPipeline } from './pipelines.locks.js';

/** Who changes which pipeline. */
export interface PipelineChange {
  readonly pipelineId: string;
  readonly caller: Caller;
  /** The only version the change may be made on. */
  readonly ifVersion?: number;
}

/** What handlers decide on. */
@Injectable()
export class Pipelines extends Stream<PipelineState, PipelineEvent> {
  constructor(
    private readonly transactions: Database,
    store: EventStore,
  ) {
    super(transactions, store, pipelineAggregate, pipelineProjection);
  }

  /**
   * One decision at a time on each pipeline, of a caller who has pipelines.write there.
   * @throws PipelineNotFound, ScopeIsMissing, VersionIsStale, whatever the decision throws
   */
  async decide(
    { pipelineId, caller, ifVersion }: PipelineChange,
    decision: (state: PipelineState) => PipelineEvent[],
  ): Promise<PipelineDetails> {
    const context = await this.contextFor(pipelineId, caller);
    return this.transactions.transaction(async (transaction) => {
      await lockPipeline(transaction, pipelineId);
      return detailsOf(await this.change(pipelineId, () => decision, context, { ifVersion }));
    });
  }

  /** For work that locks the pipeline itself. @throws PipelineNotFound, ScopeIsMissing */
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
