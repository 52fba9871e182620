import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import {
  ArrayMaxSize,
  IsArray,
  IsBoolean,
  IsIn,
  IsInt,
  IsString,
  Matches,
  Max,
  MaxLength,
  Min,
  MinLength,
} from 'class-validator';
import { WhenSent } from '#libs/http';
import { type NewUpload, VIDEO_PRIVACIES } from './new-upload.js';

/** 256 GB, the largest file that YouTube takes. */
const MAX_BYTES = 256_000_000_000;
/** People & Blogs. */
const DEFAULT_CATEGORY = '22';

export class BeginUploadDto {
  @ApiProperty({ maxLength: 100, example: 'How we roast' })
  @IsString()
  @MinLength(1)
  @MaxLength(100)
  title!: string;

  @ApiProperty({ maxLength: 5000, example: 'From the bean to the cup.', description: 'At most 5000 bytes.' })
  @IsString()
  @MaxLength(5_000)
  description!: string;

  @ApiPropertyOptional({ type: [String], maxItems: 500, example: ['coffee'] })
  @WhenSent()
  @IsArray()
  @ArrayMaxSize(500)
  @IsString({ each: true })
  @MaxLength(500, { each: true })
  tags?: string[];

  @ApiPropertyOptional({ example: DEFAULT_CATEGORY, description: 'Id of a category of the provider.' })
  @WhenSent()
  @Matches(/^\d{1,4}$/, { message: 'must be the number of a category' })
  categoryId?: string;

  @ApiPropertyOptional({ enum: VIDEO_PRIVACIES, default: 'private', example: 'private' })
  @WhenSent()
  @IsIn(VIDEO_PRIVACIES)
  privacy?: NewUpload['privacy'];

  @ApiPropertyOptional({ default: false, example: false })
  @WhenSent()
  @IsBoolean()
  madeForKids?: boolean;

  @ApiPropertyOptional({
    default: false,
    example: false,
    description: 'It shows realistic content that a machine made or changed.',
  })
  @WhenSent()
  @IsBoolean()
  containsSyntheticMedia?: boolean;

  @ApiProperty({ type: 'integer', minimum: 1, maximum: MAX_BYTES, example: 20000000, description: 'Length.' })
  @IsInt()
  @Min(1)
  @Max(MAX_BYTES)
  bytes!: number;

  @ApiProperty({ pattern: '^video/', example: 'video/mp4' })
  @Matches(/^video\/[\w.+-]{1,80}$/, { message: 'must be a media type of videos' })
  contentType!: string;

  static toUpload(body: BeginUploadDto): NewUpload {
    return {
      title: body.title,
      description: body.description,
      tags: body.tags ?? [],
      categoryId: body.categoryId ?? DEFAULT_CATEGORY,
      privacy: body.privacy ?? 'private',
      madeForKids: body.madeForKids ?? false,
      containsSyntheticMedia: body.containsSyntheticMedia ?? false,
      bytes: body.bytes,
      contentType: body.contentType,
    };
  }
}

export class UploadDto {
  @ApiProperty({
    format: 'uuid',
    example: '01936d2e-7c1a-7b3e-9f52-3f6f0c9a4e11',
    description:
      'Usable by this application for this organization. The address of the session stays in the gateway.',
  })
  uploadId!: string;
}
