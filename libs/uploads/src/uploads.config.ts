import { IsInt, Max, Min } from 'class-validator';
import { Env } from '#libs/config';

export class UploadsConfig {
  /** At the same time over all replicas. */
  perCaller = 4;

  @Env('UPLOADS_PER_PROCESS', {
    description:
      'Maximum number of concurrent uploads in one process (1 to 10000); each spools a file to disk.',
    default: '32',
  })
  @IsInt()
  @Min(1)
  @Max(10_000)
  perProcess!: number;

  deadlineMs = 3_600_000;

  minBytesPerSecond = 1_024;

  @Env('STORAGE_QUOTA_BYTES', {
    description:
      'Maximum size of all files of an organization in the object store, in bytes (0 to 9007199254740991).',
    default: '10737418240',
  })
  @IsInt()
  @Min(0)
  @Max(Number.MAX_SAFE_INTEGER)
  quotaBytes!: number;
}
