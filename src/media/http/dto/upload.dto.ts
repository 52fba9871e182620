import { ApiProperty, ApiPropertyOptional, getSchemaPath } from '@nestjs/swagger';
import { Transform, Type } from 'class-transformer';
import {
  ArrayMaxSize,
  ArrayUnique,
  IsArray,
  IsInt,
  IsNotEmpty,
  IsString,
  IsUUID,
  Matches,
  Max,
  MaxLength,
  Min,
  ValidateNested,
} from 'class-validator';
import { is, shape, WhenSent, WhenSentOrNull } from '#libs/http';
import { MEDIA_TYPES } from '../../domain/media-types.js';
import { MediaDto } from './media.dto.js';
import { DescribedMediaDto } from './write-media.dto.js';

const SHA256 = '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08';
const MAX_PARTS = 100;
/** In UTF-16 units. What is stored is at most 255 bytes. */
const MAX_FILE_NAME = 1_000;

const lowerCase = ({ value }: { value: unknown }) =>
  typeof value === 'string' ? value.trim().toLowerCase() : value;

const IsSha256 = () => Matches(/^[0-9a-f]{64}$/, { message: 'must be 64 hexadecimal digits' });

export class BeginUploadDto extends DescribedMediaDto {
  @ApiPropertyOptional({
    description: 'The brand of the file; X-Brand-ID can name it instead.',
    format: 'uuid',
    example: '01936d2e-7c1a-7b3e-9f52-3f6f0c9a4e11',
  })
  @WhenSent()
  @IsUUID()
  brandId?: string;

  @ApiProperty({
    description: 'Folders and invisible characters are removed.',
    minLength: 1,
    maxLength: MAX_FILE_NAME,
    example: 'harbour.jpg',
  })
  @IsString()
  @IsNotEmpty()
  @MaxLength(MAX_FILE_NAME)
  fileName!: string;

  @ApiProperty({
    description: `One of ${MEDIA_TYPES.join(', ')}; otherwise 415. A file of another content is rejected after the upload.`,
    maxLength: 100,
    example: 'image/jpeg',
  })
  @Transform(lowerCase)
  @IsString()
  @MaxLength(100)
  contentType!: string;

  @ApiProperty({
    description:
      'Exact size of the file. At most 64 MiB for images and 4 GiB for videos (413). Above 64 MiB the upload is in parts.',
    type: 'integer',
    minimum: 1,
    example: 348_213,
  })
  @IsInt()
  @Min(1)
  @Max(Number.MAX_SAFE_INTEGER)
  bytes!: number;

  @ApiPropertyOptional({
    description:
      'SHA-256 of the file, in hex. Required up to 64 MiB; of an upload in parts each part has its own.',
    pattern: '^[0-9a-fA-F]{64}$',
    example: SHA256,
  })
  @Transform(lowerCase)
  @WhenSent()
  @IsSha256()
  sha256?: string;

  @ApiPropertyOptional({
    description:
      'Of a picture: the video of the brand that it represents, such as a frame that the browser has drawn. When it is `ready`, its thumbnail and preview are those of the video. The library does not list it.',
    type: 'string',
    nullable: true,
    format: 'uuid',
    example: null,
  })
  @WhenSentOrNull()
  @IsUUID()
  posterOf?: string | null;
}

class Headers extends shape({
  headers: is.of<Readonly<Record<string, string>>>({
    description: 'The request needs exactly these headers; clients add Content-Length themselves.',
    type: 'object',
    additionalProperties: { type: 'string' },
    example: { 'content-type': 'image/jpeg', 'if-none-match': '*' },
  }),
}) {}

const EXPIRES = { format: 'date-time', example: '2026-11-22T10:00:00.000Z' };
const URL_OF_STORE = {
  description: 'Address in the object store for a PUT without further credentials. Treat it as a secret.',
  format: 'uri',
  example: 'https://files.example.com/bucket/media/01936d2e/original?X-Amz-Signature=4f2a',
};

export class SingleUploadDto extends shape(
  {
    kind: is.text<'single'>({ enum: ['single'], example: 'single' }),
    method: is.text<'PUT'>({ enum: ['PUT'], example: 'PUT' }),
    url: is.text(URL_OF_STORE),
    expiresAt: is.text({ ...EXPIRES, description: 'Begin the upload before; afterwards begin a new one.' }),
  },
  Headers,
) {}

export class MultipartUploadDto extends shape({
  kind: is.text<'multipart'>({ enum: ['multipart'], example: 'multipart' }),
  partBytes: is.integer({ description: 'Bytes of each part but the last.', example: 16_777_216 }),
  partCount: is.integer({ description: 'Ask for addresses of parts 1 to this.', example: 7 }),
  expiresAt: is.text({
    ...EXPIRES,
    description: 'The upload ends then, unless addresses are asked for before.',
  }),
}) {}

export class BegunUploadDto extends shape({
  media: is.object(() => MediaDto),
  upload: is.of<SingleUploadDto | MultipartUploadDto>({
    description: 'How to upload the file. Complete the upload afterwards.',
    type: Object,
    oneOf: [SingleUploadDto, MultipartUploadDto].map((one) => ({ $ref: getSchemaPath(one) })),
  }),
}) {}

export class PartToUploadDto {
  @ApiProperty({ type: 'integer', minimum: 1, maximum: 10_000, example: 3 })
  @IsInt()
  @Min(1)
  @Max(10_000)
  partNumber!: number;

  @ApiProperty({ description: 'SHA-256 of the part, in hex.', pattern: '^[0-9a-fA-F]{64}$', example: SHA256 })
  @Transform(lowerCase)
  @IsSha256()
  sha256!: string;
}

export class SignPartsDto {
  @ApiProperty({
    description: 'At most 100, each number once. An empty list only asks for the parts that are stored.',
    type: () => [PartToUploadDto],
    maxItems: MAX_PARTS,
  })
  @IsArray()
  @ArrayMaxSize(MAX_PARTS)
  @ArrayUnique((part: PartToUploadDto | null) => part?.partNumber, { message: 'must not name a part twice' })
  @ValidateNested({ each: true })
  @Type(() => PartToUploadDto)
  parts!: PartToUploadDto[];
}

export class SignedPartDto extends shape(
  {
    partNumber: is.integer({ example: 3 }),
    bytes: is.integer({
      description: 'Bytes of the part; the store accepts no other number.',
      example: 16_777_216,
    }),
    url: is.text(URL_OF_STORE),
  },
  Headers,
) {}

export class UploadedPartDto extends shape({
  partNumber: is.integer({ example: 1 }),
  bytes: is.integer({ example: 16_777_216 }),
  sha256: is.text({
    description: 'SHA-256 of the part, in hex; null when the store keeps none.',
    example: SHA256,
  }).orNull,
}) {}

export class SignedPartsDto extends shape({
  parts: is.list(() => SignedPartDto, { description: 'In the order of the request.' }),
  uploaded: is.list(() => UploadedPartDto, { description: 'What the store already has.' }),
  expiresAt: is.text({ ...EXPIRES, description: 'Begin the upload of the parts before.' }),
}) {}
