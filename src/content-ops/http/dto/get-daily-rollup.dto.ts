import { ApiPropertyOptional, OmitType } from '@nestjs/swagger';
import { FilterOf, ListQuery } from '#libs/http';
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
