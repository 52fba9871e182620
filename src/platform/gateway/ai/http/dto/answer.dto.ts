import { ApiProperty } from '@nestjs/swagger';
import { dollarsOf } from '../../models/domain/prices.js';
import { modelRef } from '../../models/domain/model-ref.js';
import { FAILURES } from '../../providers/wires/failure.js';
import type { Answered } from '../../calls/call/unary-calls.js';
import { attemptMembers } from '../../calls/fallback/attempt-record.js';
import type { Usage } from '../../usage/spend/quantities.js';

const count = (description: string) => ApiProperty({ type: 'integer', minimum: 0, example: 0, description });

/** Quantities do not overlap. */
export class UsageDto implements Usage {
  @count('Text tokens of the input that were neither read from nor written to a cache of the provider.')
  inputTokens!: number;

  @count('Tokens read from a cache of the provider.')
  cachedInputTokens!: number;

  @count('Tokens written to a cache of the provider.')
  cacheWriteTokens!: number;

  @count('Text tokens of the output, reasoning included.')
  outputTokens!: number;

  @count('Tokens of images in the input.')
  inputImageTokens!: number;

  @count('Tokens of images in the output.')
  outputImageTokens!: number;

  @count('Tokens of audio in the input.')
  inputAudioTokens!: number;

  @ApiProperty({ minimum: 0, example: 0, description: 'Seconds of audio; 0 where tokens are counted.' })
  audioSeconds!: number;

  @count('Whole images in the response.')
  images!: number;
}

const COST = {
  type: 'string' as const,
  nullable: true,
  pattern: String.raw`^\d+(\.\d{1,9})?$`,
  example: '0.00123',
  description: 'US dollars as decimal text; null: not known, or the model has no price.',
};

export class AttemptDto {
  @ApiProperty({ example: 'openai' })
  provider!: string;

  @ApiProperty({ example: 'gpt-5', description: "The provider's own name of the model." })
  model!: string;

  @ApiProperty({ enum: ['own', 'platform'], example: 'own' })
  credential!: 'own' | 'platform';

  @ApiProperty({ enum: ['answered', ...FAILURES], example: 'answered' })
  outcome!: string;

  @ApiProperty({
    type: 'integer',
    nullable: true,
    example: 200,
    description: 'HTTP status of the provider; null without a response.',
  })
  status!: number | null;

  @ApiProperty({ type: 'integer', minimum: 0, example: 840 })
  milliseconds!: number;

  @ApiProperty(COST)
  cost!: string | null;
}

/** What every response of an AI route has. */
export class AnswerDto {
  @ApiProperty({
    format: 'uuid',
    example: '01936d2e-7c1a-7b3e-9f52-3f6f0c9a4e11',
    description: 'Of the request; its rows in the usage report have it.',
  })
  id!: string;

  @ApiProperty({ example: 'openai/gpt-5', description: 'The model that served the request.' })
  model!: string;

  @ApiProperty({
    example: 'openai/gpt-5',
    description: 'The model that the request names, or the default of the organization.',
  })
  requestedModel!: string;

  @ApiProperty({
    example: false,
    description:
      'true: another model of the fallback chain served the request, because the requested one could not. `attempts` says why, unless it was held back or retired.',
  })
  isFallback!: boolean;

  @ApiProperty({ example: 'openai' })
  provider!: string;

  @ApiProperty({
    type: String,
    nullable: true,
    example: 'gpt-5-2026-08-01',
    description: 'The name that the provider gave for the model; null: none.',
  })
  providerModel!: string | null;

  @ApiProperty({ type: () => UsageDto, nullable: true, description: 'null: the provider did not say.' })
  usage!: UsageDto | null;

  @ApiProperty(COST)
  cost!: string | null;

  @ApiProperty({ type: () => [AttemptDto], description: 'All attempts in order; the last one succeeded.' })
  attempts!: AttemptDto[];

  static partsOf(id: string, answer: Answered): AnswerDto {
    const { model, requestedModel, providerModel, usage, cost, attempts } = answer;
    const used = modelRef(model);
    return {
      id,
      model: used,
      requestedModel,
      isFallback: used !== requestedModel,
      provider: model.provider,
      providerModel,
      usage: usage && { ...usage },
      cost: cost === null ? null : dollarsOf(cost),
      ...attemptMembers(attempts),
    };
  }
}
