import { IsInt, Max, Min } from 'class-validator';
import { Env } from '#libs/config';

export class UsageConfig {
  @Env('USAGE_RETENTION_DAYS', {
    description:
      'How long the provider gateway keeps the row of each attempt (60 to 3650 days, whole months). Reports per day and month are kept.',
    default: '400',
  })
  @IsInt()
  @Min(60)
  @Max(3_650)
  retentionDays!: number;
}
