import { ApiPropertyOptional } from '@nestjs/swagger';
import { CursorParameter, DEFAULT_LIMIT, IdFilter, LimitParameter, ListQuery, MAX_LIMIT } from '#libs/http';

export class ListPipelinesQuery extends ListQuery {
  @ApiPropertyOptional({
    description: 'Only pipelines of this organization. Default: all organizations of the caller.',
    format: 'uuid',
  })
  @IdFilter()
  organizationId?: string;
}

export class ListMovementsQuery extends ListQuery {
  @ApiPropertyOptional({ description: 'Only movements in this pipeline.', format: 'uuid' })
  @IdFilter()
  pipelineId?: string;
}

/** Values out of bounds are clamped, invalid ones ignored. */
export class BoardQuery {
  @ApiPropertyOptional({
    description: 'Cards per stage; clamped to 1…100.',
    type: 'integer',
    default: DEFAULT_LIMIT,
    minimum: 1,
    maximum: MAX_LIMIT,
  })
  @LimitParameter()
  limitPerStage: number = DEFAULT_LIMIT;

  @ApiPropertyOptional({ description: 'Only this stage.', format: 'uuid' })
  @IdFilter()
  stageId?: string;

  @ApiPropertyOptional({
    description: '`nextCursor` of the stage on the previous page; opaque, and ignored without `stageId`.',
  })
  @CursorParameter()
  cursor?: string;
}
