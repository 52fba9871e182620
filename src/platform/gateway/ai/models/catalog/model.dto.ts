import { is, shape } from '#libs/http';
import { AI_CAPABILITIES, type AiCapability } from '../../../access/attribution.js';
import { type Lifecycle, LIFECYCLES } from '../domain/model-ref.js';
import { isPricedFor } from '../domain/priced-for.js';
import { isPriced, type Prices } from '../domain/prices.js';

const nullable = (type: 'string' | 'integer', format?: string) =>
  ({ type, nullable: true, ...(format && { format }) }) as const;

export class ModelDto extends shape({
  model: is.text({ example: 'openai/gpt-image-2', description: 'As requests and preferences name it.' }),
  provider: is.text({ example: 'openai' }),
  name: is.text({ example: 'GPT Image 2' }),
  capabilities: is.of<AiCapability[]>({
    enum: AI_CAPABILITIES,
    isArray: true,
    description: 'Empty: no source says what it serves.',
  }),
  contextWindow: is.of<number | null>({
    ...nullable('integer'),
    example: 400_000,
    description: 'In tokens.',
  }),
  maxOutputTokens: is.of<number | null>({
    ...nullable('integer'),
    example: 128_000,
    description: 'In tokens.',
  }),
  lifecycle: is.text<Lifecycle>({
    enum: LIFECYCLES,
    description: '`deprecated`: still served, with a retirement ahead. `retired`: refused.',
  }),
  deprecatedAt: is.of<string | null>({
    ...nullable('string', 'date'),
    description: 'Day on which the deprecation was first seen.',
  }),
  retiresAt: is.of<string | null>({
    ...nullable('string', 'date'),
    example: '2026-12-01',
    description: 'First day without the model.',
  }),
  unlistedSince: is.of<Date | null>({
    ...nullable('string', 'date-time'),
    description:
      "Since when the provider's list is known not to have the model: it may be shut down. null: it has the model, or was not read.",
  }),
  refusedAt: is.of<Date | null>({
    ...nullable('string', 'date-time'),
    description:
      'When the provider said last during a call that it does not have the model, exact to an hour. It can be the account that lacks access.',
  }),
  priced: is.flag({
    description: 'Without a price it is refused where a hard limit applies, and never counted as free.',
  }),
  prices: is.of<Prices | null>({
    type: 'object',
    nullable: true,
    additionalProperties: true,
    example: { inputTokens: '1.25', cachedInputTokens: '0.125', outputTokens: '10' },
    description:
      'Dollars per million tokens, per hour of audio (`audioHours`), per image (`images`). A price with tiers is an object with `base` and `tiers`, by tokens of the input.',
  }),
  priceSource: is.of<string | null>({
    ...nullable('string'),
    example: 'genai-prices',
    description: 'Where the price comes from.',
  }),
  firstSeenAt: is.date(),
  lastSeenAt: is.date(),
}) {
  /** Priced is a model whose requests all have a price. */
  static of(model: CatalogModel): ModelDto {
    const { capabilities, prices } = model;
    const priced = isPriced(prices) && capabilities.every((each) => isPricedFor(each, model.model, prices));
    return { ...model, priced };
  }
}

/** As it is read from the database. */
export type CatalogModel = Omit<ModelDto, 'priced'>;
