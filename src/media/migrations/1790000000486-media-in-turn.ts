import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Workers take files and renditions of organizations in turn. A rendition that waits has the brand of its file: the trigger sets it
 * for replicas of the former version, too, and when a failed one is tried again.
 */
export class MediaInTurn1790000000486 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of UP) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX media.file_to_inspect_in_turn');
    await runner.query('DROP TRIGGER name_brand ON media.rendition');
    await runner.query('DROP FUNCTION media.name_brand()');
    await runner.query('ALTER TABLE media.rendition DROP COLUMN brand_id');
  }
}

const UP = [
  'ALTER TABLE media.rendition ADD COLUMN brand_id uuid',
  `CREATE FUNCTION media.name_brand() RETURNS trigger LANGUAGE plpgsql AS $$
   BEGIN
     NEW.brand_id := (SELECT brand_id FROM media.file WHERE id = NEW.media_id);
     RETURN NEW;
   END $$`,
  `CREATE TRIGGER name_brand BEFORE INSERT OR UPDATE ON media.rendition FOR EACH ROW
   WHEN (NEW.status = 'pending' AND NEW.brand_id IS NULL) EXECUTE FUNCTION media.name_brand()`,
  `UPDATE media.rendition SET brand_id = NULL WHERE status = 'pending'`,
  `CREATE INDEX rendition_due_in_turn ON media.rendition ((spec->>'kind' = 'video'), brand_id, due_at)
   WHERE status = 'pending'`,
  `CREATE INDEX file_to_inspect_in_turn ON media.file (brand_id, inspect_due_at) WHERE status = 'inspecting'`,
];
