import { ApiProperty } from '@nestjs/swagger';
import { Matches, registerDecorator } from 'class-validator';
import { modelRef, REF } from '../domain/model-ref.js';
import type { Prices } from '../domain/prices.js';
import { priceListError } from './price-list.js';
import type { StoredPrice } from './operator-prices.js';

const UNITS =
  'Dollars as text: per million tokens (`inputTokens`, `cachedInputTokens`, `cacheWriteTokens`, `outputTokens`, `inputImageTokens`, `outputImageTokens`, `inputAudioTokens`), per hour of audio (`audioHours`), per image (`images`, which includes tokens without a price of their own). A price with tiers is an object with `base` and `tiers` of `above` (tokens of the input) and `price`.';
const EXAMPLE = { inputTokens: '1.25', cachedInputTokens: '0.125', outputTokens: '10' };

const IsPriceList = (): PropertyDecorator => (target, propertyName) =>
  registerDecorator({
    name: 'isPriceList',
    target: target.constructor,
    propertyName: String(propertyName),
    validator: {
      validate: (value: unknown) => priceListError(value) === null,
      defaultMessage: (shown) => priceListError(shown?.value) ?? 'is no price list',
    },
  });

export class SetPriceDto {
  @ApiProperty({ example: 'openai/gpt-5.4-mini', maxLength: 264 })
  @Matches(REF, { message: 'must be provider/model, such as openai/gpt-5.4-mini' })
  model!: string;

  @ApiProperty({ type: 'object', additionalProperties: true, example: EXAMPLE, description: UNITS })
  @IsPriceList()
  prices!: Prices;
}

export class ModelPriceDto {
  @ApiProperty({ example: 'openai/gpt-5.4-mini' })
  model!: string;

  @ApiProperty({ format: 'date-time', description: 'It applies from then until a later one of its source.' })
  startsAt!: string;

  @ApiProperty({ type: 'object', additionalProperties: true, example: EXAMPLE, description: UNITS })
  prices!: Prices;

  @ApiProperty({
    example: 'operator',
    description:
      'Those of `operator` count before those of a provider itself, these before those of `genai-prices`, and these before `catalog`.',
  })
  source!: string;

  @ApiProperty({ description: 'Whether it is the one that costs are calculated with now.' })
  applies!: boolean;

  @ApiProperty({ format: 'date-time' })
  recordedAt!: string;

  static of(price: StoredPrice): ModelPriceDto {
    const { provider, model, startsAt, prices, source, applies, recordedAt } = price;
    return {
      model: modelRef({ provider, model }),
      startsAt: startsAt.toISOString(),
      prices,
      source,
      applies,
      recordedAt: recordedAt.toISOString(),
    };
  }
}
