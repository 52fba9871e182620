import { randomUUIDv7 } from 'node:crypto';
import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { RequestCommand } from '#libs/messages';
import { addStage, renameStage, reorderStages } from '../domain/pipeline.js';
import { type PipelineChange, Pipelines } from '../pipelines.stream.js';
import type { PipelineDetails } from '../views/pipeline.view.js';

interface StageToAdd extends PipelineChange {
  readonly name: string;
  /** Index among the stages, from 0. Default, and beyond the end: the end. */
  readonly position?: number;
}

/** The changed pipeline and the id of the new stage. */
interface AddedStage {
  readonly pipeline: PipelineDetails;
  readonly stageId: string;
}

export class AddStage extends RequestCommand<StageToAdd, AddedStage> {}

@CommandHandler(AddStage)
export class AddStageHandler implements ICommandHandler<AddStage> {
  constructor(private readonly pipelines: Pipelines) {}

  async execute({ request: stage }: AddStage): Promise<AddedStage> {
    const stageId = randomUUIDv7();
    const decision = addStage({ id: stageId, name: stage.name }, stage.position);
    return { stageId, pipeline: await this.pipelines.decide(stage, decision) };
  }
}

export class RenameStage extends RequestCommand<
  PipelineChange & { stageId: string; name: string },
  PipelineDetails
> {}

@CommandHandler(RenameStage)
export class RenameStageHandler implements ICommandHandler<RenameStage> {
  constructor(private readonly pipelines: Pipelines) {}

  execute({ request: naming }: RenameStage): Promise<PipelineDetails> {
    return this.pipelines.decide(naming, renameStage(naming.stageId, naming.name));
  }
}

interface StageOrder extends PipelineChange {
  /** Every stage of the pipeline once. */
  readonly stageIds: readonly string[];
}

export class ReorderStages extends RequestCommand<StageOrder, PipelineDetails> {}

@CommandHandler(ReorderStages)
export class ReorderStagesHandler implements ICommandHandler<ReorderStages> {
  constructor(private readonly pipelines: Pipelines) {}

  execute({ request: order }: ReorderStages): Promise<PipelineDetails> {
    return this.pipelines.decide(order, reorderStages(order.stageIds));
  }
}
