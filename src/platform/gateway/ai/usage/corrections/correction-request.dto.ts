import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { Transform, Type } from 'class-transformer';
import {
  IsInt,
  IsNumber,
  IsObject,
  IsString,
  Matches,
  Max,
  MaxLength,
  Min,
  ValidateNested,
} from 'class-validator';
import { applyDecorators } from '@nestjs/common';
import { RequestIsNotValid, trimmed, VISIBLE, WhenSent } from '#libs/http';
import { DOLLARS, IsDollars } from '../limits/amount.js';
import { parseDollars } from '../spend/money.js';
import { MOST_OF_A_CALL, NO_USAGE, type Usage } from '../spend/quantities.js';
import type { Correction } from './corrections.js';

const MOST_SECONDS = 1_000_000;

const Count = (description: string): PropertyDecorator =>
  applyDecorators(
    ApiPropertyOptional({ description, type: 'integer', minimum: 0, maximum: MOST_OF_A_CALL, default: 0 }),
    WhenSent(),
    IsInt(),
    Min(0),
    Max(MOST_OF_A_CALL),
  );

export class CorrectedUsageDto implements Partial<Usage> {
  @Count('Text tokens that were neither read from nor written to a cache.')
  inputTokens?: number;

  @Count('Tokens read from a cache.')
  cachedInputTokens?: number;

  @Count('Tokens written to a cache.')
  cacheWriteTokens?: number;

  @Count('Text tokens of the response, reasoning included.')
  outputTokens?: number;

  @Count('Tokens of images in the request.')
  inputImageTokens?: number;

  @Count('Tokens of images in the response.')
  outputImageTokens?: number;

  @Count('Tokens of audio in the request.')
  inputAudioTokens?: number;

  @ApiPropertyOptional({
    description: 'Of audio.',
    type: 'number',
    minimum: 0,
    maximum: MOST_SECONDS,
    default: 0,
  })
  @WhenSent()
  @IsNumber()
  @Min(0)
  @Max(MOST_SECONDS)
  audioSeconds?: number;

  @Count('Whole images in the response.')
  images?: number;
}

export class CorrectUsageDto {
  @ApiProperty({
    minLength: 1,
    maxLength: 500,
    example: 'The invoice of the provider has 1 200 tokens.',
    description: 'Why it is corrected. In the audits of the organization and of the platform.',
  })
  @Transform(({ value }: { value: unknown }) => trimmed(value))
  @IsString()
  @Matches(VISIBLE, { message: 'must have a visible character' })
  @MaxLength(500)
  reason!: string;

  @ApiPropertyOptional({
    pattern: DOLLARS,
    example: '0.00123',
    description:
      'What the attempt cost, in US dollars with up to nine decimals; 0: nothing. Left out: it stays as it is.',
  })
  @WhenSent()
  @IsDollars({ least: 0n })
  cost?: string;

  @ApiPropertyOptional({
    type: () => CorrectedUsageDto,
    description:
      'What the attempt consumed, in place of all counts: those that are left out are 0. Left out: they stay.',
  })
  @WhenSent()
  @IsObject()
  @ValidateNested()
  @Type(() => CorrectedUsageDto)
  usage?: CorrectedUsageDto;

  /** @throws RequestIsNotValid */
  static correctionOf({ reason, cost, usage }: CorrectUsageDto): Correction {
    if (cost === undefined && usage === undefined)
      throw new RequestIsNotValid([{ pointer: '#/cost', code: 'required', detail: 'or usage is required' }]);
    return {
      reason,
      ...(cost !== undefined && { cost: parseDollars(cost) ?? 0n }),
      ...(usage && { usage: { ...NO_USAGE, ...usage } }),
    };
  }
}
