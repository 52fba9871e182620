import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * A page costs the same however many posts there are: every filter is a prefix of an index that goes on with the order of the list.
 * What is not named stands for all its values, of which there are few.
 */
export class PostsByEachFilter1790000000612 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE INDEX post_of_brand_by_status_and_platform
        ON posts.post_view (brand_id, status, platform, created_at, id);
      CREATE INDEX post_on_calendar ON posts.post_view (brand_id, status, platform, calendar_at, id)
        WHERE calendar_at IS NOT NULL;
      CREATE INDEX post_in_queue_by_platform ON posts.post_view (brand_id, platform, queue_rank, queue_at, id)
        WHERE queue_state IS NOT NULL;
      DROP INDEX posts.post_of_brand_by_status;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE INDEX post_of_brand_by_status ON posts.post_view (brand_id, status, created_at, id);
      DROP INDEX posts.post_in_queue_by_platform;
      DROP INDEX posts.post_on_calendar;
      DROP INDEX posts.post_of_brand_by_status_and_platform;
    `);
  }
}
