import { ApiProperty } from '@nestjs/swagger';
import { is, PageDto, shape } from '#libs/http';
import { Dollars } from '../limits/amount.js';
import {
  type Period,
  PERIODS,
  SCOPE_TYPES,
  type ScopeType,
  type Setter,
  SETTERS,
  type SoftLimitAlarm,
} from '../spend/spend-limit.js';
import { dollarsOf } from '../spend/money.js';
import type { Grouping } from './usage-query.js';
import type { UsageGroup, UsageSums } from './usage-report.js';

const count = (description: string) => ({ description, type: 'integer', minimum: 0, example: 0 }) as const;

export class UsageQuantitiesDto extends shape({
  inputTokens: is.of<number>({
    ...count('Text tokens that were neither read from nor written to a cache.'),
  }),
  cachedInputTokens: is.of<number>({ ...count('Tokens read from a cache.') }),
  cacheWriteTokens: is.of<number>({ ...count('Tokens written to a cache.') }),
  outputTokens: is.of<number>({ ...count('Text tokens of responses, reasoning included.') }),
  inputImageTokens: is.of<number>({ ...count('Tokens of images in requests.') }),
  outputImageTokens: is.of<number>({ ...count('Tokens of images in responses.') }),
  inputAudioTokens: is.of<number>({ ...count('Tokens of audio in requests.') }),
  audioSeconds: is.of<number>({ type: 'number', description: 'Of audio.', example: 61.5 }),
  images: is.of<number>({ ...count('Whole images in responses.') }),
}) {}

export class UsageSumsDto {
  @ApiProperty(count('Requests of callers. A request counts where its first attempt does.'))
  calls!: number;

  @ApiProperty(count('Attempts at providers that have ended.'))
  attempts!: number;

  @ApiProperty(count('Attempts that failed at a known cost, which is mostly 0.'))
  failed!: number;

  @ApiProperty(count('Attempts that were sent and whose cost is not known. Limits count their estimates.'))
  unknown!: number;

  @ApiProperty(
    count('Attempts whose cost is estimated by what arrived, because the provider did not say it.'),
  )
  estimated!: number;

  @ApiProperty(count('Attempts whose model had no price. They add nothing to `cost`.'))
  unpriced!: number;

  @ApiProperty(count('Attempts of which nothing was sent; not in `attempts`.'))
  notSent!: number;

  @Dollars('What attempts cost.')
  cost!: string;

  @Dollars('Estimates of attempts whose cost is not known; limits count them. Not in `cost`.')
  uncertainCost!: string;

  @ApiProperty({ type: () => UsageQuantitiesDto })
  usage!: UsageQuantitiesDto;

  static of({ calls, attempts, failed, unknown, estimated, unpriced, ...rest }: UsageSums): UsageSumsDto {
    const { released: notSent, cost, uncertainCost, ...usage } = rest;
    const costs = { cost: dollarsOf(cost), uncertainCost: dollarsOf(uncertainCost) };
    return { calls, attempts, failed, unknown, estimated, unpriced, notSent, ...costs, usage };
  }
}

/** What the rows of a group have in common. Members are those of `groupBy`. */
export class UsageKeysDto extends shape({
  day: is.text({ format: 'date', description: 'UTC.', example: '2026-11-01' }).optional,
  month: is.text({ description: 'UTC.', example: '2026-11' }).optional,
  organizationId: is.uuid().optional,
  applicationId: is.uuid().optional,
  application: is.text({ description: 'Slug of the application.', example: 'mail' }).optional,
  userId: is.uuid({ description: 'null: on behalf of no person.' }).orNull.optional,
  capability: is.text({ example: 'completions' }).optional,
  provider: is.text({ example: 'openai' }).optional,
  model: is.text({ example: 'openai/gpt-image-2' }).optional,
  credentialId: is.uuid().optional,
}) {}

/** Members of `UsageKeysDto`. */
export const MEMBER_OF: Readonly<Record<Grouping, keyof UsageKeysDto>> = {
  day: 'day',
  month: 'month',
  organization: 'organizationId',
  application: 'applicationId',
  user: 'userId',
  capability: 'capability',
  provider: 'provider',
  model: 'model',
  credential: 'credentialId',
};

export class UsageGroupDto extends shape(
  {
    group: is.object(() => UsageKeysDto),
  },
  UsageSumsDto,
) {
  static ofGroup(groupBy: readonly Grouping[], { keys, application, ...sums }: UsageGroup): UsageGroupDto {
    const members = groupBy.map((grouping, index) => [MEMBER_OF[grouping], keys[index] || null] as const);
    const slug = groupBy.includes('application') ? { application: application ?? '' } : {};
    return { group: { ...Object.fromEntries(members), ...slug }, ...UsageSumsDto.of(sums) };
  }
}

/** A soft limit that was reached in a day or month. */
export class SoftLimitAlarmDto {
  @ApiProperty({ format: 'uuid', example: '01936d2e-7c1a-7b3e-9f52-3f6f0c9a4e11' })
  limitId!: string;

  @ApiProperty({ enum: SCOPE_TYPES, example: 'organization' })
  scopeType!: ScopeType;

  @ApiProperty({ description: '`platform`, or the id of the organization or application.' })
  scopeValue!: string;

  @ApiProperty({
    type: 'string',
    format: 'uuid',
    nullable: true,
    description: 'The organization whose calls it counts; null: all.',
  })
  organizationId!: string | null;

  @ApiProperty({ enum: SETTERS, example: 'organization', description: 'Who set the limit.' })
  setBy!: Setter;

  @ApiProperty({ enum: PERIODS, example: 'month' })
  period!: Period;

  @ApiProperty({ format: 'date', example: '2026-11-01', description: 'First day of the period, UTC.' })
  startsOn!: string;

  @Dollars('The soft limit.')
  soft!: string;

  @Dollars('What the period counts until now.')
  spent!: string;

  @ApiProperty({ format: 'date-time', description: 'UTC.', example: '2026-11-21T09:30:00.000Z' })
  raisedAt!: string;

  static of({ soft, spent, raisedAt, ...rest }: SoftLimitAlarm): SoftLimitAlarmDto {
    return {
      ...rest,
      soft: dollarsOf(soft),
      spent: dollarsOf(spent),
      raisedAt: raisedAt.toISOString(),
    };
  }
}

/** The newest ones are shown. */
export const MOST_ALARMS = 100;

export class UsagePageDto extends shape(
  {
    from: is.text({ format: 'date', description: 'First day, UTC, as applied.', example: '2026-11-01' }),
    to: is.text({ format: 'date', description: 'Last day, UTC, as applied.', example: '2026-11-30' }),
    totals: is.object(() => UsageSumsDto, { description: 'Sums of all pages.' }),
    alarms: is.list(() => SoftLimitAlarmDto, {
      maxItems: MOST_ALARMS,
      description:
        'Soft limits of the same organizations that were reached in a day or month of the period, newest first; for reports of all organizations those of the platform too. Other filters do not apply.',
    }),
  },
  PageDto(UsageGroupDto),
) {}
