import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsIn, IsInt, IsString, IsUUID, Matches, Max, MaxLength, Min } from 'class-validator';
import { is, shape, WhenSent } from '#libs/http';
import { type AiAttempt, type ImageRequest } from '#libs/platform-client';
import type { GeneratedImage } from '../../drawing/draw-image.js';

const QUALITIES = ['low', 'medium', 'high'] as const;
const FORMATS = ['png', 'jpeg', 'webp'] as const;
/** `provider/model`, as at the gateway. */
const MODEL = /^[a-z][a-z0-9-]{0,62}\/[\x21-\x7e]{1,200}$/;
/** As at the gateway. */
const MAX_PROMPT = 32_000;
const MIN_SIDE = 64;
const MAX_SIDE = 4_096;

const side = () => ({
  description: 'Pixels. Models round to a size that they can draw.',
  type: 'integer' as const,
  minimum: MIN_SIDE,
  maximum: MAX_SIDE,
  default: 1_024,
  example: 1_024,
});

export class GenerateImageDto {
  @ApiPropertyOptional({
    description: 'The brand of the picture; X-Brand-ID can name it instead.',
    format: 'uuid',
    example: '01936d2e-7c1a-7b3e-9f52-3f6f0c9a4e11',
  })
  @WhenSent()
  @IsUUID()
  brandId?: string;

  @ApiProperty({
    description: 'What the picture shows. Stored with the file.',
    minLength: 1,
    maxLength: MAX_PROMPT,
    example: 'A lighthouse at dawn, flat colours',
  })
  @IsString()
  @Matches(/\S/, { message: 'must not be empty', context: { code: 'required' } })
  @MaxLength(MAX_PROMPT)
  prompt!: string;

  @ApiPropertyOptional({
    description:
      'In place of the default model of the organization, for this request only. It must be one of the allowed models, and only administrators of the organization may name one (403 `model_override_not_permitted`).',
    pattern: MODEL.source,
    maxLength: 264,
    example: 'openai/gpt-image-2',
  })
  @WhenSent()
  @Matches(MODEL, { message: 'must be provider/model' })
  model?: string;

  @ApiPropertyOptional(side())
  @WhenSent()
  @IsInt()
  @Min(MIN_SIDE)
  @Max(MAX_SIDE)
  width?: number;

  @ApiPropertyOptional(side())
  @WhenSent()
  @IsInt()
  @Min(MIN_SIDE)
  @Max(MAX_SIDE)
  height?: number;

  @ApiPropertyOptional({
    description: 'Default: that of the model.',
    enum: QUALITIES,
    example: 'medium',
  })
  @WhenSent()
  @IsIn(QUALITIES)
  quality?: ImageRequest['quality'] & string;

  @ApiPropertyOptional({ description: 'Format of the file.', enum: FORMATS, default: 'png', example: 'png' })
  @WhenSent()
  @IsIn(FORMATS)
  format?: ImageRequest['format'] & string;
}

export class ImageAttemptDto
  extends shape({
    provider: is.text({ example: 'openai' }),
    model: is.text({ description: 'The provider’s own name of the model.', example: 'gpt-image-2' }),
    credential: is.text<AiAttempt['credential']>({
      description: 'Whether the credential of the organization or that of the platform was used.',
      enum: ['own', 'platform'],
      example: 'platform',
    }),
    outcome: is.text({ description: '`answered`, or the kind of the failure.', example: 'answered' }),
    milliseconds: is.integer({ example: 8_200 }),
  })
  implements AiAttempt {}

export class GeneratedImageDto extends shape({
  mediaId: is.uuid({
    description: 'Of the file in the library. Read it until it is `ready`; then posts can use it.',
    example: '01936d2e-7c1a-7b3e-9f52-3f6f0c9a4e77',
  }),
  brandId: is.uuid({
    description: 'The brand that it belongs to.',
    example: '01936d2e-7c1a-7b3e-9f52-3f6f0c9a4e11',
  }),
  status: is.text({
    description: 'The picture was decoded; the worker makes its thumbnail and preview next.',
    enum: ['inspecting'],
    example: 'inspecting',
  }),
  contentType: is.text({ enum: FORMATS.map((format) => `image/${format}`), example: 'image/png' }),
  bytes: is.integer({ description: 'Bytes.', example: 1_348_213 }),
  model: is.text({ description: '`provider/model` that made it.', example: 'openai/gpt-image-2' }),
  requestedModel: is.text({
    description: 'The model that the request names, or the default of the organization.',
    example: 'openai/gpt-image-2',
  }),
  isFallback: is.flag({
    description:
      'true: another model of the fallback chain made it, because the requested one could not. `attempts` says why, unless it was held back or retired.',
    example: false,
  }),
  cost: is.text({
    description: 'US dollars as decimal text, of the attempt that made it; null: not known.',
    example: '0.04',
  }).orNull,
  attempts: is.list(() => ImageAttemptDto, { description: 'Calls to providers, in their order.' }),
}) {
  static of(
    brandId: string,
    { file, model, requestedModel, cost, attempts }: GeneratedImage,
  ): GeneratedImageDto {
    return {
      mediaId: file.id,
      brandId,
      status: file.status,
      contentType: file.contentType ?? '',
      bytes: file.bytes ?? 0,
      model,
      requestedModel,
      isFallback: model !== requestedModel,
      cost,
      attempts: attempts.map((attempt) => ({ ...attempt })),
    };
  }
}
