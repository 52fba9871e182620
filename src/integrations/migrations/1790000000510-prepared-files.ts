import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Identifies the bytes of the files that are prepared. null: without files, or written by an older replica. */
export class PreparedFiles1790000000510 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE integrations.publish_preparation ADD COLUMN files text');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE integrations.publish_preparation DROP COLUMN files');
  }
}
