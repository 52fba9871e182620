import type { ViewColumn } from '#libs/event-store';
import { dueAtOf } from '../domain/delivery.js';
import type { Scheduled } from '../domain/post.js';

export interface PublicationRow {
  readonly post: Scheduled;
  readonly version: number;
}

/** Columns of posts.publication, the due posts of the publisher, without the post_id. `due_at` includes a hold. */
export const PUBLICATION_COLUMNS: readonly ViewColumn<PublicationRow>[] = [
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
