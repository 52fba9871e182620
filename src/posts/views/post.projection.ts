import { createHash } from 'node:crypto';
import { TableView, type ViewColumn, viewTable } from '#libs/event-store';
import { dueAtOf } from '../domain/delivery.js';
import { type ExistingPost, exists, type Post, type Scheduled } from '../domain/post.js';
import { queuePositionOf } from '../domain/queue.js';
import { detailsOf, type PostDetails } from './post-details.js';

interface PostViewRow {
  readonly post: ExistingPost;
  readonly details: PostDetails;
  readonly queue: ReturnType<typeof queuePositionOf>;
}

const rowOf = (post: ExistingPost, version: number): PostViewRow => ({
  post,
  details: detailsOf(post, version),
  queue: queuePositionOf(post),
});

/** Equal for texts that differ in white space only: networks treat them as duplicates. */
export const textDigestOf = (text: string): string =>
  createHash('sha256').update(text.trim().replace(/\s+/gu, ' ')).digest('hex');

/** Columns of posts.post_view without the id. */
const POST_COLUMNS: readonly ViewColumn<PostViewRow>[] = [
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

interface PublicationRow {
  readonly post: Scheduled;
  readonly version: number;
}

/** Columns of posts.publication, the due posts of the publisher, without the post_id. `due_at` includes a hold. */
const PUBLICATION_COLUMNS: readonly ViewColumn<PublicationRow>[] = [
  ['brand_id', 'uuid', ({ post }) => post.brandId],
  ['platform', 'text', ({ post }) => post.platform],
  ['author_id', 'uuid', ({ post }) => post.authorId],
  ['target', 'jsonb', ({ post }) => post.content.target],
  ['thread_id', 'uuid', ({ post }) => post.thread?.id ?? null],
  ['thread_position', 'int', ({ post }) => post.thread?.position ?? null],
  ['scheduled_at', 'timestamptz', ({ post }) => post.scheduledAt],
  ['due_at', 'timestamptz', ({ post }) => dueAtOf(post)],
  ['held_until', 'timestamptz', ({ post }) => post.held?.until ?? null],
  ['held_attempt_id', 'uuid', ({ post }) => post.held?.attemptId ?? null],
  ['attempt_id', 'uuid', ({ post }) => post.attempt?.attemptId ?? null],
  ['attempt_connection_id', 'uuid', ({ post }) => post.attempt?.connectionId ?? null],
  // null while the network decides: such an attempt is neither taken over nor does it occupy its route.
  [
    'attempt_started_at',
    'timestamptz',
    ({ post }) => (post.attempt?.undecided ? null : (post.attempt?.startedAt ?? null)),
  ],
  ['attempt_check_at', 'timestamptz', ({ post }) => post.attempt?.undecided?.checkAt ?? null],
  ['version', 'int', ({ version }) => version],
];

/** The tables of queries and of due posts, written in the transaction of the event and by a rebuild. */
export const postProjection = new TableView<Post>({
  name: 'posts',
  tables: [
    viewTable({
      name: 'posts.post_view',
      key: 'id',
      columns: POST_COLUMNS,
      rowOf: ({ state, version }) => (exists(state) ? rowOf(state, version) : null),
    }),
    viewTable({
      name: 'posts.publication',
      key: 'post_id',
      columns: PUBLICATION_COLUMNS,
      rowOf: ({ state, version }) => (state.status === 'scheduled' ? { post: state, version } : null),
    }),
  ],
});
