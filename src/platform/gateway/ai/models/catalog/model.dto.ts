import { ApiProperty } from '@nestjs/swagger';
import { AI_CAPABILITIES, type AiCapability } from '../../../access/attribution.js';
import { type Lifecycle, LIFECYCLES } from '../domain/model-ref.js';
import { isPricedFor } from '../domain/priced-for.js';
import { isPriced, type Prices } from '../domain/prices.js';

const nullable = (type: 'string' | 'integer', format?: string) =>
  ({ type, nullable: true, ...(format && { format }) }) as const;

export class ModelDto {
  @ApiProperty({ example: 'openai/gpt-image-2', description: 'As requests and preferences name it.' })
  model!: string;

  @ApiProperty({ example: 'openai' })
  provider!: string;

  @ApiProperty({ example: 'GPT Image 2' })
  name!: string;

  @ApiProperty({ enum: AI_CAPABILITIES, isArray: true, description: 'Empty: no source says what it serves.' })
  capabilities!: AiCapability[];

  @ApiProperty({ ...nullable('integer'), example: 400_000, description: 'In tokens.' })
  contextWindow!: number | null;

  @ApiProperty({ ...nullable('integer'), example: 128_000, description: 'In tokens.' })
  maxOutputTokens!: number | null;

  @ApiProperty({
    enum: LIFECYCLES,
    description: '`deprecated`: still served, with a retirement ahead. `retired`: refused.',
  })
  lifecycle!: Lifecycle;

  @ApiProperty({
    ...nullable('string', 'date'),
    description: 'Day on which the deprecation was first seen.',
  })
  deprecatedAt!: string | null;

  @ApiProperty({
    ...nullable('string', 'date'),
    example: '2026-12-01',
    description: 'First day without the model.',
  })
  retiresAt!: string | null;

  @ApiProperty({
    ...nullable('string', 'date-time'),
    description:
      "Since when the provider's list is known not to have the model: it may be shut down. null: it has the model, or was not read.",
  })
  unlistedSince!: Date | null;

  @ApiProperty({
    ...nullable('string', 'date-time'),
    description:
      'When the provider said last during a call that it does not have the model, exact to an hour. It can be the account that lacks access.',
  })
  refusedAt!: Date | null;

  @ApiProperty({
    description: 'Without a price it is refused where a hard limit applies, and never counted as free.',
  })
  priced!: boolean;

  @ApiProperty({
    type: 'object',
    nullable: true,
    additionalProperties: true,
    example: { inputTokens: '1.25', cachedInputTokens: '0.125', outputTokens: '10' },
    description:
      'Dollars per million tokens, per hour of audio (`audioHours`), per image (`images`). A price with tiers is an object with `base` and `tiers`, by tokens of the input.',
  })
  prices!: Prices | null;

  @ApiProperty({ ...nullable('string'), example: 'genai-prices', description: 'Where the price comes from.' })
  priceSource!: string | null;

  @ApiProperty({ format: 'date-time' })
  firstSeenAt!: Date;

  @ApiProperty({ format: 'date-time' })
  lastSeenAt!: Date;

  /** Priced is a model whose requests all have a price. */
  static of(model: CatalogModel): ModelDto {
    const { capabilities, prices } = model;
    const priced = isPriced(prices) && capabilities.every((each) => isPricedFor(each, model.model, prices));
    return { ...model, priced };
  }
}

/** As it is read from the database. */
export type CatalogModel = Omit<ModelDto, 'priced'>;
