import { ApiPropertyOptional } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import {
  ArrayMaxSize,
  ArrayMinSize,
  IsArray,
  IsIn,
  IsObject,
  ValidateIf,
  ValidateNested,
} from 'class-validator';
import type { Platform } from '#libs/content';
import { WhenSent } from '#libs/http';
import { PLATFORMS } from '../../../integrations/index.js';
import { BatchEntryDto, MAX_BATCH, SharedContentDto } from './batch.dto.js';
import { SentTargetDto } from './target.dto.js';

/** A content for one network (`platform`, `text`), or one for several accounts (`posts`). Nothing is saved. */
export class PreflightDto extends SharedContentDto {
  @ApiPropertyOptional({
    description: 'The network of a single post. Required without `posts`, refused with it.',
    enum: PLATFORMS,
    enumName: 'Platform',
    example: 'x',
  })
  @ValidateIf(({ platform, posts }: PreflightDto) => platform !== undefined || posts === undefined)
  @IsIn(PLATFORMS)
  platform?: Platform;

  @ApiPropertyOptional({ description: 'Of a single post.', type: () => SentTargetDto })
  @WhenSent()
  @IsObject()
  @ValidateNested()
  @Type(() => SentTargetDto)
  target?: SentTargetDto;

  @ApiPropertyOptional({
    description: 'Several posts, as `POST /api/posts/batch` takes them.',
    type: () => [BatchEntryDto],
    minItems: 1,
    maxItems: MAX_BATCH,
  })
  @WhenSent()
  @IsArray()
  @ArrayMinSize(1)
  @ArrayMaxSize(MAX_BATCH)
  @IsObject({ each: true })
  @ValidateNested({ each: true })
  @Type(() => BatchEntryDto)
  posts?: BatchEntryDto[];
}
