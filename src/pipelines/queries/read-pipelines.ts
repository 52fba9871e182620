import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { type Caller, organizationsFor } from '#libs/auth';
import { Database, statement } from '#libs/database';
import { RequestQuery } from '#libs/messages';
import type { PipelineDto } from '../dto/pipeline.dto.js';
import { PipelinesAccess } from '../access/pipelines.access.js';
import { DefaultPipelines } from '../access/pipelines.defaults.js';
import { detailsOfRow, PIPELINE_COLUMNS, type PipelineRow } from '../views/pipeline.view.js';

export class GetPipeline extends RequestQuery<{ pipelineId: string; caller: Caller }, PipelineDto> {}

@QueryHandler(GetPipeline)
export class GetPipelineHandler implements IQueryHandler<GetPipeline> {
  constructor(private readonly access: PipelinesAccess) {}

  execute({ request: { pipelineId, caller } }: GetPipeline): Promise<PipelineDto> {
    return this.access.pipeline(pipelineId, caller);
  }
}

interface PipelineList {
  readonly caller: Caller;
  readonly organizationId?: string;
  /** `createdAt` and id of the last pipeline of the previous page. */
  readonly after: readonly (string | number | null)[] | null;
  readonly limit: number;
}

interface PipelinesFound {
  readonly pipelines: PipelineDto[];
  readonly total: number;
}

/** Those of the caller's organizations, oldest first; missing default pipelines are created. */
export class ListPipelines extends RequestQuery<PipelineList, PipelinesFound> {}

const OF_ORGANIZATIONS =
  'pipelines.pipeline_view p WHERE p.organization_id = ANY($1::uuid[]) AND NOT p.archived';

const LIST = statement(
  'list_pipelines',
  `SELECT ${PIPELINE_COLUMNS} FROM ${OF_ORGANIZATIONS}
     AND ($2::timestamptz IS NULL OR (p.created_at, p.id) > ($2, $3::uuid))
   ORDER BY p.created_at, p.id LIMIT $4`,
);

const COUNT = statement('count_pipelines', `SELECT count(*)::int AS total FROM ${OF_ORGANIZATIONS}`);

@QueryHandler(ListPipelines)
export class ListPipelinesHandler implements IQueryHandler<ListPipelines> {
  constructor(
    private readonly database: Database,
    private readonly defaults: DefaultPipelines,
  ) {}

  async execute({
    request: { caller, organizationId, after, limit },
  }: ListPipelines): Promise<PipelinesFound> {
    const organizationIds = organizationsFor(caller, 'pipelines.read', organizationId);
    await this.defaults.ensure(organizationIds);
    const [createdAt = null, id = null] = after ?? [];
    const rows = await this.database.query<PipelineRow>(LIST, [organizationIds, createdAt, id, limit]);
    const [count] = await this.database.query<{ total: number }>(COUNT, [organizationIds]);
    return { pipelines: rows.map(detailsOfRow), total: count?.total ?? 0 };
  }
}
