import { is, shape } from '#libs/http';
import type { Bucket, MeteredCall } from './quota.config.js';

const BUCKETS = ['uploads', 'units'];

export class BucketUsageDto extends shape({
  bucket: is.text<Bucket>({
    enum: BUCKETS,
    example: 'uploads',
    description: '`uploads`: started uploads. `units`: everything else.',
  }),
  limit: is.integer({ example: 100, description: 'Units per day of the Google project.' }),
  used: is.integer({ example: 12, description: 'By all applications and organizations.' }),
  remaining: is.integer({
    example: 88,
    description: '0 from the moment when the provider says that the quota is used up.',
  }),
}) {}

export class CallUsageDto extends shape({
  call: is.text<MeteredCall>({ enum: ['videos.insert', 'channels.list'], example: 'videos.insert' }),
  bucket: is.text<Bucket>({ enum: BUCKETS, example: 'uploads' }),
  calls: is.integer({ example: 2 }),
  units: is.integer({ example: 2 }),
}) {}

export class QuotaUsageDto extends shape({
  project: is.text({ example: 'default', description: 'The Google project that the quota belongs to.' }),
  day: is.text({ format: 'date', example: '2026-11-22', description: 'The day in Pacific time.' }),
  resetsAt: is.date({
    example: '2026-11-23T08:00:00.000Z',
    description: 'Midnight Pacific time.',
  }),
  buckets: is.list(() => BucketUsageDto),
  usage: is.list(() => CallUsageDto, {
    description: 'Today, of the calling application for this organization.',
  }),
}) {}
