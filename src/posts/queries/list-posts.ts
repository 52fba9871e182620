import type { IQueryHandler } from '@nestjs/cqrs';
import { Query, QueryHandler } from '@nestjs/cqrs';
import type { Caller } from '#libs/auth';
import { Database } from '#libs/database';
import type { PostItem } from '../post-item.js';
import type { ItemRow } from '../post-row.view.js';
import { itemOfRow } from '../post-row.view.js';
import type { PostFilters } from '../posts.filters.js';
import { conditionsOf } from '../posts.filters.js';
import type { PageOrder } from '../posts.page.js';
import { countStatement, MAX_TOTAL, pageStatement } from '../posts.page.js';

export interface PostList {
  readonly caller: Caller;
  readonly filters: PostFilters;
  /** `keyOf` of the last post of the page before. */
  readonly after: PostKey | null;
  readonly limit: number;
  readonly includeTotal: boolean;
}

export type PostKey = readonly (string | number | null)[];

export interface PostsFound {
  readonly posts: PostItem[];
  /** Not counted beyond `MAX_TOTAL`. */
  readonly total?: number;
}

/** Newest first; the posts of one thread in their order. */
export class ListPosts extends Query<PostsFound> {
  constructor(readonly list: PostList) {
    super();
  }
}

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

/** What the page after this post continues from. */
export const keyOf = (post: PostItem, filters: PostFilters): PostKey =>
  filters.threadId === undefined ? [post.createdAt, post.id] : [post.threadPosition, post.id];

@QueryHandler(ListPosts)
export class ListPostsHandler implements IQueryHandler<ListPosts> {
  constructor(private readonly database: Database) {}

  async execute({ list: { caller, filters, after, limit, includeTotal } }: ListPosts): Promise<PostsFound> {
    const which = { caller, scopes: ['posts.read'], conditions: conditionsOf(filters) };
    const order = filters.threadId === undefined ? NEWEST : IN_THREAD;
    const page = pageStatement({ ...which, order, after, limit });
    const rows = await this.database.query<ItemRow>(page.sql, page.values);
    const posts = rows.map(itemOfRow);
    if (!includeTotal) return { posts };
    const count = countStatement(which);
    const [counted] = await this.database.query<{ total: number }>(count.sql, count.values);
    const total = counted?.total ?? 0;
    return total > MAX_TOTAL ? { posts } : { posts, total };
  }
}
