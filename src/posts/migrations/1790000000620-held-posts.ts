import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Workers look through the held posts every second; there are few, and an index of them alone costs other posts nothing. */
export class HeldPosts1790000000620 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE INDEX publication_held ON posts.publication (post_id)
        WHERE attempt_id IS NULL AND held_until IS NOT NULL;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX posts.publication_held');
  }
}
