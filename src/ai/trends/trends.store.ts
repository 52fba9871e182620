import { createHash, randomUUIDv7 } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Database, type Executor, statement } from '#libs/database';
import type { Trend } from './domain/trend.js';
import type { SourceId, SourceResult } from './sources/trend-source.js';

export interface SourceState {
  /** Of the last outcome; 0 before the first one. */
  readonly version: number;
  readonly name: string | null;
  /** Of the last result; null: none yet. */
  readonly foundAt: string | null;
  readonly dropped: number;
  readonly failure: string | null;
  readonly isLimited: boolean;
  /** Seconds until the source is asked again after a failure. */
  readonly retryAfterSeconds: number;
  /** The last result is younger than the cache allows. */
  readonly isYoung: boolean;
  /** It is time to ask the source, also without `refresh`. */
  readonly isDue: boolean;
}

const NEVER_ASKED: SourceState = {
  version: 0,
  name: null,
  foundAt: null,
  dropped: 0,
  failure: null,
  isLimited: false,
  retryAfterSeconds: 0,
  isYoung: false,
  isDue: true,
};

type SourceRow = Omit<SourceState, 'foundAt'> &
  Pick<SourceId, 'kind' | 'key'> & { readonly foundAt: Date | null };

const STATES = statement(
  'ai_trend_sources',
  `SELECT source.*, CASE WHEN failure IS NULL THEN NOT "isYoung" ELSE "retryAfterSeconds" = 0 END AS "isDue"
   FROM (
     SELECT kind, key, version, nullif(name, '') AS name, dropped, found_at AS "foundAt", failure, is_limited AS "isLimited",
       greatest(0, ceil(extract(epoch FROM retry_at - now())))::int AS "retryAfterSeconds",
       coalesce(found_at > now() - $4 * interval '1 minute', false) AS "isYoung"
     FROM ai.trend_source JOIN unnest($2::text[], $3::text[]) AS asked (kind, key) USING (kind, key)
     WHERE brand_id = $1) AS source`,
);

const VERSION = statement(
  'ai_trend_source_version',
  'SELECT version FROM ai.trend_source WHERE brand_id = $1 AND kind = $2 AND key = $3',
);

const SAVE_RESULT = statement(
  'ai_save_trend_source',
  `INSERT INTO ai.trend_source AS source
     (brand_id, kind, key, version, name, dropped, found_version, found_at, attempted_at, failure, is_limited, retry_at)
   VALUES ($1, $2, $3, 1, $4, $5, 1, now(), now(), NULL, false, NULL)
   ON CONFLICT (brand_id, kind, key) DO UPDATE SET
     version = source.version + 1, name = excluded.name, dropped = excluded.dropped,
     found_version = source.version + 1, found_at = now(), attempted_at = now(),
     failure = NULL, is_limited = false, retry_at = NULL
   RETURNING version`,
);

const SAVE_FAILURE = statement(
  'ai_save_trend_source_failure',
  `INSERT INTO ai.trend_source AS source
     (brand_id, kind, key, version, name, dropped, attempted_at, failure, is_limited, retry_at)
   VALUES ($1, $2, $3, 1, '', 0, now(), $4, $5, now() + $6 * interval '1 millisecond')
   ON CONFLICT (brand_id, kind, key) DO UPDATE SET
     version = source.version + 1, attempted_at = now(),
     failure = excluded.failure, is_limited = excluded.is_limited, retry_at = excluded.retry_at`,
);

/** A trend that is found again keeps its id. In the order of their identities, so that two writers never deadlock. */
const SAVE_TRENDS = statement(
  'ai_save_trends',
  `INSERT INTO ai.trend AS trend
     (id, brand_id, kind, key, identity, title, summary, link, published_at, source_name,
      first_seen_at, seen_at, seen_version)
   SELECT found.id, $1, $2, $3, decode(found.identity, 'hex'), found.title, found.summary, found.link,
     found."publishedAt", $5, now(), now(), $6
   FROM jsonb_to_recordset($4) AS found
     (id uuid, identity text, title text, summary text, link text, "publishedAt" timestamptz)
   ORDER BY found.identity
   ON CONFLICT (brand_id, kind, key, identity) DO UPDATE SET
     title = excluded.title, summary = excluded.summary, link = excluded.link,
     published_at = excluded.published_at, source_name = excluded.source_name,
     seen_at = excluded.seen_at, seen_version = excluded.seen_version`,
);

type TrendRow = Omit<Trend, 'topic' | 'publishedAt' | 'firstSeenAt'> & {
  readonly key: string;
  readonly publishedAt: Date | null;
  readonly firstSeenAt: Date;
};

