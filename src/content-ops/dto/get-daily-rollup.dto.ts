import { ApiPropertyOptional, OmitType } from '@nestjs/swagger';
import { ListQuery, Parameter } from '#libs/http';
import { isCalendarDate, isTimeZone } from '../calendar-days.js';

export class GetDailyRollupDto extends OmitType(ListQuery, ['includeTotal']) {
  @ApiPropertyOptional({
    description: 'First day, YYYY-MM-DD. By default thirty days are shown; 366 at most.',
    format: 'date',
    example: '2026-11-01',
  })
  @Parameter((value) => (typeof value === 'string' && isCalendarDate(value) ? value : undefined))
  from?: string;

  @ApiPropertyOptional({
    description: 'Last day, YYYY-MM-DD, included; by default today in the zone of the brand.',
    format: 'date',
    example: '2026-11-30',
  })
  @Parameter((value) => (typeof value === 'string' && isCalendarDate(value) ? value : undefined))
  to?: string;

  @ApiPropertyOptional({
    description:
      'IANA time zone to cut days in, instead of the zone of each brand. Unknown names are ignored.',
    example: 'Europe/Berlin',
  })
  @Parameter((value) => (typeof value === 'string' && isTimeZone(value) ? value : undefined))
  timezone?: string;
}
