import { ApiProperty } from '@nestjs/swagger';
import { is, shape } from '#libs/http';
import { LARGEST_PART } from '../ledger/reserve.sql.js';
import {
  type Period,
  PERIODS,
  SCOPE_TYPES,
  type ScopeType,
  type Setter,
  SETTERS,
  type SpendLimit,
} from '../spend/spend-limit.js';
import { Dollars } from './amount.js';
import { LimitDto } from './limit.dto.js';

export class HardLimitOptionDto {
  @ApiProperty({ enum: SCOPE_TYPES, example: 'organization' })
  scopeType!: ScopeType;

  @ApiProperty({
    type: 'string',
    nullable: true,
    description: '`platform`, the id of the organization, or null: of any application or organization.',
  })
  scopeValue!: string | null;

  @ApiProperty({ enum: SETTERS, example: 'organization', description: 'Who can set it.' })
  setBy!: Setter;

  @ApiProperty({ description: 'Whether it counts calls of all organizations together.', example: false })
  allOrganizations!: boolean;

  @ApiProperty({ enum: PERIODS, example: 'month' })
  period!: Period;

  @Dollars('The lowest hard limit.')
  minimum!: string;

  @Dollars('The highest hard limit.')
  maximum!: string;

  @ApiProperty({
    type: () => [LimitDto],
    description:
      'The limits that are set; of an organization also those that the platform set for it. Empty for any organization: send X-Organization-Id.',
  })
  limits!: LimitDto[];
}

export class HardLimitOptionsDto extends shape({
  currency: is.text<'USD'>({ enum: ['USD'], example: 'USD' }),
  largestReservationPart: is.integer({
    example: LARGEST_PART,
    description: 'A call that may cost more than the limit divided by this is refused.',
  }),
  roles: is.of<('owner' | 'super_admin')[]>({
    enum: ['owner', 'super_admin'],
    isArray: true,
    example: ['owner'],
  }),
  options: is.list(() => HardLimitOptionDto),
}) {}

const BOUNDS = { minimum: '0.000000001', maximum: '999999999.999999999' };

const optionsOf = (
  option: Pick<HardLimitOptionDto, 'scopeType' | 'scopeValue' | 'setBy' | 'allOrganizations'>,
  stored: readonly SpendLimit[],
): HardLimitOptionDto[] =>
  PERIODS.map((period) => ({
    ...option,
    period,
    ...BOUNDS,
    limits: stored
      .filter((limit) => limit.scopeType === option.scopeType && limit.period === period)
      .map((limit) => LimitDto.of(limit)),
  }));

/** @param stored limits that the organization sees */
export function optionsOfOrganization(
  organizationId: string,
  stored: readonly SpendLimit[],
): HardLimitOptionDto[] {
  const own = { setBy: 'organization', allOrganizations: false } as const;
  return [
    ...optionsOf({ ...own, scopeType: 'organization', scopeValue: organizationId }, stored),
    ...optionsOf({ ...own, scopeType: 'application', scopeValue: null }, stored),
  ];
}

/** @param organizationId that is asked about; null: any @param stored limits that the platform set */
export function optionsOfPlatform(
  organizationId: string | null,
  stored: readonly SpendLimit[],
): HardLimitOptionDto[] {
  const ofAll = { setBy: 'platform', allOrganizations: true } as const;
  const ofOne = { ...ofAll, allOrganizations: false } as const;
  return [
    ...optionsOf({ ...ofAll, scopeType: 'platform', scopeValue: 'platform' }, stored),
    ...optionsOf({ ...ofOne, scopeType: 'organization', scopeValue: organizationId }, stored),
    ...optionsOf({ ...ofAll, scopeType: 'application', scopeValue: null }, stored),
  ];
}
