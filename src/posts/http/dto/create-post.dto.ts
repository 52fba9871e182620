import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsIn, IsInt, IsUUID, Max, Min } from 'class-validator';
import type { Platform } from '#libs/content';
import { IsInstant, WhenSent, WhenSentOrNull } from '#libs/http';
import { PLATFORMS } from '../../../integrations/index.js';
import { ContentDto } from './content.dto.js';
import { MAX_THREAD_POSITION } from './text-rules.js';

export class CreatePostDto extends ContentDto {
  @ApiPropertyOptional({
    description: 'The brand it is for; may be named by X-Brand-ID instead.',
    format: 'uuid',
    example: '01936d2e-7c1a-7b3e-9f52-3f6f0c9a4e11',
  })
  @WhenSent()
  @IsUUID()
  brandId?: string;

  @ApiProperty({ description: 'The network it is for.', enum: PLATFORMS, enumName: 'Platform', example: 'x' })
  @IsIn(PLATFORMS)
  platform!: Platform;

  @ApiPropertyOptional({
    description: '`scheduled` needs `scheduledAt`, `draft` refuses it; without a status the time decides.',
    enum: ['draft', 'scheduled'],
  })
  @WhenSent()
  @IsIn(['draft', 'scheduled'])
  status?: 'draft' | 'scheduled';

  @ApiPropertyOptional({
    description:
      'When it goes out: RFC 3339 with an offset, ahead of now, by five years at most. For a suggestion it is a proposal. Setting it takes calendar.write.',
    type: 'string',
    nullable: true,
    format: 'date-time',
    example: '2026-12-01T09:00:00Z',
  })
  @WhenSentOrNull()
  @IsInstant()
  scheduledAt?: string | null;

  @ApiPropertyOptional({
    description:
      'The thread it is a part of: `threadId` of another part, which exists in this brand. Without it, a position begins a new thread.',
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
      'Place in the thread, from 1; without it, the next. Without `threadId` it begins a new thread.',
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
    description:
      'Asks for approval. What service principals create is a suggestion whether they say so or not.',
    enum: ['suggestion'],
    example: 'suggestion',
  })
  @WhenSent()
  @IsIn(['suggestion'])
  origin?: 'suggestion';
}
