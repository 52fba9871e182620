import { Injectable } from '@nestjs/common';
import type { Instant } from '#libs/content';
import { Database, statement } from '#libs/database';
import { dueAtOf } from '../domain/delivery.js';
import type { ExistingPost, Scheduled } from '../domain/post.js';
import { predecessorPosition } from '../domain/thread.js';
import type { LostTime } from './recovery.js';

/** Of the parts of threads in $1: those that wait for a part, or for one that waits for a part, that was due after $2. */
const WAITED_LONGER = statement(
  'posts_parts_that_waited_longer',
  `SELECT part.id FROM posts.post_view part
   WHERE part.id = ANY ($1::uuid[]) AND EXISTS (
     SELECT FROM posts.post_view before
     WHERE before.brand_id = part.brand_id AND before.thread_id = part.thread_id
       AND before.thread_position < part.thread_position AND before.scheduled_at > $2::timestamptz)`,
);

/** Tells which posts the database may have sent in changes that it lost. */
@Injectable()
export class LostPosts {
  constructor(private readonly database: Database) {}

  /**
   * However long ago a post was due, it may have been sent late: after an outage, behind other posts of its account or after
   * the part of a thread before it. A post that was held or waited for such a part longer than the lost time was not sent.
   * @returns for each post, by its id, since when it may be on the network
   */
  async among(posts: readonly ExistingPost[], lost: LostTime | null): Promise<ReadonlyMap<string, Instant>> {
    if (lost === null) return new Map();
    const due = posts.filter(isScheduled).filter((post) => dueAtOf(post) <= lost.until);
    const waited = await this.waitedLonger(due, lost.until);
    return new Map(
      due.filter(({ id }) => !waited.has(id)).map((post) => [post.id, later(lost.from, dueAtOf(post))]),
    );
  }

  private async waitedLonger(posts: readonly Scheduled[], until: Instant): Promise<ReadonlySet<string>> {
    const parts = posts.filter(({ thread }) => predecessorPosition(thread) !== null).map(({ id }) => id);
    if (parts.length === 0) return new Set();
    const rows = await this.database.query<{ id: string }>(WAITED_LONGER, [parts, until]);
    return new Set(rows.map(({ id }) => id));
  }
}

const isScheduled = (post: ExistingPost): post is Scheduled => post.status === 'scheduled';

const later = (one: Instant, other: Instant): Instant => (one > other ? one : other);
