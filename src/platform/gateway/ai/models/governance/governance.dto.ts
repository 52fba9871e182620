import { ApiProperty } from '@nestjs/swagger';
import { AI_CAPABILITIES, type AiCapability } from '../../../access/attribution.js';
import { ModelDto } from '../catalog/model.dto.js';
import { LIFECYCLES } from '../domain/model-ref.js';
import type { Prices } from '../domain/prices.js';
import { type ModelUse, ModelWarningDto } from '../preferences/preference.dto.js';

const models = { type: 'array', items: { type: 'string' }, nullable: true } as const;

export class GovernedPreferenceDto {
  @ApiProperty({ type: 'string', format: 'uuid', nullable: true, description: 'null: the platform.' })
  organizationId!: string | null;

  @ApiProperty({ enum: AI_CAPABILITIES })
  capability!: AiCapability;

  @ApiProperty({ type: 'string', nullable: true, example: 'openai/gpt-image-2' })
  defaultModel!: string | null;

  @ApiProperty({ ...models, description: 'null: all that the platform allows.' })
  allowedModels!: readonly string[] | null;

  @ApiProperty({ ...models, description: 'null: that of the platform.' })
  fallbackChain!: readonly string[] | null;

  @ApiProperty()
  fallbackOnPolicy!: boolean;

  @ApiProperty({ format: 'date-time' })
  updatedAt!: Date;

  @ApiProperty({ type: () => [ModelWarningDto], description: 'Of what applies.' })
  warnings!: readonly ModelWarningDto[];
}

const text = { type: 'string', nullable: true } as const;
const day = { ...text, format: 'date' } as const;
const time = { ...text, format: 'date-time' } as const;
const organization = { ...text, format: 'uuid', description: 'null: the platform.' } as const;
const count = { type: 'integer' } as const;

export class PriceOverrideDto {
  @ApiProperty({ example: 'openai/gpt-image-2' })
  model!: string;

  @ApiProperty({ type: 'object', additionalProperties: true, description: 'As in `GET /api/models`.' })
  prices!: Prices;

  @ApiProperty({ format: 'date-time' })
  startsAt!: Date;
}

export class OverridesDto {
  @ApiProperty({ type: () => [GovernedPreferenceDto], description: 'Of organizations; at most 600.' })
  preferences!: readonly GovernedPreferenceDto[];

  @ApiProperty({ ...count, description: 'How many preferences organizations have.' })
  preferencesTotal!: number;

  @ApiProperty({ type: () => [PriceOverrideDto], description: 'Of the platform, in place of the sources.' })
  prices!: readonly PriceOverrideDto[];
}

export class UsedModelDto {
  @ApiProperty({ example: 'openai/gpt-5' })
  model!: string;

  @ApiProperty(count)
  calls!: number;

  @ApiProperty({ ...count, description: 'At providers.' })
  attempts!: number;

  @ApiProperty(count)
  failed!: number;

  @ApiProperty({ ...count, description: 'Attempts while the model had no price; not in `cost`.' })
  unpriced!: number;

  @ApiProperty({ example: '12.5', description: 'Dollars.' })
  cost!: string;
}

export class RecentUsageDto {
  @ApiProperty({ format: 'date', example: '2026-10-25' })
  from!: string;

  @ApiProperty({ format: 'date', example: '2026-11-23' })
  to!: string;

  @ApiProperty({ type: () => [UsedModelDto], description: 'By cost; at most 200.' })
  models!: readonly UsedModelDto[];
}

export class GovernedModelDto {
  @ApiProperty({ example: 'openai/gpt-image-1.5' })
  model!: string;

  @ApiProperty({ enum: [...LIFECYCLES, 'unknown'], description: '`unknown`: not in the catalog.' })
  lifecycle!: string;

  @ApiProperty(day)
  deprecatedAt!: string | null;

  @ApiProperty(day)
  retiresAt!: string | null;

  @ApiProperty({ ...time, description: "Since when the provider's list no longer has it." })
  unlistedSince!: Date | null;

  @ApiProperty({
    ...time,
    description: 'When the provider said last during a call that it does not have it, exact to an hour.',
  })
  refusedAt!: Date | null;

  @ApiProperty({ ...count, description: 'How many preferences name it.' })
  preferences!: number;

  @ApiProperty({ ...count, description: 'Calls in the period of `recentUsage`.' })
  calls!: number;
}

export class UnpricedModelDto {
  @ApiProperty({ example: 'openai/gpt-new' })
  model!: string;

  @ApiProperty({ enum: AI_CAPABILITIES })
  capability!: string;

  @ApiProperty({ enum: ['default', 'fallback', 'allowed'] })
  use!: ModelUse;

  @ApiProperty(organization)
  organizationId!: string | null;
}

export class CandidatesDto {
  @ApiProperty({ type: () => [ModelDto], description: 'The latest first; at most 200.' })
  models!: readonly ModelDto[];

  @ApiProperty(count)
  total!: number;
}

export class SourceHealthDto {
  @ApiProperty({
    example: 'openai',
    description: 'A provider, `catalog` for the open catalog, `genai-prices` for the package of prices.',
  })
  source!: string;

  @ApiProperty({ ...text, description: 'Of the package.' })
  version!: string | null;

  @ApiProperty({ enum: ['done', 'failed', 'skipped', 'never'] })
  outcome!: 'done' | 'failed' | 'skipped' | 'never';

  @ApiProperty({ ...text, description: 'For platform administrators.' })
  detail!: string | null;

  @ApiProperty(count)
  models!: number;

  @ApiProperty(count)
  rejected!: number;

  @ApiProperty({ ...count, description: 'Failed attempts since the last success.' })
  failures!: number;

  @ApiProperty(time)
  attemptedAt!: Date | null;

  @ApiProperty(time)
  succeededAt!: Date | null;
}

export class GovernanceDto {
  @ApiProperty(organization)
  organizationId!: string | null;

  @ApiProperty({ type: () => [GovernedPreferenceDto] })
  platformDefaults!: readonly GovernedPreferenceDto[];

  @ApiProperty({ type: () => OverridesDto })
  overrides!: OverridesDto;

  @ApiProperty({ type: () => RecentUsageDto })
  recentUsage!: RecentUsageDto;

  @ApiProperty({
    type: () => [GovernedModelDto],
    description:
      'Models that preferences name or that were used, those that need attention first; at most 200.',
  })
  lifecycle!: readonly GovernedModelDto[];

  @ApiProperty({
    type: () => [UnpricedModelDto],
    description: 'At most 600: each model and capability once before further organizations that name it.',
  })
  unpricedConfiguredModels!: readonly UnpricedModelDto[];

  @ApiProperty({
    type: () => CandidatesDto,
    description: 'Active models that a provider or the open catalog has, neither named nor used.',
  })
  upstreamCandidateModels!: CandidatesDto;

  @ApiProperty({ type: () => [SourceHealthDto] })
  catalogSources!: readonly SourceHealthDto[];
}
