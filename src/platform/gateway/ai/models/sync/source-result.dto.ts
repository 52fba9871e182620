import { ApiProperty } from '@nestjs/swagger';

export class SourceResultDto {
  @ApiProperty({ example: 'openai', description: 'A provider, or `catalog` for the open catalog.' })
  source!: string;

  @ApiProperty({
    enum: ['done', 'failed', 'skipped'],
    description: '`skipped`: it has no address or no credential of the platform.',
  })
  outcome!: 'done' | 'failed' | 'skipped';

  @ApiProperty({ type: 'string', nullable: true, example: 'The response has status 503.' })
  detail!: string | null;

  @ApiProperty({ type: 'integer', example: 42, description: 'Models that it has and that a route serves.' })
  models!: number;

  @ApiProperty({ type: 'integer', example: 0, description: 'Malformed items that were left out.' })
  rejected!: number;
}

export class ModelSyncDto {
  @ApiProperty({ type: () => [SourceResultDto] })
  sources!: readonly SourceResultDto[];
}
