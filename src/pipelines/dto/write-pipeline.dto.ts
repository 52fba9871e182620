import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import {
  ArrayMaxSize,
  ArrayMinSize,
  ArrayUnique,
  IsArray,
  IsInt,
  IsString,
  IsUUID,
  Matches,
  Min,
} from 'class-validator';
import { IsName, NAME, trimmed, WhenSent } from '#libs/http';
import { DEFAULT_STAGES, MAX_STAGES, nameKey } from '../domain/pipeline.js';

const A_NAME = { description: 'One line of 1 to 120 characters.', minLength: 1, maxLength: 120 };

const keyOf = (name: unknown): unknown => (typeof name === 'string' ? nameKey(name) : name);

export class CreatePipelineDto {
  @ApiProperty({ ...A_NAME, example: 'Partnerships' })
  @IsName()
  name!: string;

  @ApiPropertyOptional({
    description:
      'Names of the stages in the order of the board, 1 to 50 of them, none twice whatever their case. Left out: those of a default pipeline.',
    type: [String],
    minItems: 1,
    maxItems: MAX_STAGES,
    default: DEFAULT_STAGES,
    example: ['First call', 'Contract', 'Signed'],
  })
  @Transform(({ value }: { value: unknown }) => (Array.isArray(value) ? value.map(trimmed) : value))
  @WhenSent()
  @IsArray()
  @ArrayMinSize(1)
  @ArrayMaxSize(MAX_STAGES)
  @IsString({ each: true })
  @Matches(NAME, {
    each: true,
    message: 'each must be one line of 1 to 120 characters',
    context: { code: 'not_a_name' },
  })
  @ArrayUnique(keyOf, { message: 'must not name a stage twice', context: { code: 'not_unique' } })
  stages?: string[];

  @ApiPropertyOptional({
    description: 'Optional for callers with one organization.',
    format: 'uuid',
    example: '01936d2e-7c1a-7b3e-9f52-3f6f0c9a4e22',
  })
  @WhenSent()
  @IsUUID()
  organizationId?: string;
}

export class RenameDto {
  @ApiProperty({ ...A_NAME, example: 'Renewal' })
  @IsName()
  name!: string;
}

export class AddStageDto {
  @ApiProperty({ ...A_NAME, example: 'Follow-up' })
  @IsName()
  name!: string;

  @ApiPropertyOptional({
    description: 'Position among the stages, from 0. Default, and for larger numbers: the end.',
    type: 'integer',
    minimum: 0,
    example: 0,
  })
  @WhenSent()
  @IsInt()
  @Min(0)
  position?: number;
}

export class ReorderStagesDto {
  @ApiProperty({
    description: 'The ids of all stages of the pipeline, each once, in the new order.',
    type: [String],
    minItems: 1,
    maxItems: MAX_STAGES,
    items: { type: 'string', format: 'uuid' },
    example: ['01936d2e-7c1a-7b3e-9f52-3f6f0c9a4e44', '01936d2e-7c1a-7b3e-9f52-3f6f0c9a4e33'],
  })
  @Transform(({ value }: { value: unknown }) =>
    Array.isArray(value)
      ? value.map((id: unknown) => (typeof id === 'string' ? id.toLowerCase() : id))
      : value,
  )
  @IsArray()
  @ArrayMinSize(1)
  @ArrayMaxSize(MAX_STAGES)
  @IsUUID(undefined, { each: true })
  @ArrayUnique({ message: 'must not name a stage twice', context: { code: 'not_unique' } })
  stageIds!: string[];
}
