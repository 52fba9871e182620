import type { IQueryHandler } from '@nestjs/cqrs';
import { Query, QueryHandler } from '@nestjs/cqrs';
import type { Caller } from '#libs/auth';
import type { PipelineDetails } from '../views/pipeline.view.js';
import { PipelinesAccess } from '../access/pipelines.access.js';

/** @throws PipelineNotFound, ScopeIsMissing */
export class GetPipeline extends Query<PipelineDetails> {
  constructor(
    readonly pipelineId: string,
    readonly caller: Caller,
  ) {
    super();
  }
}

@QueryHandler(GetPipeline)
export class GetPipelineHandler implements IQueryHandler<GetPipeline> {
  constructor(private readonly access: PipelinesAccess) {}

  execute({ pipelineId, caller }: GetPipeline): Promise<PipelineDetails> {
    return this.access.pipeline(pipelineId, caller);
  }
}
