/*
 * What calls of the YouTube Data API cost. Source: developers.google.com/youtube/v3/determine_quota_cost, read 2026-11-21; the older
 * table stood there until 2026. Limits are the defaults of a Google project; a project that was granted more sets
 * YOUTUBE_UPLOADS_PER_DAY and YOUTUBE_UNITS_PER_DAY.
 */

/** A call that costs units, by Google's name of the method. */
export type MeteredCall = 'videos.insert' | 'channels.list';

/** Buckets are counted separately. All are reset at midnight Pacific time. */
export type Bucket = 'uploads' | 'units';

export interface QuotaTable {
  /** Per project and day; undefined: there is no such bucket. */
  readonly limits: Readonly<Partial<Record<Bucket, number>>>;
  /** Every request costs at least 1, an invalid one too. */
  readonly costs: Readonly<Record<MeteredCall, { readonly bucket: Bucket; readonly units: number }>>;
}

export const QUOTA_TABLES = {
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

export type QuotaTableName = keyof typeof QUOTA_TABLES;
