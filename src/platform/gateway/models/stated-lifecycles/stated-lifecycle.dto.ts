import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { Matches, registerDecorator } from 'class-validator';
import { WhenSentOrNull } from '#libs/http';
import { dayOf } from '../../usage/report/dto/usage-period.js';
import { REF } from '../model-ref.js';
import type { StatedLifecycle } from './stated-lifecycles.js';

const IsDay = (): PropertyDecorator => (target, propertyName) =>
  registerDecorator({
    name: 'isDay',
    target: target.constructor,
    propertyName: String(propertyName),
    validator: {
      validate: (value: unknown) => typeof value === 'string' && dayOf(value) !== undefined,
      defaultMessage: () => 'must be a day, such as 2026-12-01',
    },
  });

const DAY = { type: String, format: 'date', nullable: true } as const;

export class StateLifecycleDto {
  @ApiPropertyOptional({
    ...DAY,
    example: '2026-06-01',
    description: 'Deprecated from then on, UTC. Left out or null: not.',
  })
  @WhenSentOrNull()
  @IsDay()
  deprecatedAt?: string | null;

  @ApiPropertyOptional({
    ...DAY,
    example: '2026-12-01',
    description: 'First day without the model, UTC: calls are refused. Left out or null: none.',
  })
  @WhenSentOrNull()
  @IsDay()
  retiresAt?: string | null;

  @ApiPropertyOptional({
    type: String,
    nullable: true,
    maxLength: 264,
    example: 'openai/gpt-5.4-mini',
    description: 'What its provider recommends in its place. Left out or null: nothing.',
  })
  @WhenSentOrNull()
  @Matches(REF, { message: 'must be provider/model, such as openai/gpt-5.4-mini' })
  replacement?: string | null;
}

export class StatedLifecycleDto implements Omit<StatedLifecycle, 'provider'> {
  @ApiProperty({ example: 'openai/gpt-5-mini' })
  model!: string;

  @ApiProperty(DAY)
  deprecatedAt!: string | null;

  @ApiProperty(DAY)
  retiresAt!: string | null;

  @ApiProperty({ type: String, nullable: true, example: 'openai/gpt-5.4-mini' })
  replacement!: string | null;
}
