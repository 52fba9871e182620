import { IsInt, Max, Min } from 'class-validator';
import { Env } from '#libs/config';

/** Limits of all uploads. */
export class UploadsConfig {
  @Env('UPLOADS_PER_CALLER', {
    description:
      'Maximum number of concurrent uploads of one caller, over all replicas (1 to 100); the same on every replica.',
    default: '4',
  })
  @IsInt()
  @Min(1)
  @Max(100)
  perCaller!: number;

  @Env('UPLOADS_PER_PROCESS', {
    description:
      'Maximum number of concurrent uploads in one process (1 to 10000); each spools a file to disk.',
    default: '32',
  })
  @IsInt()
  @Min(1)
  @Max(10_000)
  perProcess!: number;

  @Env('UPLOAD_DEADLINE_MS', {
    description: 'Time limit of an upload, in milliseconds (1000 to 86400000).',
    default: '3600000',
  })
  @IsInt()
  @Min(1_000)
  @Max(86_400_000)
  deadlineMs!: number;

  @Env('UPLOAD_MIN_BYTES_PER_SECOND', {
    description: 'Minimum rate of an upload, in bytes per second (0 to 1048576; 0 for no minimum).',
    default: '1024',
  })
  @IsInt()
  @Min(0)
  @Max(1_048_576)
  minBytesPerSecond!: number;

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
