import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Whether a file says that a model made it. null: not known, as of files that were inspected before. */
export class AiMark1790000000482 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `ALTER TABLE media.file ADD COLUMN ai_mark text CHECK (ai_mark IN ('none', 'generated', 'composite'))`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE media.file DROP COLUMN ai_mark');
  }
}
