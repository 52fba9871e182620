import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { renameStage } from '../domain/pipeline.js';
import type { PipelineDetails } from '../views/pipeline.view.js';
import { type PipelineChange, Pipelines } from '../pipelines.stream.js';

export interface StageNaming extends PipelineChange {
  readonly stageId: string;
  readonly name: string;
}

/** @throws PipelineNotFound, StageNotFound, StageNameIsTaken, ScopeIsMissing, VersionIsStale */
export class RenameStage extends Command<PipelineDetails> {
  constructor(readonly request: StageNaming) {
    super();
  }
}

@CommandHandler(RenameStage)
export class RenameStageHandler implements ICommandHandler<RenameStage> {
  constructor(private readonly pipelines: Pipelines) {}

  execute({ request: naming }: RenameStage): Promise<PipelineDetails> {
    return this.pipelines.decide(naming, renameStage(naming.stageId, naming.name));
  }
}
