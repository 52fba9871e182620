import { is, shape } from '#libs/http';
import { AI_CAPABILITIES, type AiCapability } from '../../../access/attribution.js';
import { ModelDto } from '../catalog/model.dto.js';
import { LIFECYCLES } from '../domain/model-ref.js';
import type { Prices } from '../domain/prices.js';
import { type ModelUse, ModelWarningDto } from '../preferences/preference.dto.js';

const models = { type: 'array', items: { type: 'string' }, nullable: true } as const;

export class GovernedPreferenceDto extends shape({
  organizationId: is.uuid({ description: 'null: the platform.' }).orNull,
  capability: is.text<AiCapability>({ enum: AI_CAPABILITIES }),
  defaultModel: is.text({ example: 'openai/gpt-image-2' }).orNull,
  allowedModels: is.of<readonly string[] | null>({
    ...models,
    description: 'null: all that the platform allows.',
  }),
  fallbackChain: is.of<readonly string[] | null>({ ...models, description: 'null: that of the platform.' }),
  fallbackOnPolicy: is.flag(),
  updatedAt: is.date(),
  warnings: is.list(() => ModelWarningDto, { description: 'Of what applies.' }),
}) {}

const text = { type: 'string', nullable: true } as const;
const day = { ...text, format: 'date' } as const;
const time = { ...text, format: 'date-time' } as const;
const organization = { ...text, format: 'uuid', description: 'null: the platform.' } as const;
const count = { type: 'integer' } as const;

export class PriceOverrideDto extends shape({
  model: is.text({ example: 'openai/gpt-image-2' }),
  prices: is.of<Prices>({
    type: 'object',
    additionalProperties: true,
    description: 'As in `GET /api/models`.',
  }),
  startsAt: is.date(),
}) {}

export class OverridesDto extends shape({
  preferences: is.list(() => GovernedPreferenceDto, { description: 'Of organizations; at most 600.' }),
  preferencesTotal: is.of<number>({
    ...count,
    description: 'How many preferences organizations have.',
  }),
  prices: is.list(() => PriceOverrideDto, { description: 'Of the platform, in place of the sources.' }),
}) {}

export class UsedModelDto extends shape({
  model: is.text({ example: 'openai/gpt-5' }),
  calls: is.of<number>({ ...count }),
  attempts: is.of<number>({ ...count, description: 'At providers.' }),
  failed: is.of<number>({ ...count }),
  unpriced: is.of<number>({
    ...count,
    description: 'Attempts while the model had no price; not in `cost`.',
  }),
  cost: is.text({ example: '12.5', description: 'Dollars.' }),
}) {}

export class RecentUsageDto extends shape({
  from: is.text({ format: 'date', example: '2026-10-25' }),
  to: is.text({ format: 'date', example: '2026-11-23' }),
  models: is.list(() => UsedModelDto, { description: 'By cost; at most 200.' }),
}) {}

export class GovernedModelDto extends shape({
  model: is.text({ example: 'openai/gpt-image-1.5' }),
  lifecycle: is.text({ enum: [...LIFECYCLES, 'unknown'], description: '`unknown`: not in the catalog.' }),
  deprecatedAt: is.of<string | null>(day),
  retiresAt: is.of<string | null>(day),
  unlistedSince: is.of<Date | null>({
    ...time,
    description: "Since when the provider's list no longer has it.",
  }),
  refusedAt: is.of<Date | null>({
    ...time,
    description: 'When the provider said last during a call that it does not have it, exact to an hour.',
  }),
  preferences: is.of<number>({ ...count, description: 'How many preferences name it.' }),
  calls: is.of<number>({ ...count, description: 'Calls in the period of `recentUsage`.' }),
}) {}

export class UnpricedModelDto extends shape({
  model: is.text({ example: 'openai/gpt-new' }),
  capability: is.text({ enum: AI_CAPABILITIES }),
  use: is.text<ModelUse>({ enum: ['default', 'fallback', 'allowed'] }),
  organizationId: is.of<string | null>(organization),
}) {}

export class CandidatesDto extends shape({
  models: is.list(() => ModelDto, { description: 'The latest first; at most 200.' }),
  total: is.of<number>({ ...count }),
}) {}

export class SourceHealthDto extends shape({
  source: is.text({
    example: 'openai',
    description: 'A provider, `catalog` for the open catalog, `genai-prices` for the package of prices.',
  }),
  version: is.of<string | null>({ ...text, description: 'Of the package.' }),
  outcome: is.text<'done' | 'failed' | 'skipped' | 'never'>({ enum: ['done', 'failed', 'skipped', 'never'] }),
  detail: is.of<string | null>({ ...text, description: 'For platform administrators.' }),
  models: is.of<number>({ ...count }),
  rejected: is.of<number>({ ...count }),
  failures: is.of<number>({
    ...count,
    description: 'Failed attempts since the last success.',
  }),
  attemptedAt: is.of<Date | null>(time),
  succeededAt: is.of<Date | null>(time),
}) {}

export class GovernanceDto extends shape({
  organizationId: is.of<string | null>(organization),
  platformDefaults: is.list(() => GovernedPreferenceDto),
  overrides: is.object(() => OverridesDto),
  recentUsage: is.object(() => RecentUsageDto),
  lifecycle: is.list(() => GovernedModelDto, {
    description:
      'Models that preferences name or that were used, those that need attention first; at most 200.',
  }),
  unpricedConfiguredModels: is.list(() => UnpricedModelDto, {
    description: 'At most 600: each model and capability once before further organizations that name it.',
  }),
  upstreamCandidateModels: is.object(() => CandidatesDto, {
    description: 'Active models that a provider or the open catalog has, neither named nor used.',
  }),
  catalogSources: is.list(() => SourceHealthDto),
}) {}
