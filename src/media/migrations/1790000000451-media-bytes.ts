import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Triggers, so that no statement that writes or deletes files can miss their objects or their bytes. */
export class MediaBytes1790000000451 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const definition of DEFINITIONS) await runner.query(`CREATE ${definition}`);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const trigger of ['count_added_bytes', 'count_removed_bytes', 'leave_objects', 'reject'])
      await runner.query(`DROP TRIGGER ${trigger} ON media.file`);
    await runner.query(
      'DROP FUNCTION media.reject_file(), media.leave_objects(), media.count_file_bytes(), media.charge(uuid[], bigint[])',
    );
  }
}

/**
 * `charge` locks the rows of all brands, then those of their organizations, each in the order of ids: statements that delete
 * files of several brands do not deadlock. A rejected file has no object and counts no bytes.
 *
 * An address for an upload can write the object again until it expires, also after the deletion of the file. An upload that
 * begins just before the expiry may take an hour.
 */
const DEFINITIONS = [
  `FUNCTION media.charge(brands uuid[], changes bigint[]) RETURNS void LANGUAGE plpgsql AS $$
   BEGIN
     PERFORM FROM media.storage_of_brand WHERE brand_id = ANY(brands) ORDER BY brand_id FOR UPDATE;
     INSERT INTO media.storage_of_brand (brand_id, organization_id, bytes)
       SELECT change.brand_id, owner.organization_id, change.bytes
       FROM unnest(brands, changes) AS change (brand_id, bytes) JOIN brands.brand_owner owner ON owner.id = change.brand_id
       ORDER BY change.brand_id
     ON CONFLICT (brand_id) DO UPDATE SET bytes = storage_of_brand.bytes + excluded.bytes;
     PERFORM uploads.count_bytes(sums.organization_id, sums.bytes)
     FROM (SELECT charged.organization_id, sum(change.bytes)::bigint AS bytes
           FROM unnest(brands, changes) AS change (brand_id, bytes) JOIN media.storage_of_brand charged USING (brand_id)
           GROUP BY charged.organization_id ORDER BY charged.organization_id) AS sums;
   END $$`,
  `FUNCTION media.count_file_bytes() RETURNS trigger LANGUAGE plpgsql AS $$
   BEGIN
     PERFORM media.charge(array_agg(brand_id), array_agg(bytes * CASE TG_OP WHEN 'INSERT' THEN 1 ELSE -1 END))
     FROM (SELECT brand_id, sum(bytes)::bigint AS bytes FROM changed WHERE status <> 'rejected' GROUP BY brand_id) AS sums
     HAVING count(*) > 0;
     RETURN NULL;
   END $$`,
  `TRIGGER count_added_bytes AFTER INSERT ON media.file
   REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION media.count_file_bytes()`,
  `TRIGGER count_removed_bytes AFTER DELETE ON media.file
   REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION media.count_file_bytes()`,
  `FUNCTION media.leave_objects() RETURNS trigger LANGUAGE plpgsql AS $$
   BEGIN
     INSERT INTO media.object_to_remove (key, writable_until, upload_id)
       SELECT key, CASE WHEN key = OLD.object_key THEN OLD.upload_expires_at + interval '1 hour' END,
         CASE WHEN key = OLD.object_key THEN OLD.upload_id END
       FROM unnest(ARRAY[OLD.object_key, OLD.thumbnail_key, OLD.preview_key]) AS key WHERE key IS NOT NULL
     ON CONFLICT (key) DO UPDATE SET adoptable = false, due_at = excluded.due_at;
     RETURN NULL;
   END $$`,
  `TRIGGER leave_objects AFTER DELETE ON media.file FOR EACH ROW EXECUTE FUNCTION media.leave_objects()`,
  `FUNCTION media.reject_file() RETURNS trigger LANGUAGE plpgsql AS $$
   BEGIN
     PERFORM media.charge(ARRAY[OLD.brand_id], ARRAY[-OLD.bytes]);
     INSERT INTO media.object_to_remove (key, writable_until, upload_id)
       VALUES (OLD.object_key, OLD.upload_expires_at + interval '1 hour', OLD.upload_id)
     ON CONFLICT (key) DO UPDATE SET adoptable = false, due_at = excluded.due_at;
     RETURN NULL;
   END $$`,
  `TRIGGER reject AFTER UPDATE OF status ON media.file FOR EACH ROW
   WHEN (OLD.status <> 'rejected' AND NEW.status = 'rejected') EXECUTE FUNCTION media.reject_file()`,
];
