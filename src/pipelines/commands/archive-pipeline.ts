import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { archive } from '../domain/pipeline.js';
import type { PipelineDetails } from '../views/pipeline.view.js';
import { type PipelineChange, Pipelines } from '../pipelines.stream.js';

/** @throws PipelineNotFound, PipelineIsTheDefault, ScopeIsMissing, VersionIsStale */
export class ArchivePipeline extends Command<PipelineDetails> {
  constructor(readonly request: PipelineChange) {
    super();
  }
}

@CommandHandler(ArchivePipeline)
export class ArchivePipelineHandler implements ICommandHandler<ArchivePipeline> {
  constructor(private readonly pipelines: Pipelines) {}

  execute({ request: change }: ArchivePipeline): Promise<PipelineDetails> {
    return this.pipelines.decide(change, archive);
  }
}
