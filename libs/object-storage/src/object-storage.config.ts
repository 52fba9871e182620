import { IsBoolean, IsInt, IsOptional, IsString, Matches, Max, Min, ValidateIf } from 'class-validator';
import { Env, IsBaseUrl } from '#libs/config';

export class ObjectStorageConfig {
  @Env('S3_BUCKET', {
    description: 'Bucket of the files, private to this product. It must exist.',
  })
  @IsString()
  @Matches(/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/, { message: 'must be the name of a bucket' })
  bucket!: string;

  @Env('S3_ENDPOINT', { description: 'Address of the S3 store. Unset: AWS.' })
  @IsOptional()
  @IsBaseUrl({ inCluster: true })
  endpoint?: string;

  @Env('S3_PUBLIC_ENDPOINT', {
    description:
      'Address of the same store for browsers and other clients outside, if S3_ENDPOINT is reachable only within the cluster.',
  })
  @IsOptional()
  @IsBaseUrl()
  publicEndpoint?: string;

  @Env('S3_REGION', { description: 'Region of the bucket.', default: 'us-east-1' })
  @IsString()
  region!: string;

  @Env('S3_ACCESS_KEY_ID', {
    description: 'Access key. Unset: the credentials of the machine (role, AWS_* variables) are used.',
  })
  @ValidateIf((config: ObjectStorageConfig) => config.secretAccessKey !== undefined)
  @IsString({ message: 'must be set when S3_SECRET_ACCESS_KEY is' })
  accessKeyId?: string;

  @Env('S3_SECRET_ACCESS_KEY', { description: 'Secret that belongs to S3_ACCESS_KEY_ID.' })
  @ValidateIf((config: ObjectStorageConfig) => config.accessKeyId !== undefined)
  @IsString({ message: 'must be set when S3_ACCESS_KEY_ID is' })
  secretAccessKey?: string;

  @Env('S3_FORCE_PATH_STYLE', {
    description:
      'true: the bucket is in the path, not in the host name, as most stores other than AWS require.',
    default: 'false',
  })
  @IsBoolean()
  forcePathStyle!: boolean;

  @Env('S3_TIMEOUT_MS', {
    description:
      'Time without a response after which the store counts as down, in milliseconds (100 to 60000).',
    default: '10000',
  })
  @IsInt()
  @Min(100)
  @Max(60_000)
  timeoutMs!: number;
}
