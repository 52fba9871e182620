import { randomUUIDv7 } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Database, statement } from '#libs/database';
import type { Platform, ThreadPlace } from './post.events.js';
import { ThreadIsOnAnotherPlatform, ThreadPositionIsTaken } from './thread.errors.js';

const SEEN = statement(
  'see_thread',
  `SELECT min(platform) AS platform, max(thread_position) AS last FROM posts.post_view
   WHERE brand_id = $1 AND thread_id = $2`,
);

/** SQLSTATE of a broken unique constraint. */
const UNIQUE_VIOLATION = '23505';

@Injectable()
export class PostsThreads {
  constructor(private readonly database: Database) {}

  /**
   * Where a new part goes. Ids of threads belong to their brand: the same id in another brand is another thread.
   * @throws ThreadIsOnAnotherPlatform
   */
  async place(
    brandId: string,
    platform: Platform,
    asked: { readonly id?: string; readonly position?: number } | null,
  ): Promise<ThreadPlace | null> {
    if (asked === null) return null;
    if (asked.id === undefined) return { id: randomUUIDv7(), position: asked.position ?? 1 };
    const [seen] = await this.database.query<{ platform: string | null; last: number | null }>(SEEN, [
      brandId,
      asked.id,
    ]);
    if (seen?.platform && seen.platform !== platform) throw new ThreadIsOnAnotherPlatform(seen.platform);
    return { id: asked.id, position: asked.position ?? (seen?.last ?? 0) + 1 };
  }

  /** The database decides who has a position; this says it in the words of the domain. @throws ThreadPositionIsTaken */
  async guarding<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      const { code, constraint } = error as { code?: unknown; constraint?: unknown };
      const isTaken = code === UNIQUE_VIOLATION && constraint === 'post_place_in_thread';
      throw isTaken ? new ThreadPositionIsTaken() : error;
    }
  }
}
