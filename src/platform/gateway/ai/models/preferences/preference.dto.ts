import { ApiPropertyOptional } from '@nestjs/swagger';
import { ArrayMaxSize, IsArray, IsBoolean, Matches } from 'class-validator';
import { is, shape, WhenSent, WhenSentOrNull } from '#libs/http';
import { AI_CAPABILITIES } from '../../../access/attribution.js';
import { ModelDto } from '../catalog/model.dto.js';
import type { Preference } from '../domain/choice.js';
import { REF } from '../domain/model-ref.js';

const MAX_ALLOWED = 200;
const MAX_CHAIN = 10;

export const WARNINGS = [
  'not_allowed',
  'unknown',
  'other_capability',
  'retired',
  'deprecated',
  'unlisted',
  'unpriced',
] as const;
export type WarningCode = (typeof WARNINGS)[number];

export type ModelUse = 'default' | 'fallback' | 'allowed';

const message = 'must be provider/model, such as openai/gpt-image-2';
const names = (maxItems: number) =>
  ({ type: 'array', items: { type: 'string', maxLength: 264 }, nullable: true, maxItems }) as const;

export class WritePreferenceDto {
  @ApiPropertyOptional({
    type: 'string',
    nullable: true,
    example: 'openai/gpt-5.4-mini',
    description: 'null: that of the platform.',
  })
  @WhenSentOrNull()
  @Matches(REF, { message })
  defaultModel?: string | null;

  @ApiPropertyOptional({
    ...names(MAX_ALLOWED),
    example: ['openai/gpt-5.4-mini', 'anthropic/claude-haiku-4-5'],
    description: 'What requests may name. Allowed by the platform too. null: all that the platform allows.',
  })
  @WhenSentOrNull()
  @IsArray()
  @ArrayMaxSize(MAX_ALLOWED)
  @Matches(REF, { each: true, message })
  allowedModels?: string[] | null;

  @ApiPropertyOptional({
    ...names(MAX_CHAIN),
    example: ['anthropic/claude-haiku-4-5'],
    description: 'Tried in this order after the chosen model. Empty: none. null: that of the platform.',
  })
  @WhenSentOrNull()
  @IsArray()
  @ArrayMaxSize(MAX_CHAIN)
  @Matches(REF, { each: true, message })
  fallbackChain?: string[] | null;

  @ApiPropertyOptional({
    default: false,
    description:
      'Whether the next model of this chain is tried after a refusal by the content policy of a provider. With the chain of the platform, what the platform says applies.',
  })
  @WhenSent()
  @IsBoolean()
  fallbackOnPolicy?: boolean;

  static preferenceOf(dto: WritePreferenceDto): Preference {
    const { defaultModel = null, allowedModels = null, fallbackChain = null, fallbackOnPolicy = false } = dto;
    return { defaultModel, allowedModels, fallbackChain, fallbackOnPolicy };
  }
}

export class ModelWarningDto extends shape({
  model: is.text({ example: 'openai/gpt-image-1.5' }),
  use: is.text<ModelUse>({ enum: ['default', 'fallback', 'allowed'] }),
  code: is.text<WarningCode>({ enum: WARNINGS }),
  detail: is.text({ example: 'The provider will retire the model. Choose another one.' }),
  retiresAt: is.text({ format: 'date', example: '2026-12-01' }).orNull,
}) {}

export class EffectivePreferenceDto extends shape({
  defaultModel: is.text({ example: 'openai/gpt-image-2' }).orNull,
  allowedModels: is.of<readonly string[] | null>({
    ...names(MAX_ALLOWED),
    description: 'null: all of the catalog.',
  }),
  fallbackChain: is.of<readonly string[]>({ type: 'array', items: { type: 'string' }, maxItems: MAX_CHAIN }),
  fallbackOnPolicy: is.flag(),
}) {}

export class PreferenceDto extends shape({
  capability: is.text({ enum: AI_CAPABILITIES }),
  organizationId: is.uuid({ description: 'null: the preference of the platform.' }).orNull,
  defaultModel: is.text({ description: 'As stored. null: that of the platform.' }).orNull,
  allowedModels: is.of<readonly string[] | null>({
    ...names(MAX_ALLOWED),
    description: 'As stored. null: all that the platform allows.',
  }),
  fallbackChain: is.of<readonly string[] | null>({
    ...names(MAX_CHAIN),
    description: 'As stored. null: that of the platform.',
  }),
  fallbackOnPolicy: is.flag({ description: 'As stored.' }),
  effective: is.object(() => EffectivePreferenceDto, { description: 'What applies to requests.' }),
  warnings: is.list(() => ModelWarningDto, { description: 'What is wrong with the models that apply.' }),
  updatedAt: is.date().orNull,
  version: is.integer({ description: '0: nothing is stored. Same as in the ETag.' }),
}) {}

export class AllowedModelsDto extends shape({
  data: is.list(() => ModelDto),
}) {}
