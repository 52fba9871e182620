import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsIn, IsInt, IsString, Matches, Max, MaxLength, Min } from 'class-validator';
import { is, shape, WhenSent } from '#libs/http';
import type { UnaryAnswer } from '../../calls/call/unary-calls.js';
import type { ImageRequest } from '../../providers/wires/requests.js';
import type { GeneratedImage } from '../../providers/wires/wire.js';
import { AnswerDto } from './answer.dto.js';
import { AiRequestDto } from './request.dto.js';

const QUALITIES = ['low', 'medium', 'high'] as const;
const FORMATS = ['png', 'jpeg', 'webp'] as const;
const MAX_COUNT = 10;
const MAX_SIDE = 4_096;
const DEFAULT_SIDE = 1_024;

const side = () => ({
  type: 'integer' as const,
  minimum: 64,
  maximum: MAX_SIDE,
  default: DEFAULT_SIDE,
  example: DEFAULT_SIDE,
  description: 'Pixels. Models round to a size that they can draw.',
});

const validOr = (missing: number, value: unknown, most: number): number =>
  Number.isInteger(value) && Number(value) >= 1 && Number(value) <= most ? Number(value) : missing;

export class ImageRequestDto extends AiRequestDto {
  @ApiProperty({ minLength: 1, maxLength: 32_000, example: 'A lighthouse at dawn, flat colours' })
  @IsString()
  @Matches(/\S/, { message: 'must not be empty', context: { code: 'required' } })
  @MaxLength(32_000)
  prompt!: string;

  @ApiPropertyOptional({ type: 'integer', minimum: 1, maximum: MAX_COUNT, default: 1, example: 1 })
  @WhenSent()
  @IsInt()
  @Min(1)
  @Max(MAX_COUNT)
  count?: number;

  @ApiPropertyOptional(side())
  @WhenSent()
  @IsInt()
  @Min(64)
  @Max(MAX_SIDE)
  width?: number;

  @ApiPropertyOptional(side())
  @WhenSent()
  @IsInt()
  @Min(64)
  @Max(MAX_SIDE)
  height?: number;

  @ApiPropertyOptional({ enum: QUALITIES, example: 'medium' })
  @WhenSent()
  @IsIn(QUALITIES)
  quality?: ImageRequest['quality'] & string;

  @ApiPropertyOptional({ enum: FORMATS, default: 'png', example: 'png' })
  @WhenSent()
  @IsIn(FORMATS)
  format?: ImageRequest['format'];

  /** Of a body that is not validated: a value that is not valid counts as missing, because its request is refused later. */
  static sizeOf(body: unknown): Pick<ImageRequest, 'count' | 'width' | 'height'> {
    const { count, width, height } = (body ?? {}) as Readonly<Record<string, unknown>>;
    return {
      count: validOr(1, count, MAX_COUNT),
      width: validOr(DEFAULT_SIDE, width, MAX_SIDE),
      height: validOr(DEFAULT_SIDE, height, MAX_SIDE),
    };
  }

  static toRequest(body: ImageRequestDto): ImageRequest {
    return {
      prompt: body.prompt,
      count: body.count ?? 1,
      width: body.width ?? DEFAULT_SIDE,
      height: body.height ?? DEFAULT_SIDE,
      quality: body.quality ?? null,
      format: body.format ?? 'png',
    };
  }
}

export class ImageDto extends shape({
  data: is.text({ format: 'byte', description: 'Base64 of a whole file.', example: 'iVBORw0KGgo=' }),
  mediaType: is.text<GeneratedImage['mediaType']>({
    enum: FORMATS.map((format) => `image/${format}`),
    example: 'image/png',
  }),
  revisedPrompt: is.of<string | null>({
    type: String,
    nullable: true,
    description: 'The prompt that the provider used in place of the one it was sent.',
    example: null,
  }),
}) {}

export class ImagesDto extends shape(
  {
    images: is.list(() => ImageDto, {
      minItems: 1,
      description:
        'Can be fewer than were asked for; at most 6 from Google when a side is longer than 3072 pixels.',
    }),
  },
  AnswerDto,
) {
  static of(id: string, answer: UnaryAnswer<readonly GeneratedImage[]>): ImagesDto {
    return {
      ...AnswerDto.partsOf(id, answer),
      images: answer.value.map(({ base64, mediaType, revisedPrompt }) => ({
        data: base64,
        mediaType,
        revisedPrompt,
      })),
    };
  }
}
