import { randomUUIDv7 } from 'node:crypto';
import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { type Caller, eventContext, organizationFor } from '#libs/auth';
import { RequestCommand } from '#libs/messages';
import { archive, create, DEFAULT_STAGES, rename } from '../domain/pipeline.js';
import { type PipelineChange, Pipelines } from '../pipelines.stream.js';
import { detailsOf, type PipelineDetails } from '../views/pipeline.view.js';

interface NewPipeline {
  readonly caller: Caller;
  readonly name: string;
  /** Names of its stages; default: those of a default pipeline. */
  readonly stages?: readonly string[];
  /** Optional for callers with pipelines.write in exactly one organization. */
  readonly organizationId?: string;
}

export class CreatePipeline extends RequestCommand<NewPipeline, PipelineDetails> {}

@CommandHandler(CreatePipeline)
export class CreatePipelineHandler implements ICommandHandler<CreatePipeline> {
  constructor(private readonly pipelines: Pipelines) {}

  async execute({ request: { caller, name, stages, ...asked } }: CreatePipeline): Promise<PipelineDetails> {
    const organizationId = organizationFor(caller, 'pipelines.write', asked.organizationId);
    const id = randomUUIDv7();
    const named = (stages ?? DEFAULT_STAGES).map((stage) => ({ id: randomUUIDv7(), name: stage }));
    const decide = () => create({ id, organizationId, name, isDefault: false, stages: named });
    const context = eventContext(caller, { organizationId, brandId: null });
    return detailsOf(await this.pipelines.create(id, decide, context));
  }
}

export class RenamePipeline extends RequestCommand<PipelineChange & { name: string }, PipelineDetails> {}

@CommandHandler(RenamePipeline)
export class RenamePipelineHandler implements ICommandHandler<RenamePipeline> {
  constructor(private readonly pipelines: Pipelines) {}

  execute({ request: naming }: RenamePipeline): Promise<PipelineDetails> {
    return this.pipelines.decide(naming, rename(naming.name));
  }
}

export class ArchivePipeline extends RequestCommand<PipelineChange, PipelineDetails> {}

@CommandHandler(ArchivePipeline)
export class ArchivePipelineHandler implements ICommandHandler<ArchivePipeline> {
  constructor(private readonly pipelines: Pipelines) {}

  execute({ request: change }: ArchivePipeline): Promise<PipelineDetails> {
    return this.pipelines.decide(change, archive);
  }
}
