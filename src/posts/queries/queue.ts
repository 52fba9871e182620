import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import type { Caller, Scope } from '#libs/auth';
import { Database, statement } from '#libs/database';
import { MAX_TOTAL } from '#libs/http';
import { RequestQuery } from '#libs/messages';
import { QUEUE_RANKS, type QueueState } from '../domain/queue.js';
import type { PostDetails } from '../views/post-details.js';
import type { PostItem } from '../views/post-item.js';
import { itemOfRow, type ItemRow } from '../views/post-row.view.js';
import { ShownPosts } from './get-post.js';
import { queueConditionsOf, type QueueFilters } from './posts.filters.js';
import { type PageOrder, pageStatement } from './posts.page.js';

interface QueueList {
  readonly caller: Caller;
  /** Required scopes in the organization of each item. */
  readonly scopes: readonly Scope[];
  readonly filters: QueueFilters;
  /** `key` of the last item of the previous page. */
  readonly after: QueueKey | null;
  readonly limit: number;
}

/** Rank, instant, id. */
export type QueueKey = readonly [number, string, string];

interface QueueEntry {
  readonly item: PostItem;
  readonly state: QueueState;
  readonly key: QueueKey;
}

/** Posts that need action, in the order of `QueuePosition.rank`. */
export class ListQueue extends RequestQuery<QueueList, QueueEntry[]> {}

export const URGENCY: PageOrder = {
  name: 'urgency',
  keys: [
    ['v.queue_rank', 'smallint'],
    ['v.queue_at', 'timestamptz'],
    ['v.id', 'uuid'],
  ],
  direction: 'ASC',
};

type QueueRow = ItemRow & { queue_state: QueueState; queue_rank: number; queue_at: Date };

@QueryHandler(ListQueue)
export class ListQueueHandler implements IQueryHandler<ListQueue> {
  constructor(
    private readonly database: Database,
    private readonly shown: ShownPosts,
  ) {}

  async execute({ request: { caller, scopes, filters, after, limit } }: ListQueue): Promise<QueueEntry[]> {
    const conditions = queueConditionsOf(filters);
    const { sql, values } = pageStatement({ caller, scopes, conditions, order: URGENCY, after, limit });
    const rows = await this.database.query<QueueRow>(sql, values);
    const items = await this.shown.of(rows.map(itemOfRow));
    return rows.map((row, index) => entryOf(row, items[index] as PostItem));
  }
}

const entryOf = (row: QueueRow, item: PostItem): QueueEntry => ({
  item,
  state: row.queue_state,
  key: [row.queue_rank, row.queue_at.toISOString(), row.details.id],
});

/** Each count is `MAX_TOTAL` if there are as many or more. */
interface QueueSummary {
  readonly pending: number;
  readonly needsTime: number;
  readonly failed: number;
  /** Due within 24 hours, or overdue. */
  readonly scheduledSoon: number;
  /** The next scheduled posts, earliest first. */
  readonly next: readonly PostDetails[];
}

interface QueueToSummarize {
  readonly brandIds: readonly string[];
  /** Maximum of `next` in the summary. */
  readonly next: number;
}

/** Counts of the queue of these brands. Does not check access: the calling feature passes the caller's brands. */
export class SummarizeQueue extends RequestQuery<QueueToSummarize, QueueSummary> {}

/** Posts of these brands in this state: per brand and rank a range of the index of the queue, earliest first. */
const placed = (state: QueueState, columns: string, limit: string, more = '') => `
  SELECT ${columns} FROM unnest($1::uuid[]) AS brand (id)
  CROSS JOIN unnest('{${QUEUE_RANKS[state].join(',')}}'::smallint[]) AS rank (value) CROSS JOIN LATERAL (
    SELECT ${columns} FROM posts.post_view v
    WHERE v.brand_id = brand.id AND v.queue_state IS NOT NULL AND v.queue_rank = rank.value ${more}
    ORDER BY v.queue_at, v.id LIMIT ${limit}) AS v`;
const count = (state: QueueState, more?: string) =>
  `(SELECT count(*)::int FROM (${placed(state, '', String(MAX_TOTAL), more)} LIMIT ${MAX_TOTAL}) AS counted)`;

const SUMMARIZE = statement(
  'summarize_queue',
  `SELECT ${count('pending')} AS pending, ${count('needs_time')} AS "needsTime", ${count('failed')} AS failed,
     ${count('scheduled', `AND v.queue_at < now() + interval '24 hours'`)} AS "scheduledSoon",
     (SELECT coalesce(jsonb_agg(next.details ORDER BY next.queue_at, next.id), '[]') FROM (
        ${placed('scheduled', 'v.id, v.queue_at, v.details', '$2')} ORDER BY v.queue_at, v.id LIMIT $2
      ) AS next) AS next`,
);

@QueryHandler(SummarizeQueue)
export class SummarizeQueueHandler implements IQueryHandler<SummarizeQueue> {
  constructor(private readonly database: Database) {}

  async execute({ request: { brandIds, next } }: SummarizeQueue): Promise<QueueSummary> {
    const [summary] = await this.database.query<QueueSummary>(SUMMARIZE, [brandIds, next]);
    return summary as QueueSummary;
  }
}
