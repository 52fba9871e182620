import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Posts with the same text and posts that go out at a close time, each in the order of warnings. */
export class NeighbouringPosts1790000001900 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE INDEX post_with_same_text
        ON posts.post_view (brand_id, platform, text_digest, (coalesce(calendar_at, created_at)), id);
      CREATE INDEX post_at_close_time ON posts.post_view (brand_id, platform, calendar_at, id)
        WHERE calendar_at IS NOT NULL;
      DROP INDEX posts.post_beside;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE INDEX post_beside ON posts.post_view (brand_id, platform, (coalesce(calendar_at, created_at)));
      DROP INDEX posts.post_at_close_time;
      DROP INDEX posts.post_with_same_text;
    `);
  }
}
