import { ApiProperty } from '@nestjs/swagger';
import { Matches, registerDecorator } from 'class-validator';
import { is, shape } from '#libs/http';
import { isRecord } from '../../providers/wires/values.js';
import { REF } from '../domain/model-ref.js';
import { type Prices, TOKEN_PRICES } from '../domain/prices.js';

const NAMES: readonly string[] = [...TOKEN_PRICES, 'audioHours', 'images'];
/** Up to a dollar per token: costs stay within the 64 bits of the ledger. */
const DOLLARS = /^\d{1,6}(\.\d{1,9})?$/;
const MAX_TIERS = 10;

/** What is wrong with a price list of a request; null: nothing. */
export function priceListError(value: unknown): string | null {
  if (!isRecord(value)) return 'must be an object with a price for each quantity';
  const unknown = Object.keys(value).find((name) => !NAMES.includes(name));
  if (unknown !== undefined) return `must have no other members than ${NAMES.join(', ')}`;
  const wrong = Object.keys(value).find((name) => !isPrice(value[name]));
  if (wrong !== undefined)
    return `must have dollars as text in ${wrong}, with up to six digits before and nine after the point, or an object with base and up to ${MAX_TIERS} tiers`;
  return Object.values(value).flatMap(amountsOf).some(isAboveZero)
    ? null
    : 'must have a price above 0: a list of zeros counts as unpriced';
}

const isDollars = (value: unknown): boolean => typeof value === 'string' && DOLLARS.test(value);

function isPrice(value: unknown): boolean {
  if (!isRecord(value)) return isDollars(value);
  const { base, tiers, ...others } = value;
  if (Object.keys(others).length > 0 || !isDollars(base) || !Array.isArray(tiers)) return false;
  return tiers.length <= MAX_TIERS && tiers.every(isTier);
}

function isTier(value: unknown): boolean {
  if (!isRecord(value)) return false;
  const { above, price, ...others } = value;
  return (
    Object.keys(others).length === 0 && Number.isSafeInteger(above) && Number(above) > 0 && isDollars(price)
  );
}

function amountsOf(price: unknown): unknown[] {
  if (!isRecord(price)) return [price];
  const { base, tiers } = price as { base: unknown; tiers: readonly { price: unknown }[] };
  return [base, ...tiers.map((tier) => tier.price)];
}

const isAboveZero = (dollars: unknown): boolean => /[1-9]/.test(String(dollars));

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

export class ModelPriceDto extends shape({
  model: is.text({ example: 'openai/gpt-5.4-mini' }),
  startsAt: is.date({
    description: 'It applies from then until a later one of its source.',
  }),
  prices: is.of<Prices>({ type: 'object', additionalProperties: true, example: EXAMPLE, description: UNITS }),
  source: is.text({
    example: 'operator',
    description:
      'Those of `operator` count before those of a provider itself, these before those of `genai-prices`, and these before `catalog`.',
  }),
  applies: is.flag({ description: 'Whether it is the one that costs are calculated with now.' }),
  recordedAt: is.date(),
}) {}
