import { IsIn, IsInt, IsOptional, Matches, Max, Min } from 'class-validator';
import { Env, IsBaseUrl } from '#libs/config';

/*
 * What calls of the YouTube Data API cost. Source: developers.google.com/youtube/v3/determine_quota_cost, read 2026-11-21; the older
 * table stood there until 2026. Limits are the defaults of a Google project; a project that was granted more sets
 * YOUTUBE_UPLOADS_PER_DAY and YOUTUBE_UNITS_PER_DAY.
 */

/** A call that costs units, by Google's name of the method. */
export type MeteredCall = 'videos.insert' | 'channels.list';

/** Buckets are counted separately. All are reset at midnight Pacific time. */
export type Bucket = 'uploads' | 'units';

interface QuotaTable {
  /** Per project and day; undefined: there is no such bucket. */
  readonly limits: Readonly<Partial<Record<Bucket, number>>>;
  /** Every request costs at least 1, an invalid one too. */
  readonly costs: Readonly<Record<MeteredCall, { readonly bucket: Bucket; readonly units: number }>>;
}

const QUOTA_TABLES = {
  /** Since 2026: uploads have a bucket of their own. */
  buckets: {
    limits: { uploads: 100, units: 10_000 },
    costs: {
      'videos.insert': { bucket: 'uploads', units: 1 },
      'channels.list': { bucket: 'units', units: 1 },
    },
  },
  /** Before: one bucket, from which an upload takes 1600. */
  units: {
    limits: { units: 10_000 },
    costs: {
      'videos.insert': { bucket: 'units', units: 1_600 },
      'channels.list': { bucket: 'units', units: 1 },
    },
  },
} as const satisfies Record<string, QuotaTable>;

type QuotaTableName = keyof typeof QUOTA_TABLES;

export class YoutubeConfig {
  @Env('YOUTUBE_API_URL', {
    description:
      'Base address of the YouTube Data API. Only the provider gateway calls it; it sends to no other host, whatever an answer says.',
    default: 'https://www.googleapis.com',
  })
  @IsBaseUrl()
  apiUrl!: string;
}

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
