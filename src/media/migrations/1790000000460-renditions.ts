import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Files that were made to fit a specification, and those to be made. `spec_key`: digest of the specification, with the focus point when the
 * result depends on it. A claim sets `due_at` to the end of its lease and counts `attempts`, which is its fencing token. `is_claimed` is
 * still set when the lease of a dead worker ends; `takeovers` counts those.
 */
export class Renditions1790000000460 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const definition of DEFINITIONS) await runner.query(`CREATE ${definition}`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE media.rendition');
    await runner.query('DROP FUNCTION media.leave_rendition()');
  }
}

/** The trigger: no statement that deletes renditions, or their file, can miss their objects. */
const DEFINITIONS = [
  `TABLE media.rendition (
    id uuid PRIMARY KEY,
    media_id uuid NOT NULL REFERENCES media.file ON DELETE CASCADE,
    spec_key text NOT NULL,
    spec jsonb NOT NULL,
    focus_x real NOT NULL,
    focus_y real NOT NULL,
    status text NOT NULL DEFAULT 'pending' CHECK (status IN ('pending', 'ready', 'failed')),
    object_key text,
    etag text,
    content_type text,
    bytes bigint,
    width int,
    height int,
    duration_ms int,
    failure jsonb,
    attempts int NOT NULL DEFAULT 0,
    is_claimed boolean NOT NULL DEFAULT false,
    takeovers int NOT NULL DEFAULT 0,
    due_at timestamptz NOT NULL DEFAULT now(),
    last_needed_at timestamptz NOT NULL DEFAULT now(),
    created_at timestamptz NOT NULL DEFAULT now(),
    UNIQUE (media_id, spec_key),
    CHECK (status <> 'ready' OR (object_key IS NOT NULL AND etag IS NOT NULL AND content_type IS NOT NULL AND bytes IS NOT NULL))
  )`,
  `INDEX rendition_due ON media.rendition (due_at) WHERE status = 'pending'`,
  'INDEX rendition_last_needed ON media.rendition (last_needed_at)',
  `FUNCTION media.leave_rendition() RETURNS trigger LANGUAGE plpgsql AS $$
   BEGIN
     INSERT INTO media.object_to_remove (key) VALUES (OLD.object_key)
     ON CONFLICT (key) DO UPDATE SET adoptable = false, due_at = excluded.due_at;
     RETURN NULL;
   END $$`,
  `TRIGGER leave_rendition AFTER DELETE ON media.rendition FOR EACH ROW
   WHEN (OLD.object_key IS NOT NULL) EXECUTE FUNCTION media.leave_rendition()`,
];
