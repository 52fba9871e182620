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
import { is, shape, WhenSent } from '#libs/http';

const VIDEO_PRIVACIES = ['private', 'unlisted', 'public'] as const;

class VideoDto extends shape({
  id: is.text({ example: 'dQw4w9WgXcQ' }),
  privacy: is.of<string | null>({
    type: String,
    nullable: true,
    example: 'private',
    description: 'As the provider set it: uploads of unverified projects are private whatever was asked for.',
  }),
}) {}

export class UploadProgressDto extends shape({
  state: is.text<'incomplete' | 'complete'>({ enum: ['incomplete', 'complete'], example: 'incomplete' }),
  nextByte: is.integer({
    example: 8388608,
    description: 'The provider has the bytes before this one. null: it has all of them.',
  }).orNull,
  video: is.object(() => VideoDto, { description: 'null while the upload is incomplete.' }).orNull,
}) {}

export class ChannelDto extends shape({
  id: is.text({ example: 'UC0123456789abcdefghijkl' }),
  title: is.text({ example: 'Acme Coffee' }),
  handle: is.of<string | null>({
    type: String,
    nullable: true,
    example: '@acme',
    description: 'null: the channel has none.',
  }),
  thumbnailUrl: is.of<string | null>({ type: String, format: 'uri', nullable: true, example: null }),
}) {}

export class ChannelResponseDto extends shape({
  channel: is.object(() => ChannelDto, { description: 'null: the account has no channel.' }).orNull,
}) {}

/** 256 GB, the largest file that YouTube takes. */
const MAX_BYTES = 256_000_000_000;
/** People & Blogs (developers.google.com/youtube/v3/docs/videoCategories). */
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
  tags: string[] = [];

  @ApiPropertyOptional({ example: DEFAULT_CATEGORY, description: 'Id of a category of the provider.' })
  @WhenSent()
  @Matches(/^\d{1,4}$/, { message: 'must be the number of a category' })
  categoryId: string = DEFAULT_CATEGORY;

  @ApiPropertyOptional({ enum: VIDEO_PRIVACIES, default: 'private', example: 'private' })
  @WhenSent()
  @IsIn(VIDEO_PRIVACIES)
  privacy: (typeof VIDEO_PRIVACIES)[number] = 'private';

  @ApiPropertyOptional({ default: false, example: false })
  @WhenSent()
  @IsBoolean()
  madeForKids: boolean = false;

  @ApiPropertyOptional({
    default: false,
    example: false,
    description: 'It shows realistic content that a machine made or changed.',
  })
  @WhenSent()
  @IsBoolean()
  containsSyntheticMedia: boolean = false;

  @ApiProperty({ type: 'integer', minimum: 1, maximum: MAX_BYTES, example: 20000000, description: 'Length.' })
  @IsInt()
  @Min(1)
  @Max(MAX_BYTES)
  bytes!: number;

  @ApiProperty({ pattern: '^video/', example: 'video/mp4' })
  @Matches(/^video\/[\w.+-]{1,80}$/, { message: 'must be a media type of videos' })
  contentType!: string;
}

export class UploadDto extends shape({
  uploadId: is.uuid({
    example: '01936d2e-7c1a-7b3e-9f52-3f6f0c9a4e11',
    description:
      'Usable by this application for this organization. The address of the session stays in the gateway.',
  }),
}) {}
