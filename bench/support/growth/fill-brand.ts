import type { Database } from '#libs/database';
import { createPostsInState, STATES } from './posts-in-states.js';

/**
 * $1 ids of posts to copy, $2 first number, $3 last number. Drafts and suggestions were written within the last day, as an import
 * leaves them; the times of the calendar are a minute apart, so that a day has as many posts in a small brand as in a large one.
 */
const COPY_POSTS = `
  INSERT INTO posts.post_view (id, brand_id, platform, status, approval_state, scheduled_at, published_at, platform_post_id,
    calendar_at, queue_state, queue_rank, queue_at, text_digest, created_at, version, details)
  SELECT copy.id, brand_id, platform, status, approval_state, scheduled_at + apart, published_at - apart, platform_post_id || n,
    CASE WHEN status IN ('published', 'failed') THEN calendar_at - apart ELSE calendar_at + apart END,
    queue_state, queue_rank, CASE WHEN status = 'failed' THEN queue_at - apart ELSE queue_at + apart END,
    encode(sha256(copy.id::text::bytea), 'hex'), created_at - n % 86400 * interval '1 second', version,
    details || jsonb_build_object('id', copy.id, 'text', 'Post ' || copy.id)
  FROM generate_series($2::bigint, $3::bigint) AS n
  JOIN unnest($1::uuid[]) WITH ORDINALITY AS template (id, place) ON place = n % cardinality($1::uuid[]) + 1
  JOIN posts.post_view v ON v.id = template.id
  CROSS JOIN LATERAL (SELECT gen_random_uuid() AS id, n * interval '1 minute' AS apart) AS copy`;

const COPY_PUBLICATIONS = `
  INSERT INTO posts.publication (post_id, brand_id, platform, author_id, target, scheduled_at, due_at, version)
  SELECT id, brand_id, platform, (details->>'authorId')::uuid, '{}', scheduled_at, scheduled_at, version
  FROM posts.post_view WHERE brand_id = $1 AND status = 'scheduled'
  ON CONFLICT DO NOTHING`;

const AT_ONCE = 50_000;

/** Rows of posts in all states. Only the copied ones have events: a stream is found by its key. */
export async function fillPosts(database: Database, brandId: string, posts: number): Promise<void> {
  const templates = [];
  for (const state of STATES) templates.push(...(await createPostsInState(database, brandId, state, 1)));
  for (let from = 1; from <= posts; from += AT_ONCE)
    await database.query(COPY_POSTS, [templates, from, Math.min(posts, from + AT_ONCE - 1)]);
  await database.query(COPY_PUBLICATIONS, [brandId]);
}
