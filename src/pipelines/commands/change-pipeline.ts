import type { ICommandHandler } from '@nestjs/cqrs';
import { Command, CommandHandler } from '@nestjs/cqrs';
import type { PipelineDetails } from '../pipeline.view.js';
import type { Decision } from '../pipelines.stream.js';
import { Pipelines } from '../pipelines.stream.js';

/**
 * Whatever needs the pipeline alone: its name, its end, its stages but for archiving one.
 * @throws PipelineNotFound, ScopeIsMissing, VersionIsStale, whatever the decision throws
 */
export class ChangePipeline extends Command<PipelineDetails> {
  constructor(readonly decision: Decision) {
    super();
  }
}

@CommandHandler(ChangePipeline)
export class ChangePipelineHandler implements ICommandHandler<ChangePipeline> {
  constructor(private readonly pipelines: Pipelines) {}

  execute({ decision }: ChangePipeline): Promise<PipelineDetails> {
    return this.pipelines.decide(decision);
  }
}
