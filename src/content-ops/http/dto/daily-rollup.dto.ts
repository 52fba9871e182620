import { ApiPropertyOptional, OmitType } from '@nestjs/swagger';
import { FilterOf, is, ListQuery, shape } from '#libs/http';
import { isCalendarDate, isTimeZone } from '../../domain/calendar-days.js';

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

const count = (description: string) => is.integer({ description, minimum: 0, example: 0 });

/** Counts of one day of one brand, by the time of each event: a post published today stays counted as scheduled yesterday. */
export class DailyRollupDto extends shape({
  date: is.text({ description: 'The day, in `timezone`.', format: 'date', example: '2026-11-21' }),
  brandId: is.uuid({ example: '01936d2e-7c1a-7b3e-9f52-3f6f0c9a4e11' }),
  timezone: is.text({ description: 'IANA time zone the day was cut in.', example: 'Europe/Berlin' }),
  created: count('Posts created, suggestions included.'),
  suggested: count('Posts that automations suggested.'),
  approved: count('Suggestions approved.'),
  rejected: count('Suggestions rejected.'),
  scheduled: count('Times given to posts: schedulings and reschedulings, not retries.'),
  published: count('Posts published, deliveries confirmed later included.'),
  failed: count('Attempts to publish that failed.'),
}) {}
