import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import type { Caller } from '#libs/auth';
import { Database } from '#libs/database';
import { counted, type Counted } from '#libs/http';
import { RequestQuery } from '#libs/messages';
import type { PostItem } from '../views/post-item.js';
import { itemOfRow, type ItemRow } from '../views/post-row.view.js';
import { conditionsOf, type PostFilters } from './posts.filters.js';
import { countStatement, type PageOrder, pageStatement } from './posts.page.js';
import { ShownPosts } from './get-post.js';

export interface PostList {
  readonly caller: Caller;
  readonly filters: PostFilters;
  /** `keyOf` of the last post of the previous page. */
  readonly after: PostKey | null;
  readonly limit: number;
  readonly includeTotal: boolean;
}

export type PostKey = readonly (string | number | null)[];

/** Counted only if requested. */
export interface PostsFound extends Counted {
  readonly posts: PostItem[];
}

/** Newest first; by position for one thread, by time for a range of the calendar. */
export class ListPosts extends RequestQuery<PostList, PostsFound> {}

export const NEWEST: PageOrder = {
  name: 'newest',
  keys: [
    ['v.created_at', 'timestamptz'],
    ['v.id', 'uuid'],
  ],
  direction: 'DESC',
};
const IN_THREAD: PageOrder = {
  name: 'thread',
  keys: [
    ['v.thread_position', 'int'],
    ['v.id', 'uuid'],
  ],
  direction: 'ASC',
};

export const ON_CALENDAR: PageOrder = {
  name: 'calendar',
  keys: [
    ['v.calendar_at', 'timestamptz'],
    ['v.id', 'uuid'],
  ],
  direction: 'ASC',
};

const orderOf = ({ threadId, from, to }: PostFilters): PageOrder => {
  if (threadId !== undefined) return IN_THREAD;
  return from === undefined && to === undefined ? NEWEST : ON_CALENDAR;
};

/** The key that the next page starts after. */
export function keyOf(post: PostItem, filters: PostFilters): PostKey {
  const order = orderOf(filters);
  if (order === IN_THREAD) return [post.threadPosition, post.id];
  if (order === NEWEST) return [post.createdAt, post.id];
  return [post.publishedAt ?? post.scheduledAt ?? post.proposedTime, post.id];
}

@QueryHandler(ListPosts)
export class ListPostsHandler implements IQueryHandler<ListPosts> {
  constructor(
    private readonly database: Database,
    private readonly shown: ShownPosts,
  ) {}

  async execute({
    request: { caller, filters, after, limit, includeTotal },
  }: ListPosts): Promise<PostsFound> {
    const which = { caller, scopes: ['posts.read'], conditions: conditionsOf(filters) };
    const order = orderOf(filters);
    const page = pageStatement({ ...which, order, after, limit });
    const rows = await this.database.query<ItemRow>(page.sql, page.values);
    const posts = await this.shown.of(rows.map(itemOfRow));
    if (!includeTotal) return { posts };
    const count = countStatement({ ...which, order });
    const [found] = await this.database.query<{ total: number }>(count.sql, count.values);
    return { posts, ...counted(found?.total ?? 0) };
  }
}
