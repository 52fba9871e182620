import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The model that was asked for a file: another one can have answered. NULL in rows of older releases. */
export class RequestedModel1790000002700 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE media.generation ADD COLUMN requested_model text');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE media.generation DROP COLUMN requested_model');
  }
}
