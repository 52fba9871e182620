import { ApiProperty } from '@nestjs/swagger';
import type { PipelineDetails } from '../../views/pipeline.view.js';

export class StageDto {
  @ApiProperty({ format: 'uuid', example: '01936d2e-7c1a-7b3e-9f52-3f6f0c9a4e33' })
  id!: string;

  @ApiProperty({ example: 'Lead' })
  name!: string;

  @ApiProperty({ description: 'Position on the board, from 0.', type: 'integer', example: 0 })
  position!: number;
}

/** One stage after a change. */
export class WrittenStageDto extends StageDto {
  @ApiProperty({ format: 'uuid', example: '01936d2e-7c1a-7b3e-9f52-3f6f0c9a4e22' })
  pipelineId!: string;

  @ApiProperty({
    description: 'Version of the pipeline, whose ETag covers its stages.',
    type: 'integer',
    example: 2,
  })
  version!: number;

  static in({ id: pipelineId, stages, version }: PipelineDetails, stageId: string): WrittenStageDto {
    const position = stages.findIndex(({ id }) => id === stageId);
    return { id: stageId, name: stages[position]?.name ?? '', position, pipelineId, version };
  }
}

export class PipelineDto {
  @ApiProperty({ format: 'uuid', example: '01936d2e-7c1a-7b3e-9f52-3f6f0c9a4e22' })
  id!: string;

  @ApiProperty({ format: 'uuid', example: '01936d2e-7c1a-7b3e-9f52-3f6f0c9a4e11' })
  organizationId!: string;

  @ApiProperty({ example: 'Partnerships' })
  name!: string;

  @ApiProperty({
    description: 'The default pipeline of the organization; it cannot be archived.',
    example: false,
  })
  isDefault!: boolean;

  @ApiProperty({
    description: 'Archived pipelines are returned only by the request that archives them.',
    example: false,
  })
  archived!: boolean;

  @ApiProperty({ description: 'In the order of the board; at least one.', type: () => [StageDto] })
  stages!: StageDto[];

  @ApiProperty({
    description: 'Increases with every change of the pipeline or its stages; the ETag contains it.',
    type: 'integer',
    example: 1,
  })
  version!: number;

  @ApiProperty({ format: 'date-time', example: '2026-11-21T09:00:00.000Z' })
  createdAt!: string;

  @ApiProperty({ format: 'date-time', example: '2026-11-21T09:00:00.000Z' })
  updatedAt!: string;

  static of(pipeline: PipelineDetails): PipelineDto {
    const { id, organizationId, name, isDefault, archived, version, createdAt, updatedAt } = pipeline;
    const stages = pipeline.stages.map((stage, position) => ({ id: stage.id, name: stage.name, position }));
    return { id, organizationId, name, isDefault, archived, stages, version, createdAt, updatedAt };
  }
}
