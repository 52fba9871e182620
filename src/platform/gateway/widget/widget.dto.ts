import { ApiProperty } from '@nestjs/swagger';
import { is, shape } from '#libs/http';
import { Dollars } from '../ai/usage/limits/amount.js';
import { dollarsOf } from '../ai/usage/spend/money.js';
import { type Setter, SETTERS, type SpendLimit } from '../ai/usage/spend/spend-limit.js';
import type { UsageSums } from '../ai/usage/report/usage-report.js';

const count = (description: string) => ({ description, type: 'integer', minimum: 0, example: 0 }) as const;

export class WidgetStatsDto {
  @Dollars('What calls of today cost, UTC.')
  spentToday!: string;

  @Dollars('What calls of this month cost, UTC.')
  spentThisMonth!: string;

  @Dollars('Estimates of calls of this month whose cost is not known; not in `spentThisMonth`.')
  uncertainThisMonth!: string;

  @ApiProperty(count('Calls of today.'))
  callsToday!: number;

  @ApiProperty(count('Calls of this month.'))
  callsThisMonth!: number;

  @ApiProperty(count('Attempts at providers that failed today.'))
  failedToday!: number;
}

export class WidgetLimitDto {
  @ApiProperty({ enum: ['organization', 'application'], example: 'organization' })
  scopeType!: string;

  @ApiProperty({ description: 'The id of the organization or application.' })
  scopeValue!: string;

  @ApiProperty({
    enum: SETTERS,
    example: 'organization',
    description: 'Who set it. Only platform administrators change what the platform set.',
  })
  setBy!: Setter;

  @ApiProperty({ enum: ['day', 'month'], example: 'month' })
  period!: string;

  @Dollars('null: no hard limit.', true)
  hard!: string | null;

  @Dollars('null: no soft limit.', true)
  soft!: string | null;

  @Dollars('What the period counts, estimates of running calls included.')
  used!: string;

  @ApiProperty({ enum: ['ok', 'soft_limit_reached', 'hard_limit_reached'], example: 'ok' })
  state!: 'ok' | 'soft_limit_reached' | 'hard_limit_reached';

  @ApiProperty({ format: 'date-time', example: '2026-12-01T00:00:00.000Z' })
  resetsAt!: Date;

  static of(limit: SpendLimit): WidgetLimitDto {
    const { scopeType, scopeValue, setBy, period, resetsAt, hard, soft, spent } = limit;
    const used = spent + limit.reserved;
    const isSoft = soft !== null && spent >= soft;
    return {
      scopeType,
      scopeValue,
      setBy,
      period,
      resetsAt,
      hard: hard === null ? null : dollarsOf(hard),
      soft: soft === null ? null : dollarsOf(soft),
      used: dollarsOf(used),
      state: hard !== null && used >= hard ? 'hard_limit_reached' : isSoft ? 'soft_limit_reached' : 'ok',
    };
  }
}

export class FailingProviderDto extends shape({
  provider: is.text({ example: 'openai' }),
  credential: is.text<'own' | 'platform'>({
    enum: ['own', 'platform'],
    description: 'Whose credential.',
    example: 'own',
  }),
  reason: is.text({ example: 'money', description: 'Such as `credential`, `money`, `overload` or `rate`.' }),
  since: is.date().orNull,
}) {}

export class WidgetActionDto extends shape({
  id: is.text({ enum: ['raise-limits', 'check-credentials'], example: 'raise-limits' }),
  label: is.text({ example: 'Look at 1 reached limit' }),
  count: is.of<number>({ ...count('Number of limits or providers.') }),
  href: is.text({ description: 'Address of the list.', format: 'uri-reference' }),
}) {}

/** The live workspace of this service. */
export class WidgetDto extends shape({
  generatedAt: is.instant({ description: 'UTC, milliseconds.', example: '2026-11-21T09:30:00.000Z' }),
  stats: is.object(() => WidgetStatsDto),
  limits: is.list(() => WidgetLimitDto),
  failingProviders: is.list(() => FailingProviderDto),
  actions: is.list(() => WidgetActionDto, { description: 'Open actions, most urgent first.' }),
}) {}

/** What the widget shows. */
export interface Workspace {
  readonly today: UsageSums;
  readonly month: UsageSums;
  readonly limits: readonly SpendLimit[];
  readonly failing: readonly FailingProviderDto[];
}

/** @param base public address of this service without trailing slash, never taken from a request */
export function widgetOf(
  { today, month, limits, failing }: Workspace,
  generatedAt: Date,
  base: string,
): WidgetDto {
  const shown = limits.map((limit) => WidgetLimitDto.of(limit));
  const reached = shown.filter(({ state }) => state !== 'ok').length;
  return {
    generatedAt: generatedAt.toISOString(),
    stats: {
      spentToday: dollarsOf(today.cost),
      spentThisMonth: dollarsOf(month.cost),
      uncertainThisMonth: dollarsOf(month.uncertainCost),
      callsToday: today.calls,
      callsThisMonth: month.calls,
      failedToday: today.failed,
    },
    limits: shown,
    failingProviders: [...failing],
    actions: [
      action('raise-limits', reached, 'reached limit', `${base}/api/limits`),
      action('check-credentials', failing.length, 'failing provider', `${base}/api/credentials`),
    ].filter(({ count: open }) => open > 0),
  };
}

const action = (id: string, open: number, thing: string, href: string): WidgetActionDto => ({
  id,
  label: `Look at ${open} ${thing}${open === 1 ? '' : 's'}`,
  count: open,
  href,
});
