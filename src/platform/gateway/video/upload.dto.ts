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

const VIDEO_PRIVACIES = ['private', 'unlisted', 'public'] as const;

class VideoDto {
  @ApiProperty({ example: 'dQw4w9WgXcQ' })
  id!: string;

  @ApiProperty({
    type: String,
    nullable: true,
    example: 'private',
    description: 'As the provider set it: uploads of unverified projects are private whatever was asked for.',
  })
  privacy!: string | null;
}

export class UploadProgressDto {
  @ApiProperty({ enum: ['incomplete', 'complete'], example: 'incomplete' })
  state!: 'incomplete' | 'complete';

  @ApiProperty({
    type: 'integer',
    nullable: true,
    example: 8388608,
    description: 'The provider has the bytes before this one. null: it has all of them.',
  })
  nextByte!: number | null;

  @ApiProperty({ type: () => VideoDto, nullable: true, description: 'null while the upload is incomplete.' })
  video!: VideoDto | null;
}

export class ChannelDto {
  @ApiProperty({ example: 'UC0123456789abcdefghijkl' })
  id!: string;

  @ApiProperty({ example: 'Acme Coffee' })
  title!: string;

  @ApiProperty({ type: String, nullable: true, example: '@acme', description: 'null: the channel has none.' })
  handle!: string | null;

  @ApiProperty({ type: String, format: 'uri', nullable: true, example: null })
  thumbnailUrl!: string | null;
}

export class ChannelResponseDto {
  @ApiProperty({ type: () => ChannelDto, nullable: true, description: 'null: the account has no channel.' })
  channel!: ChannelDto | null;
}

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

export class UploadDto {
  @ApiProperty({
    format: 'uuid',
    example: '01936d2e-7c1a-7b3e-9f52-3f6f0c9a4e11',
    description:
      'Usable by this application for this organization. The address of the session stays in the gateway.',
  })
  uploadId!: string;
}
