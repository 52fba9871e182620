import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * `details` is what readers get; the other columns are what they look for. Two posts never share a place in a thread.
 *
 * A page costs the same however many posts there are: every filter is a prefix of an index that goes on with the order of the
 * list. A filter without a value stands for all its values, of which there are few. The last two indexes find posts with the same
 * text and posts that go out at a close time, each in the order of warnings.
 */
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
    text_digest text NOT NULL,
    created_at timestamptz NOT NULL,
    version int NOT NULL,
    details jsonb NOT NULL
  );
  CREATE UNIQUE INDEX post_place_in_thread ON posts.post_view (brand_id, thread_id, thread_position)
    WHERE thread_id IS NOT NULL;

  CREATE INDEX post_of_brand ON posts.post_view (brand_id, created_at, id);
  CREATE INDEX post_of_brand_by_status_and_platform
    ON posts.post_view (brand_id, status, platform, created_at, id);
  CREATE INDEX post_on_calendar ON posts.post_view (brand_id, status, platform, calendar_at, id)
    WHERE calendar_at IS NOT NULL;
  CREATE INDEX post_in_queue ON posts.post_view (brand_id, queue_rank, queue_at, id)
    WHERE queue_state IS NOT NULL;
  CREATE INDEX post_in_queue_by_platform ON posts.post_view (brand_id, platform, queue_rank, queue_at, id)
    WHERE queue_state IS NOT NULL;

  CREATE INDEX post_with_same_text
    ON posts.post_view (brand_id, platform, text_digest, (coalesce(calendar_at, created_at)), id);
  CREATE INDEX post_at_close_time ON posts.post_view (brand_id, platform, calendar_at, id)
    WHERE calendar_at IS NOT NULL`;

/**
 * One row per scheduled post: what is due is a query over these. The row stays while an attempt is open. `held_attempt_id` is set
 * where the post's own attempt put it back. `attempt_check_at`: when a network that decides later is asked; such attempts have no
 * `attempt_started_at`.
 *
 * Due rows are in four indexes, each row in one of the first two and one of the last two. Later parts of a thread wait for the
 * part before, some for ever: they must not stand in front of posts that wait for nothing. A network with thousands of due posts
 * must not stand in front of the others.
 *
 * Workers read every second the posts that wait for an account or network. Posts that their own attempt put back, such as
 * thousands of videos that a network processes, are not among them.
 */
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
    version int NOT NULL,
    held_attempt_id uuid,
    attempt_check_at timestamptz
  );
  CREATE INDEX publication_due_first ON posts.publication (due_at, post_id)
    WHERE attempt_id IS NULL AND coalesce(thread_position, 1) = 1;
  CREATE INDEX publication_due_later ON posts.publication (due_at, post_id)
    WHERE attempt_id IS NULL AND thread_position > 1;
  CREATE INDEX publication_first_of_network ON posts.publication (platform, due_at, post_id)
    WHERE attempt_id IS NULL AND coalesce(thread_position, 1) = 1;
  CREATE INDEX publication_later_of_network ON posts.publication (platform, due_at, post_id)
    WHERE attempt_id IS NULL AND thread_position > 1;

  CREATE INDEX publication_held_without_attempt ON posts.publication (post_id)
    WHERE attempt_id IS NULL AND held_until IS NOT NULL AND held_attempt_id IS NULL;

  CREATE INDEX publication_open ON posts.publication (attempt_started_at) WHERE attempt_id IS NOT NULL;
  CREATE INDEX publication_checks ON posts.publication (attempt_check_at) WHERE attempt_check_at IS NOT NULL`;

/**
 * Both are read for every attempt that is reconciled: which post a network's id was given to, and the posts of a brand that ever
 * had an unconfirmed attempt. They are indexes of the log, because it also knows the posts that were deleted since.
 */
const LOG_INDEXES = `
  CREATE INDEX published_under ON events.event ((data->>'platformPostId'))
    WHERE type IN ('PostPublished', 'DeliveryResolved');
  CREATE INDEX unconfirmed_of_brand ON events.event ((data->>'brandId'))
    WHERE type = 'PostPublishFailed' AND data->'failure'->>'class' = 'unconfirmed'`;

/**
 * Which history of the database this is: the cluster's system identifier and its timeline, which changes with every
 * promotion and point-in-time restore. Both are readable for every role unless an administrator revoked that; null then.
 * The timeline comes from the WAL position, because pg_control_checkpoint() shows a promotion only after the next
 * checkpoint. Where a managed service refuses the WAL position, the checkpoint is used all the same.
 */
const HISTORY = `
  CREATE FUNCTION posts.database_timeline() RETURNS int LANGUAGE plpgsql STABLE AS $$
  BEGIN
    RETURN ('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8))::bit(32)::int;
  EXCEPTION WHEN OTHERS THEN
    RETURN (SELECT timeline_id FROM pg_control_checkpoint());
  END $$;
  CREATE FUNCTION posts.database_history() RETURNS text LANGUAGE plpgsql STABLE AS $$
  BEGIN
    RETURN (SELECT system_identifier FROM pg_control_system()) || '/' || posts.database_timeline();
  EXCEPTION WHEN OTHERS THEN
    RETURN NULL;
  END $$`;

/** Posts that were due between the two instants may have been sent in a history that this database has lost. */
const RECOVERY = `
  CREATE TABLE posts.recovery (
    only_row boolean PRIMARY KEY CHECK (only_row),
    history text NOT NULL,
    seen_at timestamptz NOT NULL,
    lost_from timestamptz,
    lost_until timestamptz,
    CHECK ((lost_from IS NULL) = (lost_until IS NULL))
  )`;

/** Posts, what is due of them, and the histories of the database that they were sent in. */
export class Posts1790001000600 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('CREATE SCHEMA posts');
    for (const sql of [POST_VIEW, PUBLICATION, LOG_INDEXES, HISTORY, RECOVERY]) await runner.query(sql);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX events.unconfirmed_of_brand, events.published_under');
    await runner.query('DROP SCHEMA posts CASCADE');
  }
}
