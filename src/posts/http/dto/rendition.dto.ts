import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import { IsBoolean, IsIn, IsObject, IsOptional, ValidateNested } from 'class-validator';
import type { DeliveryFile, Platform } from '#libs/content';
import { is, shape, WhenSent } from '#libs/http';
import { PLATFORMS } from '../../../integrations/index.js';
import { SentPostOptionsDto } from './options.dto.js';

const orNull = { nullable: true, example: null };

export class RequestRenditionDto {
  @ApiProperty({
    description: 'The network that the file must fit.',
    enum: PLATFORMS,
    enumName: 'Platform',
    example: 'x',
  })
  @IsIn(PLATFORMS)
  platform!: Platform;

  @ApiPropertyOptional({
    description: 'The options of the post: a story may need another rendition than a post in the feed.',
    type: () => SentPostOptionsDto,
  })
  @WhenSent()
  @IsObject()
  @ValidateNested()
  @Type(() => SentPostOptionsDto)
  options?: SentPostOptionsDto;

  @ApiPropertyOptional({
    type: 'boolean',
    default: false,
    description:
      'Try once more what could not be made. Leave it out when you ask whether the rendition is ready.',
  })
  @IsOptional()
  @IsBoolean()
  again?: boolean;
}

export class RenditionDto extends shape({
  mediaId: is.uuid({ example: '01936d2e-7c1a-7b3e-9f52-3f6f0c9a4e77' }),
  platform: is.text<Platform>({ enum: PLATFORMS, enumName: 'Platform', example: 'x' }),
  status: is.text<'pending' | 'ready'>({
    description: '`pending`: the worker makes it; ask again. The other fields are null until it is `ready`.',
    enum: ['pending', 'ready'],
    example: 'ready',
  }),
  contentType: is.text({ example: 'image/jpeg' }).orNull,
  bytes: is.integer({ example: 412_000 }).orNull,
  width: is.integer({ description: 'Pixels, as shown.', example: 1600 }).orNull,
  height: is.integer({ description: 'Pixels, as shown.', example: 900 }).orNull,
  durationMs: is.of<number | null>({
    type: 'integer',
    ...orNull,
    description: 'Of animations and videos, in milliseconds.',
  }),
  url: is.of<string | null>({
    type: 'string',
    ...orNull,
    format: 'uri',
    description: 'Where the network fetches it; valid for at least 24 hours.',
  }),
}) {
  static of(mediaId: string, platform: Platform, file: DeliveryFile | null): RenditionDto {
    const { contentType = null, bytes = null, width = null, height = null, durationMs = null } = file ?? {};
    const facts = { contentType, bytes, width, height, durationMs };
    return { mediaId, platform, status: file ? 'ready' : 'pending', ...facts, url: file?.address() ?? null };
  }
}
