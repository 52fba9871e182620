import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import type { Caller, Scope } from '#libs/auth';
import { Database } from '#libs/database';
import type { PostItem } from '../views/post-item.js';
import { itemOfRow, type ItemRow } from '../views/post-row.view.js';
import { queueConditionsOf, type QueueFilters } from './posts.filters.js';
import { type PageOrder, pageStatement } from './posts.page.js';
import type { QueueState } from '../domain/queue.js';
import { ShownPosts } from './shown-posts.js';

export interface QueueList {
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

export interface QueueEntry {
  readonly item: PostItem;
  readonly state: QueueState;
  readonly key: QueueKey;
}

/** Posts that need action, in the order of `QueuePosition.rank`. */
export class ListQueue extends Query<QueueEntry[]> {
  constructor(readonly request: QueueList) {
    super();
  }
}

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
