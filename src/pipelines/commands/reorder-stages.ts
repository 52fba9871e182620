import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { reorderStages } from '../domain/pipeline.js';
import type { PipelineDetails } from '../views/pipeline.view.js';
import { type PipelineChange, Pipelines } from '../pipelines.stream.js';

export interface StageOrder extends PipelineChange {
  /** Every stage of the pipeline once. */
  readonly stageIds: readonly string[];
}

/** @throws PipelineNotFound, StagesAreOthers, ScopeIsMissing, VersionIsStale */
export class ReorderStages extends Command<PipelineDetails> {
  constructor(readonly request: StageOrder) {
    super();
  }
}

@CommandHandler(ReorderStages)
export class ReorderStagesHandler implements ICommandHandler<ReorderStages> {
  constructor(private readonly pipelines: Pipelines) {}

  execute({ request: order }: ReorderStages): Promise<PipelineDetails> {
    return this.pipelines.decide(order, reorderStages(order.stageIds));
  }
}
