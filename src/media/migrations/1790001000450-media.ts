import type { MigrationInterface, QueryRunner } from 'typeorm';
import { FILE_TRIGGERS } from './initial-file-triggers.js';
import { FILES, OBJECTS, SEARCH_FUNCTIONS } from './initial-files.js';

/** A rendition or generated file that waits has the brand of its file, so that workers take those of organizations in turn. */
const NAME_BRAND = `
  CREATE FUNCTION media.name_brand() RETURNS trigger LANGUAGE plpgsql AS $$
   BEGIN
     NEW.brand_id := (SELECT brand_id FROM media.file WHERE id = NEW.media_id);
     RETURN NEW;
   END $$`;

/**
 * Files that were made to fit a specification, and those to be made. `spec_key`: digest of the specification, with the focus point when the
 * result depends on it. A claim sets `due_at` to the end of its lease and counts `attempts`, which is its fencing token. `is_claimed` is
 * still set when the lease of a dead worker ends; `takeovers` counts those.
 *
 * `failures` counts child processes that the rendition ended, `errors` unexpected errors, and `retries` how often a failed rendition was
 * made once more on request. Its age counts from `awaited_since`. Animations, and what ended a process before, have a lane of their own
 * with videos. The brand is also named when a failed one is tried again.
 *
 * No statement that deletes renditions, or their file, can miss their objects, because a trigger lists them.
 */
const RENDITIONS = `
  CREATE TABLE media.rendition (
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
    failures int NOT NULL DEFAULT 0,
    errors int NOT NULL DEFAULT 0,
    retries int NOT NULL DEFAULT 0,
    awaited_since timestamptz NOT NULL DEFAULT now(),
    brand_id uuid,
    UNIQUE (media_id, spec_key),
    CHECK (status <> 'ready' OR (object_key IS NOT NULL AND etag IS NOT NULL AND content_type IS NOT NULL AND bytes IS NOT NULL))
  );
  CREATE INDEX rendition_due ON media.rendition (due_at) WHERE status = 'pending';
  CREATE INDEX rendition_due_in_turn ON media.rendition
    ((spec->>'kind' <> 'image' OR failures > 0), brand_id, due_at) WHERE status = 'pending';
  CREATE INDEX rendition_last_needed ON media.rendition (last_needed_at);

  CREATE TRIGGER name_brand BEFORE INSERT OR UPDATE ON media.rendition FOR EACH ROW
    WHEN (NEW.status = 'pending' AND NEW.brand_id IS NULL) EXECUTE FUNCTION media.name_brand();
  CREATE FUNCTION media.leave_rendition() RETURNS trigger LANGUAGE plpgsql AS $$
   BEGIN
     INSERT INTO media.object_to_remove (key) VALUES (OLD.object_key)
     ON CONFLICT (key) DO UPDATE SET adoptable = false, due_at = excluded.due_at;
     RETURN NULL;
   END $$;
  CREATE TRIGGER leave_rendition AFTER DELETE ON media.rendition FOR EACH ROW
    WHEN (OLD.object_key IS NOT NULL) EXECUTE FUNCTION media.leave_rendition()`;

/**
 * `generation` is what a model was asked and what it cost; `cost` is decimal text in US dollars. `requested_model` is the model that
 * was asked; another one, `model`, can have answered.
 *
 * `waiting_bytes` holds files that are paid for and not in the object store yet: the row of the file has no ETag and no time of
 * inspection until then. `due_at` is the end of the claim of the process that stores them, `attempts` its fencing token. Pictures do
 * not compress.
 */
const GENERATED_FILES = `
  CREATE TABLE media.generation (
    media_id uuid PRIMARY KEY REFERENCES media.file ON DELETE CASCADE,
    prompt text NOT NULL,
    revised_prompt text,
    model text NOT NULL,
    cost text,
    attempts jsonb NOT NULL,
    request_id uuid NOT NULL,
    requested_model text
  );

  CREATE TABLE media.waiting_bytes (
    media_id uuid PRIMARY KEY REFERENCES media.file ON DELETE CASCADE,
    bytes bytea NOT NULL,
    due_at timestamptz NOT NULL,
    attempts int NOT NULL DEFAULT 1,
    brand_id uuid
  );
  ALTER TABLE media.waiting_bytes ALTER COLUMN bytes SET STORAGE EXTERNAL;
  CREATE INDEX waiting_bytes_due_in_turn ON media.waiting_bytes (brand_id, due_at);
  CREATE TRIGGER name_brand BEFORE INSERT ON media.waiting_bytes
    FOR EACH ROW EXECUTE FUNCTION media.name_brand()`;

const SQL = [SEARCH_FUNCTIONS, FILES, OBJECTS, ...FILE_TRIGGERS, NAME_BRAND, RENDITIONS, GENERATED_FILES];

/**
 * Files are rows, not events: alt texts and names must be erasable. `unaccent` is a trusted extension of PostgreSQL: the owner
 * of the database may install it.
 */
export class Media1790001000450 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('CREATE SCHEMA media');
    await runner.query('CREATE EXTENSION IF NOT EXISTS unaccent WITH SCHEMA public');
    for (const sql of SQL) await runner.query(sql);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP SCHEMA media CASCADE');
  }
}
