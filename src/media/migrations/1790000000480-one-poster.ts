import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * An accepted poster deletes the earlier ones of its video, which no list shows and the quota counts. It is no change of the video
 * that a client edits: version and time of the video stay. The video is locked before its posters, see RecordInspection.
 */
export class OnePoster1790000000480 implements MigrationInterface {
  up(runner: QueryRunner): Promise<void> {
    return replace(runner, {
      video: 'thumbnail_key = NEW.thumbnail_key, preview_key = NEW.preview_key',
      others: `DELETE FROM media.file WHERE poster_of = NEW.poster_of AND id <> NEW.id AND status = 'ready';`,
    });
  }

  down(runner: QueryRunner): Promise<void> {
    return replace(runner, {
      video:
        'thumbnail_key = NEW.thumbnail_key, preview_key = NEW.preview_key, version = version + 1, updated_at = now()',
      others: '',
    });
  }
}

/** @param video columns of the video @param others what happens to its other posters */
async function replace(
  runner: QueryRunner,
  { video, others }: Record<'video' | 'others', string>,
): Promise<void> {
  await runner.query(`CREATE OR REPLACE FUNCTION media.show_poster() RETURNS trigger LANGUAGE plpgsql AS $$
   BEGIN
     INSERT INTO media.object_to_remove (key)
       SELECT key FROM media.file AS video, unnest(ARRAY[video.thumbnail_key, video.preview_key]) AS key
       WHERE video.id = NEW.poster_of AND key IS NOT NULL
     ON CONFLICT (key) DO UPDATE SET adoptable = false, due_at = excluded.due_at;
     UPDATE media.file SET ${video} WHERE id = NEW.poster_of;
     UPDATE media.file SET thumbnail_key = NULL, preview_key = NULL WHERE id = NEW.id;
     ${others}
     RETURN NULL;
   END $$`);
}
