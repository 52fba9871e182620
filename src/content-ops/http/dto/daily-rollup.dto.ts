import { ApiProperty } from '@nestjs/swagger';
import type { BrandDayCounts } from '../../queries/get-daily-rollup.js';

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
