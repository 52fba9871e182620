import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What is due of each network, so that a network with thousands of due posts does not stand in front of the others. */
export class DueOfNetworks1790000001700 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE INDEX publication_first_of_network ON posts.publication (platform, due_at, post_id)
        WHERE attempt_id IS NULL AND coalesce(thread_position, 1) = 1;
      CREATE INDEX publication_later_of_network ON posts.publication (platform, due_at, post_id)
        WHERE attempt_id IS NULL AND thread_position > 1;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP INDEX posts.publication_later_of_network;
      DROP INDEX posts.publication_first_of_network;
    `);
  }
}
