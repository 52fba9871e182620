import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { ListWarningsDto } from '#libs/http';
import type { CardDetails } from '../../views/card.view.js';
import { StageDto } from './pipeline.dto.js';

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
