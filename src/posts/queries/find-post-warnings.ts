import type { IQueryHandler } from '@nestjs/cqrs';
import { Query, QueryHandler } from '@nestjs/cqrs';
import { Database, statement } from '#libs/database';
import type { PostDetails } from '../post-details.js';
import { contentOf } from '../post-details.js';
import { accountKeyOf, textDigestOf } from '../post.view.js';
import { PostsPreflight } from '../posts.preflight.js';
import type { Neighbour, PostWarning } from '../warnings.js';
import { warningsOf } from '../warnings.js';

/** What an author should know before this post goes out. Never a reason to refuse. */
export class FindPostWarnings extends Query<PostWarning[]> {
  constructor(readonly post: PostDetails) {
    super();
  }
}

const NEIGHBOURS = statement(
  'find_posts_beside',
  `SELECT v.id, v.text_digest = $4 AS "hasSameText", v.calendar_at AS "goesOutAt", v.thread_id AS "threadId"
   FROM posts.post_view v
   WHERE v.brand_id = $1 AND v.account_key = $2 AND v.id <> $3 AND v.approval_state <> 'rejected'
     AND coalesce(v.calendar_at, v.created_at) BETWEEN $5::timestamptz - interval '24 hours'
       AND $5::timestamptz + interval '24 hours'
     AND (v.text_digest = $4 OR v.calendar_at BETWEEN $5::timestamptz - interval '5 minutes'
       AND $5::timestamptz + interval '5 minutes')
   ORDER BY coalesce(v.calendar_at, v.created_at), v.id LIMIT 20`,
);

@QueryHandler(FindPostWarnings)
export class FindPostWarningsHandler implements IQueryHandler<FindPostWarnings> {
  constructor(
    private readonly database: Database,
    private readonly preflight: PostsPreflight,
  ) {}

  async execute({ post }: FindPostWarnings): Promise<PostWarning[]> {
    const time = post.publishedAt ?? post.scheduledAt ?? post.proposedTime;
    const findings = await this.preflight.check(post.platform, contentOf(post));
    const neighbours = await this.database.query<Neighbour>(NEIGHBOURS, [
      ...[post.brandId, accountKeyOf(post.platform, post.target), post.id],
      ...[textDigestOf(post.text), time ?? post.createdAt],
    ]);
    return warningsOf(findings, neighbours, { time, threadId: post.threadId });
  }
}