const COLUMNS = `id, trend.brand_id AS "brandId", trend.kind, trend.key, title, summary, link, published_at AS "publishedAt",
  source_name AS "sourceName", first_seen_at AS "firstSeenAt"`;

/** Those of the last result of each source. */
const CURRENT = statement(
  'ai_current_trends',
  `SELECT ${COLUMNS}
   FROM unnest($2::text[], $3::text[]) AS asked (kind, key)
   JOIN ai.trend_source AS source ON source.brand_id = $1 AND source.kind = asked.kind AND source.key = asked.key
   JOIN ai.trend ON trend.brand_id = $1 AND trend.kind = source.kind AND trend.key = source.key
     AND trend.seen_version = source.found_version`,
);

const FIND = statement('ai_find_trend', `SELECT ${COLUMNS} FROM ai.trend WHERE id = $1`);

const DELETE_OLD_TRENDS = statement(
  'ai_delete_old_trends',
  `DELETE FROM ai.trend WHERE id IN (
     SELECT id FROM ai.trend WHERE seen_at < now() - $1 * interval '1 day'
     ORDER BY seen_at LIMIT $2 FOR UPDATE SKIP LOCKED) RETURNING id`,
);

const DELETE_OLD_SOURCES = statement(
  'ai_delete_old_trend_sources',
  `DELETE FROM ai.trend_source WHERE (brand_id, kind, key) IN (
     SELECT brand_id, kind, key FROM ai.trend_source WHERE attempted_at < now() - $1 * interval '1 day'
     ORDER BY attempted_at LIMIT $2 FOR UPDATE SKIP LOCKED) RETURNING kind`,
);

@Injectable()
export class TrendsStore {
  constructor(private readonly database: Database) {}

  /** In the order of `sources`, which belong to one brand. @param cacheMinutes age of a result that is due again */
  async states(sources: readonly SourceId[], cacheMinutes: number): Promise<SourceState[]> {
    const rows = await this.database.query<SourceRow>(STATES, [...keysOf(sources), cacheMinutes]);
    return sources.map(({ kind, key }) => {
      const row = rows.find((one) => one.kind === kind && one.key === key);
      return row ? stateOf(row) : NEVER_ASKED;
    });
  }

  /** 0 before the first outcome. */
  async version({ brandId, kind, key }: SourceId): Promise<number> {
    const [row] = await this.database.query<{ version: number }>(VERSION, [brandId, kind, key]);
    return row?.version ?? 0;
  }

  /** The trends of the last result of each source, which belong to one brand. */
  async current(sources: readonly SourceId[]): Promise<(Trend & { readonly source: SourceId })[]> {
    const rows = await this.database.query<TrendRow>(CURRENT, keysOf(sources));
    return rows.map((row) => ({ ...trendOf(row), source: row }));
  }

  async find(trendId: string): Promise<Trend | undefined> {
    const [row] = await this.database.query<TrendRow>(FIND, [trendId]);
    return row && trendOf(row);
  }

  /** @param retryMs used without one of the source */
  async save(executor: Executor, source: SourceId, result: SourceResult, retryMs: number): Promise<void> {
    const id = [source.brandId, source.kind, source.key];
    if (result.kind === 'failed') {
      await executor.query(SAVE_FAILURE, [...id, result.code, result.isLimited, retryMs]);
      return;
    }
    const { name, dropped, trends } = result;
    const [saved] = await executor.query<{ version: number }>(SAVE_RESULT, [...id, name, dropped]);
    const found = trends.map((trend) => ({
      ...trend,
      id: randomUUIDv7(),
      identity: createHash('sha256').update(trend.identity).digest('hex'),
    }));
    await executor.query(SAVE_TRENDS, [...id, JSON.stringify(found), name, saved?.version]);
  }

  /** @returns how many rows of the fuller table; less than `limit`: none are left */
  async deleteOlder(days: number, limit: number): Promise<number> {
    const trends = await this.database.query(DELETE_OLD_TRENDS, [days, limit]);
    const sources = await this.database.query(DELETE_OLD_SOURCES, [days, limit]);
    return Math.max(trends.length, sources.length);
  }
}

const keysOf = (sources: readonly SourceId[]): unknown[] => [
  sources[0]?.brandId ?? null,
  sources.map(({ kind }) => kind),
  sources.map(({ key }) => key),
];

const stateOf = ({ kind: _kind, key: _key, foundAt, ...state }: SourceRow): SourceState => ({
  ...state,
  foundAt: foundAt?.toISOString() ?? null,
});

const trendOf = ({ key, publishedAt, firstSeenAt, ...trend }: TrendRow): Trend => ({
  ...trend,
  topic: trend.kind === 'model' && key !== '' ? key : null,
  publishedAt: publishedAt?.toISOString() ?? null,
  firstSeenAt: firstSeenAt.toISOString(),
});
