import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import {
  ArrayMaxSize,
  ArrayUnique,
  IsArray,
  IsDefined,
  IsObject,
  IsString,
  IsUUID,
  ValidateNested,
} from 'class-validator';
import { WhenSent, WhenSentOrNull } from '#libs/http';
import type { PostContent } from '../../domain/post.events.js';
import { type ContentChanges, NO_CONTENT, withChanges } from '../../domain/writing.js';
import { optionsIn, SentPostOptionsDto } from './options.dto.js';
import { SentTargetDto, targetIn } from './target.dto.js';
import { IsWebAddress, MAX_LINK, MAX_MEDIA, MAX_TEXT, MAX_TITLE, MaxCodePoints } from './text-rules.js';

/** The content in request bodies. Text is kept in Unicode NFC. */
export class ContentDto {
  @ApiProperty({
    description: `At most ${MAX_TEXT} code points; preflight checks the limit of the network. Empty only with media.`,
    maxLength: MAX_TEXT,
    example: 'Our new roast is here.',
  })
  @IsDefined()
  @IsString()
  @MaxCodePoints(MAX_TEXT)
  text!: string;

  @ApiPropertyOptional({
    description: 'For networks with titles.',
    type: 'string',
    nullable: true,
    maxLength: MAX_TITLE,
    example: null,
  })
  @WhenSentOrNull()
  @IsString()
  @MaxCodePoints(MAX_TITLE)
  title?: string | null;

  @ApiPropertyOptional({
    description: 'Ids of the media library, in display order. New ids must exist.',
    type: [String],
    format: 'uuid',
    maxItems: MAX_MEDIA,
    example: [],
  })
  @WhenSent()
  @IsArray()
  @ArrayMaxSize(MAX_MEDIA)
  @ArrayUnique({ message: 'must not name a file twice' })
  @IsUUID(undefined, { each: true })
  mediaIds?: string[];

  @ApiPropertyOptional({
    description: 'An http or https address shown with the text.',
    type: 'string',
    nullable: true,
    format: 'uri',
    maxLength: MAX_LINK,
    example: 'https://example.com/roast',
  })
  @WhenSentOrNull()
  @IsWebAddress()
  link?: string | null;

  @ApiPropertyOptional({
    description: 'On update, parts that are not sent stay; null removes a part.',
    type: () => SentTargetDto,
  })
  @WhenSent()
  @IsObject()
  @ValidateNested()
  @Type(() => SentTargetDto)
  target?: SentTargetDto;

  @ApiPropertyOptional({
    description: 'On update, options that are not sent stay; null removes an option.',
    type: () => SentPostOptionsDto,
  })
  @WhenSent()
  @IsObject()
  @ValidateNested()
  @Type(() => SentPostOptionsDto)
  options?: SentPostOptionsDto;
}

/** The fields that were sent; undefined stays undefined. */
export function changesIn(body: Partial<ContentDto>): ContentChanges {
  const { text, title, link } = body;
  return {
    text,
    title,
    link,
    mediaIds: body.mediaIds?.map((id) => id.toLowerCase()),
    target: body.target && targetIn(body.target),
    options: body.options && optionsIn(body.options),
  };
}

/** A whole content; fields that were not sent are empty. */
export const contentIn = (body: ContentDto): PostContent => withChanges(NO_CONTENT, changesIn(body));
