import { ApiProperty, ApiPropertyOptional, PartialType, PickType } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import { ArrayMaxSize, ArrayMinSize, IsArray, IsIn, IsObject, IsUUID, ValidateNested } from 'class-validator';
import type { Finding, Platform } from '#libs/content';
import { is, IsInstant, shape, WhenSent, WhenSentOrNull } from '#libs/http';
import { PLATFORMS } from '../../../integrations/index.js';
import { IF_LATE, type IfLate } from '../../domain/late-window.js';
import type { PostWarning } from '../../domain/warnings.js';
import type { PostItem } from '../../views/post-item.js';
import { ContentDto } from './content.dto.js';
import { IF_LATE_PROPERTY } from './write-post.dto.js';
import { WrittenPostDto } from './post.dto.js';

export const MAX_BATCH = 50;

const SHARED = ['text', 'title', 'mediaIds', 'link', 'options'] as const;
const TIME = {
  type: 'string',
  nullable: true,
  format: 'date-time',
  example: '2026-12-01T09:00:00Z',
} as const;

/** What one post of a batch has of its own. Fields that are not sent are those of the batch. */
export class BatchEntryDto extends PartialType(PickType(ContentDto, [...SHARED, 'target']), {
  skipNullProperties: false,
}) {
  @ApiProperty({
    description: 'The network of the post. `target.connectionId` names the account.',
    enum: PLATFORMS,
    enumName: 'Platform',
    example: 'x',
  })
  @IsIn(PLATFORMS)
  platform!: Platform;

  @ApiPropertyOptional({
    ...TIME,
    description: 'Instead of the time of the batch; null: a draft without a time.',
  })
  @WhenSentOrNull()
  @IsInstant()
  scheduledAt?: string | null;
}

/** One content for several accounts. */
export class SharedContentDto extends PartialType(PickType(ContentDto, [...SHARED]), {
  skipNullProperties: false,
}) {
  @ApiPropertyOptional({
    description: 'The brand of the posts; X-Brand-ID can name it instead.',
    format: 'uuid',
    example: '01936d2e-7c1a-7b3e-9f52-3f6f0c9a4e11',
  })
  @WhenSent()
  @IsUUID()
  brandId?: string;

  @ApiPropertyOptional(IF_LATE_PROPERTY)
  @WhenSentOrNull()
  @IsIn(IF_LATE)
  ifLate?: IfLate | null;

  @ApiPropertyOptional({
    ...TIME,
    description: 'Publication time of all posts: RFC 3339 with an offset, in the future, within five years.',
  })
  @WhenSentOrNull()
  @IsInstant()
  scheduledAt?: string | null;
}

export class CreatePostsDto extends SharedContentDto {
  @ApiProperty({
    description: 'One for each account; no account twice.',
    type: () => [BatchEntryDto],
    minItems: 1,
    maxItems: MAX_BATCH,
  })
  @IsArray()
  @ArrayMinSize(1)
  @ArrayMaxSize(MAX_BATCH)
  @IsObject({ each: true })
  @ValidateNested({ each: true })
  @Type(() => BatchEntryDto)
  posts!: BatchEntryDto[];

  @ApiPropertyOptional({
    description: 'Submits the posts for approval. Posts of service principals are always suggestions.',
    enum: ['suggestion'],
    example: 'suggestion',
  })
  @WhenSent()
  @IsIn(['suggestion'])
  origin?: 'suggestion';
}

export class FindingDto extends shape({
  ruleId: is.text({ description: 'Stable name of the rule.', example: 'x.text.too-long' }),
  severity: is.text<'error' | 'warning'>({
    description: 'A post with an `error` cannot be published.',
    enum: ['error', 'warning'],
    example: 'error',
  }),
  message: is.text({ example: 'The text is longer than the network takes.' }),
  pointer: is.text({ description: 'JSON pointer into the post.', example: '#/text' }),
}) {
  static of({ ruleId, severity, message, pointer }: Finding): FindingDto {
    return { ruleId, severity, message, pointer };
  }
}

export class BatchPostDto extends shape(
  {
    findings: is.list(() => FindingDto, {
      description: 'What the rules of its network say about the content.',
    }),
  },
  WrittenPostDto,
) {
  static ofBatch(
    post: PostItem,
    warnings: readonly PostWarning[],
    findings: readonly Finding[],
  ): BatchPostDto {
    return {
      ...WrittenPostDto.ofWritten(post, warnings),
      findings: findings.map((finding) => FindingDto.of(finding)),
    };
  }
}

export class CreatedPostsDto extends shape({
  posts: is.list(() => BatchPostDto, { description: 'In the order of the request.' }),
}) {}
