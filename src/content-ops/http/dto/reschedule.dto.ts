import { ApiProperty } from '@nestjs/swagger';
import { instantOf, IsInstant } from '#libs/http';

export class RescheduleDto {
  @ApiProperty({
    description: 'Time of publication: RFC 3339 with an offset, in the future, at most five years ahead.',
    format: 'date-time',
    example: '2030-01-15T09:00:00+01:00',
  })
  @IsInstant()
  scheduledAt!: string;
}

/** Validation ensures that it is an instant. */
export const instantIn = ({ scheduledAt }: RescheduleDto): string => instantOf(scheduledAt) as string;
