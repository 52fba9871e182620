import { ApiProperty } from '@nestjs/swagger';
import type { Bucket, MeteredCall } from './quota.config.js';

const BUCKETS = ['uploads', 'units'];

export class BucketUsageDto {
  @ApiProperty({
    enum: BUCKETS,
    example: 'uploads',
    description: '`uploads`: started uploads. `units`: everything else.',
  })
  bucket!: Bucket;

  @ApiProperty({ type: 'integer', example: 100, description: 'Units per day of the Google project.' })
  limit!: number;

  @ApiProperty({ type: 'integer', example: 12, description: 'By all applications and organizations.' })
  used!: number;

  @ApiProperty({
    type: 'integer',
    example: 88,
    description: '0 from the moment when the provider says that the quota is used up.',
  })
  remaining!: number;
}

export class CallUsageDto {
  @ApiProperty({ enum: ['videos.insert', 'channels.list'], example: 'videos.insert' })
  call!: MeteredCall;

  @ApiProperty({ enum: BUCKETS, example: 'uploads' })
  bucket!: Bucket;

  @ApiProperty({ type: 'integer', example: 2 })
  calls!: number;

  @ApiProperty({ type: 'integer', example: 2 })
  units!: number;
}

export class QuotaUsageDto {
  @ApiProperty({ example: 'default', description: 'The Google project that the quota belongs to.' })
  project!: string;

  @ApiProperty({ format: 'date', example: '2026-11-22', description: 'The day in Pacific time.' })
  day!: string;

  @ApiProperty({
    format: 'date-time',
    example: '2026-11-23T08:00:00.000Z',
    description: 'Midnight Pacific time.',
  })
  resetsAt!: Date;

  @ApiProperty({ type: () => [BucketUsageDto] })
  buckets!: readonly BucketUsageDto[];

  @ApiProperty({
    type: () => [CallUsageDto],
    description: 'Today, of the calling application for this organization.',
  })
  usage!: readonly CallUsageDto[];
}
