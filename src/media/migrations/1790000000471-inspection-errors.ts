import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Counts unexpected errors of inspections, so that no file is tried without end. Not `inspect_failures`: an older replica gives
 * up a file after two of those.
 */
export class InspectionErrors1790000000471 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE media.file ADD COLUMN inspect_errors int NOT NULL DEFAULT 0');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE media.file DROP COLUMN inspect_errors');
  }
}
