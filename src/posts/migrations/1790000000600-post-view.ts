import type { MigrationInterface, QueryRunner } from 'typeorm';

/** `details` is what readers get; the other columns are what they look for. Two posts never share a place in a thread. */
const POST_VIEW = `
  CREATE TABLE posts.post_view (
    id uuid PRIMARY KEY,
    brand_id uuid NOT NULL,
    platform text NOT NULL,
    status text NOT NULL,
    approval_state text NOT NULL,
    thread_id uuid,
    thread_position int,
    scheduled_at timestamptz,
    published_at timestamptz,
    platform_post_id text,
    calendar_at timestamptz,
    queue_state text,
    queue_rank smallint,
    queue_at timestamptz,
    account_key text NOT NULL,
    text_digest text NOT NULL,
    created_at timestamptz NOT NULL,
    version int NOT NULL,
    details jsonb NOT NULL
  );
  CREATE UNIQUE INDEX post_place_in_thread ON posts.post_view (brand_id, thread_id, thread_position)
    WHERE thread_id IS NOT NULL;
  CREATE INDEX post_of_brand ON posts.post_view (brand_id, created_at, id);
  CREATE INDEX post_in_queue ON posts.post_view (brand_id, queue_rank, queue_at, id)
    WHERE queue_state IS NOT NULL;
  CREATE INDEX post_beside_others ON posts.post_view (brand_id, account_key, (coalesce(calendar_at, created_at)))`;

/** One row per scheduled post: what is due is a query over these. The row stays while an attempt is open. */
const PUBLICATION = `
  CREATE TABLE posts.publication (
    post_id uuid PRIMARY KEY,
    brand_id uuid NOT NULL,
    platform text NOT NULL,
    author_id uuid NOT NULL,
    target jsonb NOT NULL,
    thread_id uuid,
    thread_position int,
    scheduled_at timestamptz NOT NULL,
    due_at timestamptz NOT NULL,
    held_until timestamptz,
    attempt_id uuid,
    attempt_connection_id uuid,
    attempt_started_at timestamptz,
    version int NOT NULL
  );
  CREATE INDEX publication_due ON posts.publication (due_at, post_id) WHERE attempt_id IS NULL;
  CREATE INDEX publication_open ON posts.publication (attempt_started_at) WHERE attempt_id IS NOT NULL`;

export class PostView1790000000600 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('CREATE SCHEMA posts');
    await runner.query(POST_VIEW);
    await runner.query(PUBLICATION);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP SCHEMA posts CASCADE');
  }
}
