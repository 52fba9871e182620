import type { PostDetails } from './post-details.js';
import { itemOf, type PostInThread } from './post-item.js';
import type { ThreadPart } from '../domain/thread.js';

/** The columns of every query: `v` is the post, `b` its brand, `before` the preceding part of its thread. */
export const ITEM_COLUMNS = `v.details, b.organization_id, before.id AS before_id, before.status AS before_status,
  before.platform_post_id AS before_platform_post_id`;

export const JOIN_PREDECESSOR = `LEFT JOIN posts.post_view before ON before.brand_id = v.brand_id
  AND before.thread_id = v.thread_id AND before.thread_position = v.thread_position - 1`;

export interface ItemRow {
  readonly details: PostDetails;
  readonly organization_id: string;
  readonly before_id: string | null;
  readonly before_status: ThreadPart['status'] | null;
  readonly before_platform_post_id: string | null;
}

export function itemOfRow(row: ItemRow): PostInThread {
  const before =
    row.before_id === null || row.before_status === null
      ? null
      : {
          postId: row.before_id,
          status: row.before_status,
          platformPostId: row.before_platform_post_id,
          // Not needed: `blockedBy` does not depend on it.
          publishedSince: null,
        };
  return itemOf(row.details, row.organization_id, before);
}
