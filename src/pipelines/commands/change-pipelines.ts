import { randomUUIDv7 } from 'node:crypto';
import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { type Caller, eventContext, organizationFor } from '#libs/auth';
import { RequestCommand } from '#libs/messages';
import type { PipelineDto } from '../dto/pipeline.dto.js';
import { create, type Decision, DEFAULT_STAGES } from '../domain/pipeline.js';
import { type PipelineChange, Pipelines } from '../pipelines.stream.js';
import { detailsOf } from '../views/pipeline.view.js';

interface NewPipeline {
  readonly caller: Caller;
  readonly name: string;
  /** Default: those of a default pipeline. */
  readonly stages?: readonly string[];
  /** Optional for callers with pipelines.write in exactly one organization. */
  readonly organizationId?: string;
}

export class CreatePipeline extends RequestCommand<NewPipeline, PipelineDto> {}

@CommandHandler(CreatePipeline)
export class CreatePipelineHandler implements ICommandHandler<CreatePipeline> {
  constructor(private readonly pipelines: Pipelines) {}

  async execute({ request: { caller, name, stages, ...asked } }: CreatePipeline): Promise<PipelineDto> {
    const organizationId = organizationFor(caller, 'pipelines.write', asked.organizationId);
    const id = randomUUIDv7();
    const named = (stages ?? DEFAULT_STAGES).map((stage) => ({ id: randomUUIDv7(), name: stage }));
    const decide = () => create({ id, organizationId, name, isDefault: false, stages: named });
    const context = eventContext(caller, { organizationId, brandId: null });
    return detailsOf(await this.pipelines.create(id, decide, context));
  }
}

/** Changes a pipeline or its stages by a decision of the domain. Archiving a stage moves its cards first: ArchiveStage. */
export class ChangePipeline extends RequestCommand<
  { change: PipelineChange; decision: Decision },
  PipelineDto
> {}

@CommandHandler(ChangePipeline)
export class ChangePipelineHandler implements ICommandHandler<ChangePipeline> {
  constructor(private readonly pipelines: Pipelines) {}

  execute({ request: { change, decision } }: ChangePipeline): Promise<PipelineDto> {
    return this.pipelines.decide(change, decision);
  }
}
