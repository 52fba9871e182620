import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Claims of inspections, as of renditions: `inspect_due_at` is the end of the lease, `inspect_attempts` the fencing token.
 * `inspect_is_claimed` is still set when the lease of a dead worker ends; `inspect_takeovers` counts those. `inspect_failures`
 * counts child processes that the file ended.
 *
 * The derived pictures of a poster become those of its video, whichever of the two is accepted first.
 */
export class Inspections1790000000470 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE media.file
      ADD COLUMN inspect_is_claimed boolean NOT NULL DEFAULT false,
      ADD COLUMN inspect_takeovers int NOT NULL DEFAULT 0,
      ADD COLUMN inspect_failures int NOT NULL DEFAULT 0`);
    for (const definition of DEFINITIONS) await runner.query(`CREATE ${definition}`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TRIGGER show_poster ON media.file');
    await runner.query('DROP FUNCTION media.show_poster()');
    await runner.query(`ALTER TABLE media.file DROP COLUMN inspect_is_claimed, DROP COLUMN inspect_takeovers,
      DROP COLUMN inspect_failures`);
  }
}

const DEFINITIONS = [
  `FUNCTION media.show_poster() RETURNS trigger LANGUAGE plpgsql AS $$
   BEGIN
     INSERT INTO media.object_to_remove (key)
       SELECT key FROM media.file AS video, unnest(ARRAY[video.thumbnail_key, video.preview_key]) AS key
       WHERE video.id = NEW.poster_of AND key IS NOT NULL
     ON CONFLICT (key) DO UPDATE SET adoptable = false, due_at = excluded.due_at;
     UPDATE media.file SET thumbnail_key = NEW.thumbnail_key, preview_key = NEW.preview_key, version = version + 1,
       updated_at = now()
     WHERE id = NEW.poster_of;
     UPDATE media.file SET thumbnail_key = NULL, preview_key = NULL WHERE id = NEW.id;
     RETURN NULL;
   END $$`,
  `TRIGGER show_poster AFTER UPDATE OF status ON media.file FOR EACH ROW
   WHEN (OLD.status = 'inspecting' AND NEW.status = 'ready' AND NEW.poster_of IS NOT NULL)
   EXECUTE FUNCTION media.show_poster()`,
];
