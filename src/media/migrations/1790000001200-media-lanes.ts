import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Animations, and what ended a process before, have a lane of their own with videos. Workers find due rows by lane. */
export class MediaLanes1790000001200 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await drop(runner);
    await runner.query(
      `CREATE INDEX rendition_due_in_turn ON media.rendition
         ((spec->>'kind' <> 'image' OR failures > 0), brand_id, due_at) WHERE status = 'pending'`,
    );
    await runner.query(
      `CREATE INDEX file_to_inspect_in_turn ON media.file ((inspect_failures > 0), brand_id, inspect_due_at)
       WHERE status = 'inspecting'`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await drop(runner);
    await runner.query(
      `CREATE INDEX rendition_due_in_turn ON media.rendition ((spec->>'kind' = 'video'), brand_id, due_at)
       WHERE status = 'pending'`,
    );
    await runner.query(
      `CREATE INDEX file_to_inspect_in_turn ON media.file (brand_id, inspect_due_at) WHERE status = 'inspecting'`,
    );
  }
}

async function drop(runner: QueryRunner): Promise<void> {
  await runner.query('DROP INDEX media.rendition_due_in_turn');
  await runner.query('DROP INDEX media.file_to_inspect_in_turn');
}
