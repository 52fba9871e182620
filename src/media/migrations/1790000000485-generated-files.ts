import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * `generation` is what a model was asked and what it cost; `cost` is decimal text in US dollars.
 *
 * `waiting_bytes` holds files that are paid for and not in the object store yet: the row of the file has no ETag and no time of
 * inspection until then. `due_at` is the end of the claim of the process that stores them, `attempts` its fencing token. Pictures do
 * not compress.
 */
export class GeneratedFiles1790000000485 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const definition of TABLES) await runner.query(`CREATE TABLE ${definition}`);
    await runner.query('ALTER TABLE media.waiting_bytes ALTER COLUMN bytes SET STORAGE EXTERNAL');
    await runner.query('CREATE INDEX waiting_bytes_due ON media.waiting_bytes (due_at)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE media.waiting_bytes, media.generation');
  }
}

const TABLES = [
  `media.generation (
    media_id uuid PRIMARY KEY REFERENCES media.file ON DELETE CASCADE,
    prompt text NOT NULL,
    revised_prompt text,
    model text NOT NULL,
    cost text,
    attempts jsonb NOT NULL,
    request_id uuid NOT NULL
  )`,
  `media.waiting_bytes (
    media_id uuid PRIMARY KEY REFERENCES media.file ON DELETE CASCADE,
    bytes bytea NOT NULL,
    due_at timestamptz NOT NULL,
    attempts int NOT NULL DEFAULT 1
  )`,
];
