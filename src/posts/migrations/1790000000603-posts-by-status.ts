import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The few that failed are found among the many that were published. */
export class PostsByStatus1790000000603 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      'CREATE INDEX post_of_brand_by_status ON posts.post_view (brand_id, status, created_at, id)',
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX posts.post_of_brand_by_status');
  }
}
