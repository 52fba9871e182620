import { randomUUIDv7 } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { Platform } from '#libs/content';
import { Database, isUniqueViolation, statement } from '#libs/database';
import { ReferenceIsNotFound } from '../domain/reference.errors.js';
import type { ThreadPosition } from '../domain/post.events.js';
import { ThreadIsOnAnotherPlatform, ThreadPositionIsTaken } from '../domain/thread.js';

/** Serializes the creation of parts of one thread until the transaction ends. */
const LOCK_THREAD = statement(
  'posts_thread_one_at_a_time',
  `SELECT pg_advisory_xact_lock(hashtextextended('posts.thread ' || $1 || ' ' || $2, 0))`,
);

const SUMMARIZE_THREAD = statement(
  'see_thread',
  `SELECT min(platform) AS platform, max(thread_position) AS last FROM posts.post_view
   WHERE brand_id = $1 AND thread_id = $2`,
);

interface NewPart {
  readonly brandId: string;
  readonly platform: Platform;
  /** null: no thread. Without an id it starts a thread, without a position it appends to one. */
  readonly thread: { readonly id?: string; readonly position?: number } | null;
}

interface ThreadSummary {
  readonly platform: string | null;
  readonly last: number | null;
}

@Injectable()
export class PostsThreads {
  constructor(private readonly database: Database) {}

  /**
   * Creates a part of a thread; without a position, at the end. Parts of one thread are created one after the other. The
   * thread of another brand is not found.
   * @throws ReferenceIsNotFound, ThreadIsOnAnotherPlatform, ThreadPositionIsTaken, the errors of `create`
   */
  async createPart<T>(
    { brandId, platform, thread: asked }: NewPart,
    create: (position: ThreadPosition | null) => Promise<T>,
  ): Promise<T> {
    if (asked === null) return create(null);
    const { id, position } = asked;
    if (id === undefined) return create({ id: randomUUIDv7(), position: position ?? 1 });
    return this.translatingConflicts(async () => {
      await this.database.query(LOCK_THREAD, [brandId, id]);
      const [seen] = await this.database.query<ThreadSummary>(SUMMARIZE_THREAD, [brandId, id]);
      if (!seen?.platform) throw new ReferenceIsNotFound(['#/threadId']);
      if (seen.platform !== platform) throw new ThreadIsOnAnotherPlatform(seen.platform);
      return create({ id, position: position ?? (seen.last ?? 0) + 1 });
    });
  }

  /** Translates a unique violation. @throws ThreadPositionIsTaken */
  private async translatingConflicts<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await this.database.transaction(work);
    } catch (error) {
      throw isUniqueViolation(error, 'post_place_in_thread') ? new ThreadPositionIsTaken() : error;
    }
  }
}
