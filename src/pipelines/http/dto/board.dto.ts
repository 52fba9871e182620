import { ApiProperty } from '@nestjs/swagger';
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
    description: 'When the contact came into the stage.',
    format: 'date-time',
    example: '2026-11-21T09:00:00.000Z',
  })
  enteredAt!: string;

  @ApiProperty({
    description: 'Goes up with every move; the ETag of a move is made of it (`"v3"`).',
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
  @ApiProperty({ description: 'Cards of the stage, all pages together.', type: 'integer', example: 1 })
  total!: number;

  @ApiProperty({ type: () => [CardDto] })
  cards!: CardDto[];

  @ApiProperty({
    description: 'Pass as `cursor`, with `stageId`, for more of this stage; null when there are none.',
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

  @ApiProperty({ description: 'In their order.', type: () => [BoardStageDto] })
  stages!: BoardStageDto[];
}
