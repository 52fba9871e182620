import { is, shape } from '#libs/http';

export class StageDto extends shape({
  id: is.uuid({ example: '01936d2e-7c1a-7b3e-9f52-3f6f0c9a4e33' }),
  name: is.text({ example: 'Lead' }),
  position: is.integer({ description: 'Position on the board, from 0.', example: 0 }),
}) {}

export class WrittenStageDto extends shape(
  {
    pipelineId: is.uuid({ example: '01936d2e-7c1a-7b3e-9f52-3f6f0c9a4e22' }),
    version: is.integer({
      description: 'Version of the pipeline, whose ETag covers its stages.',
      example: 2,
    }),
  },
  StageDto,
) {
  static in({ id: pipelineId, stages, version }: PipelineDto, stageId: string): WrittenStageDto {
    const position = stages.findIndex(({ id }) => id === stageId);
    return { id: stageId, name: stages[position]?.name ?? '', position, pipelineId, version };
  }
}

export class PipelineDto extends shape({
  id: is.uuid({ example: '01936d2e-7c1a-7b3e-9f52-3f6f0c9a4e22' }),
  organizationId: is.uuid({ example: '01936d2e-7c1a-7b3e-9f52-3f6f0c9a4e11' }),
  name: is.text({ example: 'Partnerships' }),
  isDefault: is.flag({
    description: 'The default pipeline of the organization; it cannot be archived.',
    example: false,
  }),
  archived: is.flag({
    description: 'Archived pipelines are returned only by the request that archives them.',
    example: false,
  }),
  stages: is.list(() => StageDto, { description: 'In the order of the board; at least one.' }),
  version: is.integer({
    description: 'Increases with every change of the pipeline or its stages; the ETag contains it.',
    example: 1,
  }),
  createdAt: is.instant({ example: '2026-11-21T09:00:00.000Z' }),
  updatedAt: is.instant({ example: '2026-11-21T09:00:00.000Z' }),
}) {}
