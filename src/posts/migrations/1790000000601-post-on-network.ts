import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Whether a post found on the network is already known as another one: read for every attempt that is reconciled. */
export class PostOnNetwork1790000000601 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      'CREATE INDEX post_on_network ON posts.post_view (platform_post_id) WHERE platform_post_id IS NOT NULL',
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX posts.post_on_network');
  }
}
