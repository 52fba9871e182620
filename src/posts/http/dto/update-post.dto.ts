import { ApiPropertyOptional, PartialType, PickType } from '@nestjs/swagger';
import { IsIn } from 'class-validator';
import { IsInstant, WhenSent, WhenSentOrNull } from '#libs/http';
import { ContentDto } from './content.dto.js';
import { CreatePostDto } from './create-post.dto.js';

/** Fields that are not sent stay as they are. Brand, network and place in a thread are fixed. */
export class UpdatePostDto extends PartialType(
  PickType(ContentDto, ['text', 'title', 'mediaIds', 'link', 'target']),
  {
    skipNullProperties: false,
  },
) {
  @ApiPropertyOptional({
    description:
      '`draft` takes it out of the schedule and clears a failure; `scheduled` needs a time, sent or there already.',
    enum: ['draft', 'scheduled'],
  })
  @WhenSent()
  @IsIn(['draft', 'scheduled'])
  status?: 'draft' | 'scheduled';

  @ApiPropertyOptional({
    description:
      'RFC 3339 with an offset, ahead of now, by five years at most; null takes it out of the schedule like `status: "draft"`, and takes back the time that a suggestion asks for. Setting it takes calendar.write.',
    type: 'string',
    nullable: true,
    format: 'date-time',
    example: '2026-12-01T09:00:00Z',
  })
  @WhenSentOrNull()
  @IsInstant()
  scheduledAt?: string | null;
}

export class PreflightDto extends PickType(CreatePostDto, [
  'platform',
  'text',
  'title',
  'mediaIds',
  'link',
] as const) {}
