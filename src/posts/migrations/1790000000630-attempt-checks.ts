import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Attempts whose network decides later: when it is asked. They have no `attempt_started_at`. */
export class AttemptChecks1790000000630 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE posts.publication ADD COLUMN attempt_check_at timestamptz;
      CREATE INDEX publication_checks ON posts.publication (attempt_check_at) WHERE attempt_check_at IS NOT NULL;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP INDEX posts.publication_checks;
      UPDATE posts.publication SET attempt_started_at = now() WHERE attempt_check_at IS NOT NULL;
      ALTER TABLE posts.publication DROP COLUMN attempt_check_at;
    `);
  }
}
