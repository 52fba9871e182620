import { randomUUIDv7 } from 'node:crypto';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { type Caller, eventContext, organizationFor } from '#libs/auth';
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

/** @throws OrganizationIsMissing, OrganizationNotFound, ScopeIsMissing, StageNameIsTaken */
export class CreatePipeline extends Command<PipelineDetails> {
  constructor(readonly request: NewPipeline) {
    super();
  }
}

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

interface PipelineNaming extends PipelineChange {
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
