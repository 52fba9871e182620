import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Workers read every second the posts that wait for an account or network. Posts that their own attempt put back, such as
 * thousands of videos that a network processes, are not among them. `publication_held` serves workers of the former release; a
 * later migration drops it.
 */
export class HeldByAttempt1790000000621 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE posts.publication ADD COLUMN held_attempt_id uuid;
      UPDATE posts.publication p SET held_attempt_id = (
        SELECT (e.data->>'attemptId')::uuid FROM events.event e
        WHERE e.stream = p.post_id AND e.type = 'PostHeld' ORDER BY e.version DESC LIMIT 1)
      WHERE p.held_until IS NOT NULL;
      CREATE INDEX publication_held_without_attempt ON posts.publication (post_id)
        WHERE attempt_id IS NULL AND held_until IS NOT NULL AND held_attempt_id IS NULL;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP INDEX posts.publication_held_without_attempt;
      ALTER TABLE posts.publication DROP COLUMN held_attempt_id;
    `);
  }
}
