import { randomUUIDv7 } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { Platform } from '#libs/content';
import { Database, statement } from '#libs/database';

/** The first request decides on the id; the others get it. No row: the trend is gone. */
const RESERVE = statement(
  'ai_reserve_trend_suggestion',
  `INSERT INTO ai.trend_suggestion AS reserved (trend_id, platform, post_id)
   SELECT id, $2, $3 FROM ai.trend WHERE id = $1 FOR KEY SHARE
   ON CONFLICT (trend_id, platform) DO UPDATE SET post_id = reserved.post_id
   RETURNING post_id AS "postId"`,
);

const REPLACE = statement(
  'ai_replace_trend_suggestion',
  `UPDATE ai.trend_suggestion SET post_id = $4 WHERE trend_id = $1 AND platform = $2 AND post_id = $3`,
);

/** Which post a trend became on each network. The id is stored before the post, so that a repetition finds or creates that one. */
@Injectable()
export class SuggestionsStore {
  constructor(private readonly database: Database) {}

  /** @returns the id of the post, which may not exist yet; undefined when the trend is gone */
  async reserve(trendId: string, platform: Platform): Promise<string | undefined> {
    const [row] = await this.database.query<{ postId: string }>(RESERVE, [trendId, platform, randomUUIDv7()]);
    return row?.postId;
  }

  /** The post was deleted: the next `reserve` gives another id. */
  async replace(trendId: string, platform: Platform, postId: string): Promise<void> {
    await this.database.query(REPLACE, [trendId, platform, postId, randomUUIDv7()]);
  }
}
