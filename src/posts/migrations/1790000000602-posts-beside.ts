import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Which account a post goes out on is asked of the connections when it matters: they change, and its row would not. */
export class PostsBeside1790000000602 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `CREATE INDEX post_beside ON posts.post_view (brand_id, platform, (coalesce(calendar_at, created_at)))`,
    );
    await runner.query('ALTER TABLE posts.post_view DROP COLUMN account_key');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE posts.post_view ADD COLUMN account_key text NOT NULL DEFAULT ''`);
    await runner.query(
      `CREATE INDEX post_beside_others ON posts.post_view (brand_id, account_key, (coalesce(calendar_at, created_at)))`,
    );
    await runner.query('DROP INDEX posts.post_beside');
  }
}
