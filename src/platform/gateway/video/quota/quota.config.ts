import { IsIn, IsInt, IsOptional, Matches, Max, Min } from 'class-validator';
import { Env } from '#libs/config';
import { type Bucket, QUOTA_TABLES, type QuotaTable, type QuotaTableName } from './quota-tables.js';

/** The quota of the Google project whose client credentials the connections use. */
export class QuotaConfig {
  @Env('YOUTUBE_PROJECT', {
    description:
      'Google project whose quota the calls use when no credential of the platform for youtube names one. Another project has another ledger.',
    default: 'default',
  })
  @Matches(/^[a-z][a-z0-9-]{0,62}$/, { message: 'must be the id of a Google project' })
  project!: string;

  @Env('YOUTUBE_QUOTA_TABLE', {
    description:
      'buckets: uploads have a quota of their own (since 2026). units: an upload costs 1600 of the common units, as before.',
    default: 'buckets',
  })
  @IsIn(Object.keys(QUOTA_TABLES))
  table!: QuotaTableName;

  @Env('YOUTUBE_UPLOADS_PER_DAY', {
    description: 'Uploads per day that Google grants to the project (1 to 1000000). Unset: 100.',
  })
  @IsOptional()
  @IsInt()
  @Min(1)
  @Max(1_000_000)
  uploadsPerDay?: number;

  @Env('YOUTUBE_UNITS_PER_DAY', {
    description: 'Units per day that Google grants to the project (1 to 100000000). Unset: 10000.',
  })
  @IsOptional()
  @IsInt()
  @Min(1)
  @Max(100_000_000)
  unitsPerDay?: number;

  get costs(): QuotaTable['costs'] {
    return QUOTA_TABLES[this.table].costs;
  }

  /** Units per day of each bucket. */
  get limits(): ReadonlyMap<Bucket, number> {
    const granted = { uploads: this.uploadsPerDay, units: this.unitsPerDay };
    const limits: QuotaTable['limits'] = QUOTA_TABLES[this.table].limits;
    return new Map(
      (Object.entries(limits) as [Bucket, number][]).map(([bucket, limit]) => [
        bucket,
        granted[bucket] ?? limit,
      ]),
    );
  }
}
