import type { IQueryHandler } from '@nestjs/cqrs';
import { Query, QueryHandler } from '@nestjs/cqrs';
import { Database, statement } from '#libs/database';
import type { PostDetails } from '../views/post-details.js';

export interface QueueSummary {
  readonly pending: number;
  readonly needsTime: number;
  readonly failed: number;
  /** Due within 24 hours, or overdue. */
  readonly scheduledSoon: number;
  /** The next scheduled posts, earliest first. */
  readonly next: readonly PostDetails[];
}

export interface QueueToSummarize {
  readonly brandIds: readonly string[];
  /** Maximum of `next` in the summary. */
  readonly next: number;
}

/** Counts of the queue of these brands. Does not check access: the calling feature passes the caller's brands. */
export class SummarizeQueue extends Query<QueueSummary> {
  constructor(readonly request: QueueToSummarize) {
    super();
  }
}

/** Both parts read the index of the queue. */
const SUMMARIZE = statement(
  'summarize_queue',
  `SELECT count(*) FILTER (WHERE v.queue_state = 'pending')::int AS pending,
     count(*) FILTER (WHERE v.queue_state = 'needs_time')::int AS "needsTime",
     count(*) FILTER (WHERE v.queue_state = 'failed')::int AS failed,
     count(*) FILTER (WHERE v.queue_state = 'scheduled' AND v.queue_at < now() + interval '24 hours')::int AS "scheduledSoon",
     (SELECT coalesce(jsonb_agg(next.details ORDER BY next.queue_at, next.id), '[]') FROM (
        SELECT first.* FROM unnest($1::uuid[]) AS brand (id) CROSS JOIN LATERAL (
          SELECT p.id, p.queue_at, p.details FROM posts.post_view p
          WHERE p.brand_id = brand.id AND p.queue_state = 'scheduled'
          ORDER BY p.queue_rank, p.queue_at, p.id LIMIT $2
        ) AS first ORDER BY first.queue_at, first.id LIMIT $2
      ) AS next) AS next
   FROM posts.post_view v WHERE v.brand_id = ANY ($1::uuid[]) AND v.queue_state IS NOT NULL`,
);

@QueryHandler(SummarizeQueue)
export class SummarizeQueueHandler implements IQueryHandler<SummarizeQueue> {
  constructor(private readonly database: Database) {}

  async execute({ request: { brandIds, next } }: SummarizeQueue): Promise<QueueSummary> {
    const [summary] = await this.database.query<QueueSummary>(SUMMARIZE, [brandIds, next]);
    return summary as QueueSummary;
  }
}
