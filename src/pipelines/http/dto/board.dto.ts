import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { IsNumber, IsString, IsUUID, MaxLength } from 'class-validator';
import {
  CursorParameter,
  DEFAULT_LIMIT,
  IdFilter,
  LimitParameter,
  ListQuery,
  ListWarningsDto,
  MAX_LIMIT,
  trimmed,
  WhenSent,
  WhenSentOrNull,
} from '#libs/http';
import type { CardDetails } from '../../views/card.view.js';
import { StageDto } from './pipeline.dto.js';

const MAX_NOTE = 2_000;

/** An id in lower case, the form for comparisons. */
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

/** A contact in a stage. */
export class CardDto {
  @ApiProperty({ format: 'uuid', example: '01936d2e-7c1a-7b3e-9f52-3f6f0c9a4e77' })
  contactId!: string;

  @ApiProperty({ format: 'uuid', example: '01936d2e-7c1a-7b3e-9f52-3f6f0c9a4e22' })
  pipelineId!: string;

  @ApiProperty({ format: 'uuid', example: '01936d2e-7c1a-7b3e-9f52-3f6f0c9a4e33' })
  stageId!: string;

  @ApiProperty({ description: 'Of the contact.', type: 'string', nullable: true, example: 'Ada Lovelace' })
  name!: string | null;

  @ApiProperty({ description: 'Of the contact.', type: 'string', nullable: true, example: 'ada@example.com' })
  email!: string | null;

  @ApiProperty({ description: 'Of the contact.', type: 'string', nullable: true, example: 'Acme' })
  company!: string | null;

  @ApiProperty({
    description: 'Cards of a stage are in ascending order of it, then of `enteredAt`.',
    type: 'number',
    format: 'double',
    example: 1,
  })
  position!: number;

  @ApiProperty({
    description: 'When the contact entered the stage.',
    format: 'date-time',
    example: '2026-11-21T09:00:00.000Z',
  })
  enteredAt!: string;

  @ApiProperty({
    description: 'Increases with every move; the ETag of a move contains it (`"v3"`).',
    type: 'integer',
    example: 1,
  })
  version!: number;

  static of(card: CardDetails): CardDto {
    const { contactId, pipelineId, stageId, name, email, company, position, enteredAt, version } = card;
    return { contactId, pipelineId, stageId, name, email, company, position, enteredAt, version };
  }
}

export class BoardStageDto extends StageDto {
  @ApiPropertyOptional({
    description: 'Cards of the stage on all pages, up to 1 000.',
    type: 'integer',
    example: 1,
  })
  total?: number;

  @ApiPropertyOptional({
    description: 'The stage has more cards than this, and they were counted no further: `total` is left out.',
    type: 'integer',
    example: 1000,
  })
  totalExceeds?: number;

  @ApiProperty({ type: () => [CardDto] })
  cards!: CardDto[];

  @ApiProperty({
    description: 'Pass as `cursor`, with `stageId`, for the next page of this stage; null on the last page.',
    type: 'string',
    nullable: true,
  })
  nextCursor!: string | null;
}

export class BoardDto extends ListWarningsDto {
  @ApiProperty({ format: 'uuid', example: '01936d2e-7c1a-7b3e-9f52-3f6f0c9a4e22' })
  pipelineId!: string;

  @ApiProperty({ description: 'Of the pipeline.', example: 'Partnerships' })
  name!: string;

  @ApiProperty({ description: 'In the order of the board.', type: () => [BoardStageDto] })
  stages!: BoardStageDto[];
}
