import { ApiPropertyOptional, PartialType, PickType } from '@nestjs/swagger';
import { IsIn } from 'class-validator';
import { IsInstant, WhenSent, WhenSentOrNull } from '#libs/http';
import { IF_LATE, type IfLate } from '../../domain/late-window.js';
import { ContentDto } from './content.dto.js';
import { IF_LATE_PROPERTY } from './if-late.dto.js';

/** Fields that are not sent stay unchanged. Brand, network and position in a thread cannot change. */
export class UpdatePostDto extends PartialType(
  PickType(ContentDto, ['text', 'title', 'mediaIds', 'link', 'target', 'options']),
  {
    skipNullProperties: false,
  },
) {
  @ApiPropertyOptional({
    description:
      '`draft` unschedules the post and clears a failure; `scheduled` needs a time, sent or stored.',
    enum: ['draft', 'scheduled'],
  })
  @WhenSent()
  @IsIn(['draft', 'scheduled'])
  status?: 'draft' | 'scheduled';

  @ApiPropertyOptional({
    description:
      'RFC 3339 with an offset, in the future, within five years. null unschedules the post like `status: "draft"` and withdraws the proposed time of a suggestion. Setting it needs calendar.write.',
    type: 'string',
    nullable: true,
    format: 'date-time',
    example: '2026-12-01T09:00:00Z',
  })
  @WhenSentOrNull()
  @IsInstant()
  scheduledAt?: string | null;

  @ApiPropertyOptional(IF_LATE_PROPERTY)
  @WhenSentOrNull()
  @IsIn(IF_LATE)
  ifLate?: IfLate | null;
}
