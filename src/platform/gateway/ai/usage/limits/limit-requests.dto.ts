import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsBoolean, IsIn, IsUUID } from 'class-validator';
import { RequestIsNotValid, WhenSent } from '#libs/http';
import { parseDollars } from '../spend/money.js';
import {
  type NewSpendLimit,
  type Period,
  PERIODS,
  SCOPE_TYPES,
  type ScopeType,
  type SpendAmounts,
} from '../spend/spend-limit.js';
import { AskedDollars } from './amount.js';

export class UpdateLimitDto {
  @AskedDollars('Calls that may exceed it are refused. Null removes it.')
  hard?: string | null;

  @AskedDollars('Raises an alarm. Not above the hard limit. Null removes it.')
  soft?: string | null;

  /** @throws RequestIsNotValid @param stored what fields that are not sent keep */
  static amountsOf({ hard, soft }: UpdateLimitDto, stored: SpendAmounts): SpendAmounts {
    const amounts = {
      hard: hard === undefined ? stored.hard : amountOf(hard),
      soft: soft === undefined ? stored.soft : amountOf(soft),
    };
    if (amounts.hard === null && amounts.soft === null)
      throw invalid('hard', 'required', 'or soft is required');
    if (amounts.hard !== null && amounts.soft !== null && amounts.soft > amounts.hard)
      throw invalid('soft', 'too_large', 'must not be above the hard limit');
    return amounts;
  }
}

export class CreateLimitDto extends UpdateLimitDto {
  @ApiProperty({ enum: SCOPE_TYPES, example: 'organization' })
  @IsIn(SCOPE_TYPES)
  scopeType!: ScopeType;

  @ApiPropertyOptional({
    format: 'uuid',
    description:
      "With `application` its registered identifier at identity. With `organization` the organization that platform administrators limit; left out: the caller's own.",
    example: '01936d2e-7c1a-7b3e-9f52-3f6f0c9a4e22',
  })
  @WhenSent()
  @IsUUID()
  scopeValue?: string;

  @ApiPropertyOptional({
    default: false,
    description:
      'Only with `application`: counts its calls of all organizations together, for platform administrators.',
  })
  @WhenSent()
  @IsBoolean()
  allOrganizations?: boolean;

  @ApiProperty({ enum: PERIODS, example: 'month' })
  @IsIn(PERIODS)
  period!: Period;

  static isOfPlatform({ scopeType, scopeValue, allOrganizations }: CreateLimitDto): boolean {
    if (scopeType === 'organization') return scopeValue !== undefined;
    return scopeType === 'platform' || allOrganizations === true;
  }

  /** @param organizationId of the caller; null: the platform sets the limit @throws RequestIsNotValid */
  static limitOf(body: CreateLimitDto, organizationId: string | null): NewSpendLimit {
    const { scopeType, allOrganizations, period } = body;
    const amounts = UpdateLimitDto.amountsOf(body, { hard: null, soft: null });
    const named = body.scopeValue?.toLowerCase();
    if (scopeType === 'application' && named === undefined)
      throw invalid('scopeValue', 'required', 'is required for an application');
    if (scopeType === 'platform' && named !== undefined)
      throw invalid('scopeValue', 'not_allowed', 'is for applications and organizations; leave it out');
    if (scopeType !== 'application' && allOrganizations !== undefined)
      throw invalid('allOrganizations', 'not_allowed', 'is for applications only; leave it out');
    const limited = scopeType === 'organization' ? (named ?? organizationId) : organizationId;
    return {
      scopeType,
      scopeValue: (scopeType === 'organization' ? limited : named) ?? 'platform',
      organizationId: limited,
      setBy: organizationId === null ? 'platform' : 'organization',
      period,
      ...amounts,
    };
  }
}

const amountOf = (text: string | null): bigint | null => (text === null ? null : parseDollars(text));

const invalid = (field: string, code: string, detail: string) =>
  new RequestIsNotValid([{ pointer: `#/${field}`, code, detail }]);
