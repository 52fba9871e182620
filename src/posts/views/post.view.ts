import { createHash } from 'node:crypto';
import type { ViewColumn } from '#libs/event-store';
import { detailsOf, type PostDetails } from './post-details.js';
import type { ExistingPost } from '../domain/post.js';
import { queuePositionOf } from '../domain/queue.js';

export interface PostViewRow {
  readonly post: ExistingPost;
  readonly details: PostDetails;
  readonly queue: ReturnType<typeof queuePositionOf>;
}

export const rowOf = (post: ExistingPost, version: number): PostViewRow => ({
  post,
  details: detailsOf(post, version),
  queue: queuePositionOf(post),
});

/** Equal for texts that differ in white space only: networks treat them as duplicates. */
export const textDigestOf = (text: string): string =>
  createHash('sha256').update(text.trim().replace(/\s+/gu, ' ')).digest('hex');

/** Columns of posts.post_view without the id. */
export const POST_COLUMNS: readonly ViewColumn<PostViewRow>[] = [
  ['brand_id', 'uuid', ({ post }) => post.brandId],
  ['platform', 'text', ({ post }) => post.platform],
  ['status', 'text', ({ post }) => post.status],
  ['approval_state', 'text', ({ post }) => post.approval.state],
  ['thread_id', 'uuid', ({ details }) => details.threadId],
  ['thread_position', 'int', ({ details }) => details.threadPosition],
  ['scheduled_at', 'timestamptz', ({ details }) => details.scheduledAt],
  ['published_at', 'timestamptz', ({ details }) => details.publishedAt],
  ['platform_post_id', 'text', ({ details }) => details.platformPostId],
  [
    'calendar_at',
    'timestamptz',
    ({ details: { publishedAt, scheduledAt, proposedTime } }) => publishedAt ?? scheduledAt ?? proposedTime,
  ],
  ['queue_state', 'text', ({ queue }) => queue?.state ?? null],
  ['queue_rank', 'smallint', ({ queue }) => queue?.rank ?? null],
  ['queue_at', 'timestamptz', ({ queue }) => queue?.at ?? null],
  ['text_digest', 'text', ({ post }) => textDigestOf(post.content.text)],
  ['created_at', 'timestamptz', ({ post }) => post.createdAt],
  ['version', 'int', ({ details }) => details.version],
  ['details', 'jsonb', ({ details }) => details],
];
