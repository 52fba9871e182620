import { ApiProperty, ApiPropertyOptional, OmitType } from '@nestjs/swagger';
import { FilterOf, ListQuery } from '#libs/http';
import { isCalendarDate, isTimeZone } from '../../domain/calendar-days.js';
import type { BrandDayCounts } from '../../queries/get-daily-rollup.js';

const DateFilter = () =>
  FilterOf((day) => (isCalendarDate(day) ? day : undefined), 'not_a_date', 'a day as YYYY-MM-DD');

export class GetDailyRollupDto extends OmitType(ListQuery, ['includeTotal']) {
  @ApiPropertyOptional({
    description: 'First day, YYYY-MM-DD. By default thirty days are shown; 366 at most.',
    format: 'date',
    example: '2026-11-01',
  })
  @DateFilter()
  from?: string;

  @ApiPropertyOptional({
    description: 'Last day, YYYY-MM-DD, included; by default today in the zone of the brand.',
    format: 'date',
    example: '2026-11-30',
  })
  @DateFilter()
  to?: string;

  @ApiPropertyOptional({
    description:
      'IANA time zone to cut days in, instead of the zone of each brand. Unknown names are ignored.',
    example: 'Europe/Berlin',
  })
  @FilterOf((name) => (isTimeZone(name) ? name : undefined), 'not_a_time_zone', 'an IANA time zone')
  timezone?: string;
}

const count = (description: string) => ({ description, type: 'integer', minimum: 0, example: 0 }) as const;

/** Counts of one day of one brand, by the time of each event: a post published today stays counted as scheduled yesterday. */
export class DailyRollupDto {
  @ApiProperty({ description: 'The day, in `timezone`.', format: 'date', example: '2026-11-21' })
  date!: string;

  @ApiProperty({ format: 'uuid', example: '01936d2e-7c1a-7b3e-9f52-3f6f0c9a4e11' })
  brandId!: string;

  @ApiProperty({ description: 'IANA time zone the day was cut in.', example: 'Europe/Berlin' })
  timezone!: string;

  @ApiProperty(count('Posts created, suggestions included.'))
  created!: number;

  @ApiProperty(count('Posts that automations suggested.'))
  suggested!: number;

  @ApiProperty(count('Suggestions approved.'))
  approved!: number;

  @ApiProperty(count('Suggestions rejected.'))
  rejected!: number;

  @ApiProperty(count('Times given to posts: schedulings and reschedulings, not retries.'))
  scheduled!: number;

  @ApiProperty(count('Posts published, deliveries confirmed later included.'))
  published!: number;

  @ApiProperty(count('Attempts to publish that failed.'))
  failed!: number;

  /** In a fixed order of members, so that equal counts give equal bytes. */
  static of(day: BrandDayCounts): DailyRollupDto {
    return {
      date: day.date,
      brandId: day.brandId,
      timezone: day.timezone,
      created: day.created,
      suggested: day.suggested,
      approved: day.approved,
      rejected: day.rejected,
      scheduled: day.scheduled,
      published: day.published,
      failed: day.failed,
    };
  }
}
