import { ApiProperty } from '@nestjs/swagger';
import { IsInstant, parseInstant } from '#libs/http';

export class RescheduleDto {
  @ApiProperty({
    description: 'When it is to go out: RFC 3339 with an offset, ahead of now, by five years at most.',
    format: 'date-time',
    example: '2027-01-15T09:00:00+01:00',
  })
  @IsInstant()
  scheduledAt!: string;
}

/** In UTC and milliseconds, as everything inside compares instants. */
export function instantIn({ scheduledAt }: RescheduleDto): string {
  return new Date(parseInstant(scheduledAt) ?? NaN).toISOString();
}
