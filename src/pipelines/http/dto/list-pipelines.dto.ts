import { ApiPropertyOptional } from '@nestjs/swagger';
import { CursorParameter, DEFAULT_LIMIT, IdFilter, LimitParameter, ListQuery, MAX_LIMIT } from '#libs/http';

export class ListPipelinesQuery extends ListQuery {
  @ApiPropertyOptional({
    description: 'Only those of this organization. Left out: of all organizations of the caller.',
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
    description: '`nextCursor` of that stage on the page before; opaque, and nothing without its `stageId`.',
  })
  @CursorParameter()
  cursor?: string;
}
