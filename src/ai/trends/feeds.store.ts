import { Injectable } from '@nestjs/common';
import { Database, statement } from '#libs/database';
import { VersionIsStale } from '#libs/event-store';

export interface BrandFeeds {
  readonly brandId: string;
  /** In the order of the request. */
  readonly urls: readonly string[];
  /** 0: none were ever set. */
  readonly version: number;
}

type FeedsRow = Omit<BrandFeeds, 'brandId'>;

const READ = statement('ai_trend_feeds', 'SELECT urls, version FROM ai.trend_feeds WHERE brand_id = $1');

/** $3: the required version, null for any. */
const SET = statement(
  'ai_set_trend_feeds',
  `INSERT INTO ai.trend_feeds AS feeds (brand_id, urls, version, updated_at)
   SELECT $1, $2::text[], 1, now() WHERE coalesce($3::int, 0) = 0
     OR EXISTS (SELECT FROM ai.trend_feeds WHERE brand_id = $1)
   ON CONFLICT (brand_id) DO UPDATE SET urls = excluded.urls, version = feeds.version + 1, updated_at = now()
   WHERE $3::int IS NULL OR feeds.version = $3
   RETURNING urls, version`,
);

@Injectable()
export class FeedsStore {
  constructor(private readonly database: Database) {}

  async read(brandId: string): Promise<BrandFeeds> {
    const [row] = await this.database.query<FeedsRow>(READ, [brandId]);
    return { brandId, urls: row?.urls ?? [], version: row?.version ?? 0 };
  }

  /** @param ifVersion the only version that may be replaced */
  async set(brandId: string, urls: readonly string[], ifVersion?: number): Promise<BrandFeeds> {
    const [row] = await this.database.query<FeedsRow>(SET, [brandId, urls, ifVersion ?? null]);
    if (!row) throw new VersionIsStale((await this.read(brandId)).version);
    return { brandId, ...row };
  }
}
