import { ApiProperty } from '@nestjs/swagger';
import { is, shape } from '#libs/http';
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

export class AttemptDto extends shape({
  provider: is.text({ example: 'openai' }),
  model: is.text({ example: 'gpt-5', description: "The provider's own name of the model." }),
  credential: is.text<'own' | 'platform'>({ enum: ['own', 'platform'], example: 'own' }),
  outcome: is.text({ enum: ['answered', ...FAILURES], example: 'answered' }),
  status: is.integer({ example: 200, description: 'HTTP status of the provider; null without a response.' })
    .orNull,
  milliseconds: is.integer({ minimum: 0, example: 840 }),
  cost: is.of<string | null>(COST),
}) {}

/** What every response of an AI route has. */
export class AnswerDto extends shape({
  id: is.uuid({
    example: '01936d2e-7c1a-7b3e-9f52-3f6f0c9a4e11',
    description: 'Of the request; its rows in the usage report have it.',
  }),
  model: is.text({ example: 'openai/gpt-5', description: 'The model that served the request.' }),
  requestedModel: is.text({
    example: 'openai/gpt-5',
    description: 'The model that the request names, or the default of the organization.',
  }),
  isFallback: is.flag({
    example: false,
    description:
      'true: another model of the fallback chain served the request, because the requested one could not. `attempts` says why, unless it was held back or retired.',
  }),
  provider: is.text({ example: 'openai' }),
  providerModel: is.of<string | null>({
    type: String,
    nullable: true,
    example: 'gpt-5-2026-08-01',
    description: 'The name that the provider gave for the model; null: none.',
  }),
  usage: is.object(() => UsageDto, { description: 'null: the provider did not say.' }).orNull,
  cost: is.of<string | null>(COST),
  attempts: is.list(() => AttemptDto, { description: 'All attempts in order; the last one succeeded.' }),
}) {
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
