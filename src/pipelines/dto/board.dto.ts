import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { IsNumber, IsString, IsUUID, MaxLength } from 'class-validator';
import {
  CursorParameter,
  DEFAULT_LIMIT,
  IdFilter,
  is,
  LimitParameter,
  ListQuery,
  ListWarningsDto,
  MAX_LIMIT,
  shape,
  trimmed,
  WhenSent,
  WhenSentOrNull,
} from '#libs/http';
import { StageDto } from './pipeline.dto.js';

const MAX_NOTE = 2_000;

const LowerCase = (): PropertyDecorator =>
  Transform(({ value }: { value: unknown }) => (typeof value === 'string' ? value.toLowerCase() : value));

export class MoveContactDto {
  @ApiProperty({
    description: 'The target stage. The contact leaves its current stage of the same pipeline.',
    format: 'uuid',
    example: '01936d2e-7c1a-7b3e-9f52-3f6f0c9a4e33',
  })
  @LowerCase()
  @IsUUID()
  stageId!: string;

  @ApiPropertyOptional({
    description: 'The expected pipeline of the stage: 404 when the stage belongs to another one.',
    format: 'uuid',
    example: '01936d2e-7c1a-7b3e-9f52-3f6f0c9a4e22',
  })
  @LowerCase()
  @WhenSent()
  @IsUUID()
  pipelineId?: string;

  @ApiPropertyOptional({
    description:
      'Cards of a stage are in ascending order of it, those with the same in the order they came. Any finite number: between two cards is between their numbers. Cards that come too close to one another are spread out again, in the same order, so read the board before the next move. Left out or null: the end of the stage; where it is, when it is in the stage already.',
    type: 'number',
    format: 'double',
    nullable: true,
    example: 2.5,
  })
  @WhenSentOrNull()
  @IsNumber({ allowNaN: false, allowInfinity: false })
  position?: number | null;

  @ApiPropertyOptional({
    description: `The reason, for the history: up to ${MAX_NOTE} characters. Not stored when the contact is in the stage already.`,
    type: 'string',
    nullable: true,
    maxLength: MAX_NOTE,
    example: 'Signed after the second call.',
  })
  @Transform(({ value }: { value: unknown }) => trimmed(value))
  @WhenSentOrNull()
  @IsString()
  @MaxLength(MAX_NOTE)
  note?: string | null;
}

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

export class CardDto extends shape({
  contactId: is.uuid({ example: '01936d2e-7c1a-7b3e-9f52-3f6f0c9a4e77' }),
  pipelineId: is.uuid({ example: '01936d2e-7c1a-7b3e-9f52-3f6f0c9a4e22' }),
  stageId: is.uuid({ example: '01936d2e-7c1a-7b3e-9f52-3f6f0c9a4e33' }),
  name: is.text({ description: 'Of the contact.', example: 'Ada Lovelace' }).orNull,
  email: is.text({ description: 'Of the contact.', example: 'ada@example.com' }).orNull,
  company: is.text({ description: 'Of the contact.', example: 'Acme' }).orNull,
  position: is.of<number>({
    description: 'Cards of a stage are in ascending order of it, then of `enteredAt`.',
    type: 'number',
    format: 'double',
    example: 1,
  }),
  enteredAt: is.instant({
    description: 'When the contact entered the stage.',
    example: '2026-11-21T09:00:00.000Z',
  }),
  version: is.integer({
    description: 'Increases with every move; the ETag of a move contains it (`"v3"`).',
    example: 1,
  }),
}) {}

export class BoardStageDto extends shape(
  {
    total: is.integer({ description: 'Cards of the stage on all pages, up to 1 000.', example: 1 }).optional,
    totalExceeds: is.integer({
      description:
        'The stage has more cards than this, and they were counted no further: `total` is left out.',
      example: 1000,
    }).optional,
    cards: is.list(() => CardDto),
    nextCursor: is.text({
      description:
        'Pass as `cursor`, with `stageId`, for the next page of this stage; null on the last page.',
    }).orNull,
  },
  StageDto,
) {}

export class BoardDto extends shape(
  {
    pipelineId: is.uuid({ example: '01936d2e-7c1a-7b3e-9f52-3f6f0c9a4e22' }),
    name: is.text({ description: 'Of the pipeline.', example: 'Partnerships' }),
    stages: is.list(() => BoardStageDto, { description: 'In the order of the board.' }),
  },
  ListWarningsDto,
) {}
