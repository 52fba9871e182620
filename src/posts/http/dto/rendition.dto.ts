import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import { IsBoolean, IsIn, IsObject, IsOptional, ValidateNested } from 'class-validator';
import type { DeliveryFile, Platform } from '#libs/content';
import { WhenSent } from '#libs/http';
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

export class RenditionDto {
  @ApiProperty({ format: 'uuid', example: '01936d2e-7c1a-7b3e-9f52-3f6f0c9a4e77' })
  mediaId!: string;

  @ApiProperty({ enum: PLATFORMS, enumName: 'Platform', example: 'x' })
  platform!: Platform;

  @ApiProperty({
    description: '`pending`: the worker makes it; ask again. The other fields are null until it is `ready`.',
    enum: ['pending', 'ready'],
    example: 'ready',
  })
  status!: 'pending' | 'ready';

  @ApiProperty({ type: 'string', nullable: true, example: 'image/jpeg' })
  contentType!: string | null;

  @ApiProperty({ type: 'integer', nullable: true, example: 412_000 })
  bytes!: number | null;

  @ApiProperty({ type: 'integer', nullable: true, description: 'Pixels, as shown.', example: 1600 })
  width!: number | null;

  @ApiProperty({ type: 'integer', nullable: true, description: 'Pixels, as shown.', example: 900 })
  height!: number | null;

  @ApiProperty({ type: 'integer', ...orNull, description: 'Of animations and videos, in milliseconds.' })
  durationMs!: number | null;

  @ApiProperty({
    type: 'string',
    ...orNull,
    format: 'uri',
    description: 'Where the network fetches it; valid for at least 24 hours.',
  })
  url!: string | null;

  static of(mediaId: string, platform: Platform, file: DeliveryFile | null): RenditionDto {
    const { contentType = null, bytes = null, width = null, height = null, durationMs = null } = file ?? {};
    const facts = { contentType, bytes, width, height, durationMs };
    return { mediaId, platform, status: file ? 'ready' : 'pending', ...facts, url: file?.address() ?? null };
  }
}
