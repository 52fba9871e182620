import type { Database } from '#libs/database';
import { createPostInState, STATES } from './posts-in-states.js';

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
async function fillPosts(database: Database, brandId: string, posts: number): Promise<void> {
  const templates = [];
  const tomorrow = new Date(Date.now() + 86_400_000).toISOString();
  for (const state of STATES) templates.push(await createPostInState(database, brandId, state, tomorrow));
  for (let from = 1; from <= posts; from += AT_ONCE)
    await database.query(COPY_POSTS, [templates, from, Math.min(posts, from + AT_ONCE - 1)]);
  await database.query(COPY_PUBLICATIONS, [brandId]);
}

/** $1 chain, $2 brand, $3 entries. Two entries are of a rare kind, two of a rare actor. */
const FILL_AUDIT = `
  INSERT INTO content_ops.audit_event (entry, chain, event_id, kind, at, subject_type, subject_id, version, content_id, brand_id,
    actor_type, actor_id, channel, correlation_id, details, previous_hash, hash)
  SELECT (SELECT coalesce(max(entry), 0) FROM content_ops.audit_event) + n, $1::text, gen_random_uuid(),
    CASE WHEN n IN (100, 900) THEN 'post.deleted' ELSE 'post.edited' END, now() - ($3::int - n) * interval '1 second',
    'post', content, 1, content, $2::uuid, 'user', CASE WHEN n IN (200, 800) THEN 'rare' ELSE 'frequent' END,
    'bearer', 'c', '{}', '', ''
  FROM generate_series(1, $3::int) AS n CROSS JOIN LATERAL (SELECT md5($1::text || n)::uuid AS content) AS content`;

const FILL_ROLLUP = `
  INSERT INTO content_ops.daily_rollup (brand_id, quarter_hour, created, suggested, approved, rejected, scheduled, published, failed)
  SELECT $1::uuid, date_bin('15 minutes', now(), timestamptz '2000-01-01Z') - n * interval '15 minutes', 1, 1, 1, 1, 1, 1, 1
  FROM generate_series(0, $2::int - 1) AS n ON CONFLICT DO NOTHING`;

/** $1 brand, $2 number. Every tenth file is a video; two have a rare word. */
const FILL_MEDIA = `
  INSERT INTO media.file (id, brand_id, status, kind, file_name, content_type, bytes, sha256, object_key, upload_expires_at, facts,
    width, height, alt_text, tags, thumbnail_key, created_by_type, created_by)
  SELECT id, $1::uuid, 'ready', CASE n % 10 WHEN 0 THEN 'video' ELSE 'image' END, 'IMG_' || n || '.jpg', 'image/jpeg', 1000,
    encode(sha256(id::text::bytea), 'hex'), 'media/' || id || '/original', now() - interval '1 hour',
    '{"kind": "image", "width": 1200, "height": 800}', 1200, 800,
    CASE WHEN n IN (100, 900) THEN 'A quetzal' ELSE 'A picture' END, ARRAY['campaign'], 'media/' || id || '/thumbnail.webp', 'user', 'x'
  FROM generate_series(1, $2::int) AS n CROSS JOIN LATERAL (
    SELECT (lpad(to_hex(extract(epoch FROM now())::bigint * 1000 - $2::int + n), 12, '0') || '70008000' ||
      substr(md5($1::uuid::text || n), 1, 12))::uuid AS id) AS id`;

/** Rows that a brand has after years: posts, what happened to them, and files. */
export async function fillBrand(database: Database, brandId: string, rows: number): Promise<void> {
  await fillPosts(database, brandId, rows);
  await database.query(FILL_AUDIT, [`brand:${brandId}`, brandId, rows]);
  await database.query(FILL_ROLLUP, [brandId, rows]);
  await database.query(FILL_MEDIA, [brandId, rows]);
  const tables = [
    'posts.post_view',
    'posts.publication',
    'content_ops.audit_event',
    'content_ops.daily_rollup',
    'media.file',
  ];
  for (const table of tables) await database.query(`VACUUM ANALYZE ${table}`);
}
