import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * What is due in two indexes, each row in one of them. Later parts of a thread wait for the one before, some for ever: they
 * are not to stand in front of posts that wait for nobody.
 */
export class DueParts1790000000605 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP INDEX posts.publication_due;
      CREATE INDEX publication_due_first ON posts.publication (due_at, post_id)
        WHERE attempt_id IS NULL AND coalesce(thread_position, 1) = 1;
      CREATE INDEX publication_due_later ON posts.publication (due_at, post_id)
        WHERE attempt_id IS NULL AND thread_position > 1;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP INDEX posts.publication_due_later;
      DROP INDEX posts.publication_due_first;
      CREATE INDEX publication_due ON posts.publication (due_at, post_id) WHERE attempt_id IS NULL;
    `);
  }
}
