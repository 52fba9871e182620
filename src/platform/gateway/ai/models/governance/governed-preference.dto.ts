import { ApiProperty } from '@nestjs/swagger';
import { AI_CAPABILITIES } from '../../../access/attribution.js';
import { ModelWarningDto } from '../preferences/preference.dto.js';
import type { GovernedPreference } from './governance.types.js';

const models = { type: 'array', items: { type: 'string' }, nullable: true } as const;

export class GovernedPreferenceDto {
  @ApiProperty({ type: 'string', format: 'uuid', nullable: true, description: 'null: the platform.' })
  organizationId!: string | null;

  @ApiProperty({ enum: AI_CAPABILITIES })
  capability!: string;

  @ApiProperty({ type: 'string', nullable: true, example: 'openai/gpt-image-2' })
  defaultModel!: string | null;

  @ApiProperty({ ...models, description: 'null: all that the platform allows.' })
  allowedModels!: readonly string[] | null;

  @ApiProperty({ ...models, description: 'null: that of the platform.' })
  fallbackChain!: readonly string[] | null;

  @ApiProperty()
  fallbackOnPolicy!: boolean;

  @ApiProperty({ format: 'date-time' })
  updatedAt!: string;

  @ApiProperty({ type: () => [ModelWarningDto], description: 'Of what applies.' })
  warnings!: readonly ModelWarningDto[];

  static of({ updatedAt, ...preference }: GovernedPreference): GovernedPreferenceDto {
    return { ...preference, updatedAt: updatedAt.toISOString() };
  }
}
