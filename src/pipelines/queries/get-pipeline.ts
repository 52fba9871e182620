import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import type { Caller } from '#libs/auth';
import type { PipelineDetails } from '../views/pipeline.view.js';
import { PipelinesAccess } from '../access/pipelines.access.js';

export interface GetPipelineRequest {
  readonly pipelineId: string;
  readonly caller: Caller;
}

/** @throws PipelineNotFound, ScopeIsMissing */
export class GetPipeline extends Query<PipelineDetails> {
  constructor(readonly request: GetPipelineRequest) {
    super();
  }
}

@QueryHandler(GetPipeline)
export class GetPipelineHandler implements IQueryHandler<GetPipeline> {
  constructor(private readonly access: PipelinesAccess) {}

  execute({ request: { pipelineId, caller } }: GetPipeline): Promise<PipelineDetails> {
    return this.access.pipeline(pipelineId, caller);
  }
}
