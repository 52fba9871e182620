import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { rename } from '../domain/pipeline.js';
import type { PipelineDetails } from '../views/pipeline.view.js';
import { type PipelineChange, Pipelines } from '../pipelines.stream.js';

export interface PipelineNaming extends PipelineChange {
  readonly name: string;
}

/** @throws PipelineNotFound, ScopeIsMissing, VersionIsStale */
export class RenamePipeline extends Command<PipelineDetails> {
  constructor(readonly request: PipelineNaming) {
    super();
  }
}

@CommandHandler(RenamePipeline)
export class RenamePipelineHandler implements ICommandHandler<RenamePipeline> {
  constructor(private readonly pipelines: Pipelines) {}

  execute({ request: naming }: RenamePipeline): Promise<PipelineDetails> {
    return this.pipelines.decide(naming, rename(naming.name));
  }
}
