import { randomUUIDv7 } from 'node:crypto';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { addStage } from '../domain/pipeline.js';
import type { PipelineDetails } from '../views/pipeline.view.js';
import { type PipelineChange, Pipelines } from '../pipelines.stream.js';

export interface StageToAdd extends PipelineChange {
  readonly name: string;
  /** Index among the stages, from 0. Default, and beyond the end: the end. */
  readonly position?: number;
}

/** The changed pipeline and the id of the new stage. */
export interface AddedStage {
  readonly pipeline: PipelineDetails;
  readonly stageId: string;
}

/** @throws PipelineNotFound, PipelineIsFull, StageNameIsTaken, ScopeIsMissing, VersionIsStale */
export class AddStage extends Command<AddedStage> {
  constructor(readonly request: StageToAdd) {
    super();
  }
}

@CommandHandler(AddStage)
export class AddStageHandler implements ICommandHandler<AddStage> {
  constructor(private readonly pipelines: Pipelines) {}

  async execute({ request: stage }: AddStage): Promise<AddedStage> {
    const stageId = randomUUIDv7();
    const decision = addStage({ id: stageId, name: stage.name }, stage.position);
    return { stageId, pipeline: await this.pipelines.decide(stage, decision) };
  }
}
