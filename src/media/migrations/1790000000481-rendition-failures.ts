import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * `failures` counts child processes that the rendition ended, `errors` unexpected errors, and `retries` how often a failed rendition was
 * made once more on request. Its age counts from `awaited_since`.
 */
export class RenditionFailures1790000000481 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE media.rendition
      ADD COLUMN failures int NOT NULL DEFAULT 0,
      ADD COLUMN errors int NOT NULL DEFAULT 0,
      ADD COLUMN retries int NOT NULL DEFAULT 0,
      ADD COLUMN awaited_since timestamptz NOT NULL DEFAULT now()`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE media.rendition DROP COLUMN failures, DROP COLUMN errors, DROP COLUMN retries,
      DROP COLUMN awaited_since`);
  }
}
