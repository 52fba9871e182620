import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { ArrayMaxSize, IsArray, IsBoolean, Matches } from 'class-validator';
import { WhenSent, WhenSentOrNull } from '#libs/http';
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

export class ModelWarningDto {
  @ApiProperty({ example: 'openai/gpt-image-1.5' })
  model!: string;

  @ApiProperty({ enum: ['default', 'fallback', 'allowed'] })
  use!: ModelUse;

  @ApiProperty({ enum: WARNINGS })
  code!: WarningCode;

  @ApiProperty({ example: 'The provider will retire the model. Choose another one.' })
  detail!: string;

  @ApiProperty({ type: 'string', format: 'date', nullable: true, example: '2026-12-01' })
  retiresAt!: string | null;
}

export class EffectivePreferenceDto {
  @ApiProperty({ type: 'string', nullable: true, example: 'openai/gpt-image-2' })
  defaultModel!: string | null;

  @ApiProperty({ ...names(MAX_ALLOWED), description: 'null: all of the catalog.' })
  allowedModels!: readonly string[] | null;

  @ApiProperty({ type: 'array', items: { type: 'string' }, maxItems: MAX_CHAIN })
  fallbackChain!: readonly string[];

  @ApiProperty()
  fallbackOnPolicy!: boolean;
}

export class PreferenceDto {
  @ApiProperty({ enum: AI_CAPABILITIES })
  capability!: string;

  @ApiProperty({
    type: 'string',
    format: 'uuid',
    nullable: true,
    description: 'null: the preference of the platform.',
  })
  organizationId!: string | null;

  @ApiProperty({ type: 'string', nullable: true, description: 'As stored. null: that of the platform.' })
  defaultModel!: string | null;

  @ApiProperty({ ...names(MAX_ALLOWED), description: 'As stored. null: all that the platform allows.' })
  allowedModels!: readonly string[] | null;

  @ApiProperty({ ...names(MAX_CHAIN), description: 'As stored. null: that of the platform.' })
  fallbackChain!: readonly string[] | null;

  @ApiProperty({ description: 'As stored.' })
  fallbackOnPolicy!: boolean;

  @ApiProperty({ type: () => EffectivePreferenceDto, description: 'What applies to requests.' })
  effective!: EffectivePreferenceDto;

  @ApiProperty({ type: () => [ModelWarningDto], description: 'What is wrong with the models that apply.' })
  warnings!: readonly ModelWarningDto[];

  @ApiProperty({ type: 'string', format: 'date-time', nullable: true })
  updatedAt!: Date | null;

  @ApiProperty({ type: 'integer', description: '0: nothing is stored. Same as in the ETag.' })
  version!: number;
}

export class AllowedModelsDto {
  @ApiProperty({ type: () => [ModelDto] })
  data!: readonly ModelDto[];
}
