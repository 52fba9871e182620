/**
 * Triggers, so that no statement that writes or deletes files can miss their objects or their bytes.
 *
 * `charge` locks the rows of all brands, then those of their organizations, each in the order of ids: statements that delete
 * files of several brands do not deadlock. A rejected file counts no bytes, unless it was ready before: its object, which the
 * store lost, may come back.
 */
const CHARGE_BYTES = `
  CREATE FUNCTION media.charge(brands uuid[], changes bigint[]) RETURNS void LANGUAGE plpgsql AS $$
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
   END $$;

  CREATE FUNCTION media.count_file_bytes() RETURNS trigger LANGUAGE plpgsql AS $$
   BEGIN
     PERFORM media.charge(array_agg(brand_id), array_agg(bytes * CASE TG_OP WHEN 'INSERT' THEN 1 ELSE -1 END))
     FROM (SELECT brand_id, sum(bytes)::bigint AS bytes FROM changed WHERE status <> 'rejected' OR facts IS NOT NULL GROUP BY brand_id) AS sums
     HAVING count(*) > 0;
     RETURN NULL;
   END $$;
  CREATE TRIGGER count_added_bytes AFTER INSERT ON media.file
    REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION media.count_file_bytes();
  CREATE TRIGGER count_removed_bytes AFTER DELETE ON media.file
    REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION media.count_file_bytes()`;

/**
 * An address for an upload can write the object again until it expires, also after the deletion of the file. An upload that
 * begins just before the expiry may take an hour.
 */
const LEAVE_OBJECTS = `
  CREATE FUNCTION media.leave_objects() RETURNS trigger LANGUAGE plpgsql AS $$
   BEGIN
     INSERT INTO media.object_to_remove (key, writable_until, upload_id)
       SELECT key, CASE WHEN key = OLD.object_key THEN OLD.upload_expires_at + interval '1 hour' END,
         CASE WHEN key = OLD.object_key THEN OLD.upload_id END
       FROM unnest(ARRAY[OLD.object_key, OLD.thumbnail_key, OLD.preview_key]) AS key WHERE key IS NOT NULL
     ON CONFLICT (key) DO UPDATE SET adoptable = false, due_at = excluded.due_at;
     RETURN NULL;
   END $$;
  CREATE TRIGGER leave_objects AFTER DELETE ON media.file FOR EACH ROW EXECUTE FUNCTION media.leave_objects();

  CREATE FUNCTION media.reject_file() RETURNS trigger LANGUAGE plpgsql AS $$
   BEGIN
     PERFORM media.charge(ARRAY[OLD.brand_id], ARRAY[-OLD.bytes]);
     INSERT INTO media.object_to_remove (key, writable_until, upload_id)
       VALUES (OLD.object_key, OLD.upload_expires_at + interval '1 hour', OLD.upload_id)
     ON CONFLICT (key) DO UPDATE SET adoptable = false, due_at = excluded.due_at;
     RETURN NULL;
   END $$;
  CREATE TRIGGER reject AFTER UPDATE OF status ON media.file FOR EACH ROW
    WHEN (OLD.status NOT IN ('ready', 'rejected') AND NEW.status = 'rejected') EXECUTE FUNCTION media.reject_file()`;

/**
 * The derived pictures of a poster become those of its video, whichever of the two is accepted first. An accepted poster deletes the
 * earlier ones of its video, which no list shows and the quota counts. It is no change of the video that a client edits: version and
 * time of the video stay. The video is locked before its posters, see RecordInspection.
 */
const SHOW_POSTER = `
  CREATE FUNCTION media.show_poster() RETURNS trigger LANGUAGE plpgsql AS $$
   BEGIN
     INSERT INTO media.object_to_remove (key)
       SELECT key FROM media.file AS video, unnest(ARRAY[video.thumbnail_key, video.preview_key]) AS key
       WHERE video.id = NEW.poster_of AND key IS NOT NULL
     ON CONFLICT (key) DO UPDATE SET adoptable = false, due_at = excluded.due_at;
     UPDATE media.file SET thumbnail_key = NEW.thumbnail_key, preview_key = NEW.preview_key WHERE id = NEW.poster_of;
     UPDATE media.file SET thumbnail_key = NULL, preview_key = NULL WHERE id = NEW.id;
     DELETE FROM media.file WHERE poster_of = NEW.poster_of AND id <> NEW.id AND status = 'ready';
     RETURN NULL;
   END $$;
  CREATE TRIGGER show_poster AFTER UPDATE OF status ON media.file FOR EACH ROW
    WHEN (OLD.status = 'inspecting' AND NEW.status = 'ready' AND NEW.poster_of IS NOT NULL)
    EXECUTE FUNCTION media.show_poster()`;

export const FILE_TRIGGERS = [CHARGE_BYTES, LEAVE_OBJECTS, SHOW_POSTER];
