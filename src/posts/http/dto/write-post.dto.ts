import { ApiProperty, ApiPropertyOptional, PartialType, PickType } from '@nestjs/swagger';
import { IsIn, IsInt, IsUUID, Max, Min } from 'class-validator';
import type { Platform } from '#libs/content';
import { IsInstant, WhenSent, WhenSentOrNull } from '#libs/http';
import { PLATFORMS } from '../../../integrations/index.js';
import { IF_LATE, type IfLate } from '../../domain/late-window.js';
import { ContentDto } from './content.dto.js';
import { MAX_THREAD_POSITION } from './text-rules.js';

/** How the field is described in requests and responses. */
export const IF_LATE_PROPERTY = {
  description:
    'What becomes of the post when it cannot be sent in its late window (six hours by default). null, the default: it fails, but time in which its network or account takes no posts does not count for up to three days, and the time until an operator has repaired something never does. `fail`: every delay counts, and a hold that ends too late fails it at once. `publish`: it is sent within a week.',
  enum: IF_LATE,
  nullable: true,
  example: null,
};

export class CreatePostDto extends ContentDto {
  @ApiPropertyOptional({
    description: 'The brand of the post; X-Brand-ID can name it instead.',
    format: 'uuid',
    example: '01936d2e-7c1a-7b3e-9f52-3f6f0c9a4e11',
  })
  @WhenSent()
  @IsUUID()
  brandId?: string;

  @ApiProperty({
    description: 'The network of the post.',
    enum: PLATFORMS,
    enumName: 'Platform',
    example: 'x',
  })
  @IsIn(PLATFORMS)
  platform!: Platform;

  @ApiPropertyOptional({
    description:
      '`scheduled` needs `scheduledAt`, `draft` refuses it. By default `scheduled` with a time, else `draft`.',
    enum: ['draft', 'scheduled'],
  })
  @WhenSent()
  @IsIn(['draft', 'scheduled'])
  status?: 'draft' | 'scheduled';

  @ApiPropertyOptional({
    description:
      'Publication time: RFC 3339 with an offset, in the future, within five years. For a suggestion it is a proposal. Setting it needs calendar.write.',
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

  @ApiPropertyOptional({
    description:
      'The thread of the post: `threadId` of another part in this brand. Without it, a position starts a new thread.',
    type: 'string',
    nullable: true,
    format: 'uuid',
    example: null,
  })
  @WhenSentOrNull()
  @IsUUID()
  threadId?: string | null;

  @ApiPropertyOptional({
    description:
      'Position in the thread, from 1; by default the next one. Without `threadId` it starts a new thread.',
    type: 'integer',
    nullable: true,
    minimum: 1,
    maximum: MAX_THREAD_POSITION,
    example: null,
  })
  @WhenSentOrNull()
  @IsInt()
  @Min(1)
  @Max(MAX_THREAD_POSITION)
  threadPosition?: number | null;

  @ApiPropertyOptional({
    description: 'Submits the post for approval. Posts of service principals are always suggestions.',
    enum: ['suggestion'],
    example: 'suggestion',
  })
  @WhenSent()
  @IsIn(['suggestion'])
  origin?: 'suggestion';
}

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
