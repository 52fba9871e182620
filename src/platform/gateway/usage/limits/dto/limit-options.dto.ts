import { ApiProperty } from '@nestjs/swagger';
import { LARGEST_PART } from '../../ledger/reserve.sql.js';
import type { Period, ScopeType, SpendLimit } from '../spend-limit.js';
import { PERIODS, SCOPE_TYPES } from '../spend-limit.js';
import { Dollars } from './amount.js';
import { LimitDto } from './limit.dto.js';

export class HardLimitOptionDto {
  @ApiProperty({ enum: SCOPE_TYPES, example: 'organization' })
  scopeType!: ScopeType;

  @ApiProperty({
    type: 'string',
    nullable: true,
    description: '`platform`, the id of the organization, or null: of any application.',
  })
  scopeValue!: string | null;

  @ApiProperty({ description: 'Whether it counts calls of all organizations together.', example: false })
  allOrganizations!: boolean;

  @ApiProperty({ enum: PERIODS, example: 'month' })
  period!: Period;

  @Dollars('The lowest hard limit.')
  minimum!: string;

  @Dollars('The highest hard limit.')
  maximum!: string;

  @ApiProperty({ type: () => [LimitDto], description: 'The limits that are set.' })
  limits!: LimitDto[];
}

export class HardLimitOptionsDto {
  @ApiProperty({ enum: ['USD'], example: 'USD' })
  currency!: 'USD';

  @ApiProperty({
    type: 'integer',
    example: LARGEST_PART,
    description: 'A call that may cost more than the limit divided by this is refused.',
  })
  largestReservationPart!: number;

  @ApiProperty({ enum: ['owner', 'super_admin'], isArray: true, example: ['owner'] })
  roles!: ('owner' | 'super_admin')[];

  @ApiProperty({ type: () => [HardLimitOptionDto] })
  options!: HardLimitOptionDto[];
}

const BOUNDS = { minimum: '0.000000001', maximum: '999999999.999999999' };

/** @param organizationId null: of the platform @param stored its limits */
export function optionsFor(
  organizationId: string | null,
  stored: readonly SpendLimit[],
): HardLimitOptionDto[] {
  const scopeTypes =
    organizationId === null
      ? (['platform', 'application'] as const)
      : (['organization', 'application'] as const);
  return scopeTypes.flatMap((scopeType) =>
    PERIODS.map((period) => ({
      scopeType,
      scopeValue: scopeType === 'application' ? null : (organizationId ?? 'platform'),
      allOrganizations: organizationId === null,
      period,
      ...BOUNDS,
      limits: stored
        .filter((limit) => limit.scopeType === scopeType && limit.period === period)
        .map((limit) => LimitDto.of(limit)),
    })),
  );
}
