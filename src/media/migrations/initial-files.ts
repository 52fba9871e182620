/**
 * Scripts without spaces between words: CJK radicals to unified ideographs with kana and Hangul letters, Hangul syllables,
 * compatibility ideographs and the two ideographic planes.
 */
const UNSPACED = String.raw`[\u2E80-\u9FFF\uAC00-\uD7AF\uF900-\uFAFF\U00020000-\U0003FFFF]`;

/**
 * `fold` and `words` as for contacts. `marks` are lexemes for filters; no word contains `~`, so no search text matches them.
 * One index then answers words and filters together. A poster has no marks: the library does not list it.
 */
export const SEARCH_FUNCTIONS = `
  CREATE FUNCTION media.fold(value text) RETURNS text LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
   BEGIN
     IF value IS NULL THEN RETURN ''; END IF;
     IF octet_length(value) = length(value) THEN RETURN lower(value); END IF;
     RETURN public.unaccent('public.unaccent'::regdictionary, lower(normalize(value, NFKC)));
   END $$;

  CREATE FUNCTION media.words(value text) RETURNS text LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
   DECLARE
     spaced text := translate(media.fold(value), '!"#$%&''()*+,-./:;<=>?@[\\]^_\`{|}~', repeat(' ', 32));
   BEGIN
     IF octet_length(spaced) = length(spaced) THEN RETURN spaced; END IF;
     RETURN regexp_replace(spaced, '${UNSPACED}', ' \\& ', 'g');
   END $$;

  CREATE FUNCTION media.marks(brand uuid, status text, kind text, tags text[], poster_of uuid) RETURNS text[]
   LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
   BEGIN
     IF poster_of IS NOT NULL THEN RETURN '{}'; END IF;
     RETURN ARRAY['~b' || brand, '~s' || status, '~k' || kind] || ARRAY(SELECT '~t' || media.fold(tag) FROM unnest(tags) AS tag);
   END $$;

  CREATE FUNCTION media.joined(list text[]) RETURNS text LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE
   AS $$ BEGIN RETURN array_to_string(list, ' '); END $$`;

/**
 * `id` is a UUIDv7: its order is that of time. `bytes` are those that the client declared; a completed object has as many. `sha256`
 * is null for an upload in parts: the store verifies the checksum of each part. `facts` is null while the file never was ready.
 * `ai_mark`: whether the file says that a model made it; null: not known. A poster is a file of its own.
 *
 * Claims of inspections: `inspect_due_at` is the end of the lease, `inspect_attempts` the fencing token. `inspect_is_claimed` is still
 * set when the lease of a dead worker ends; `inspect_takeovers` counts those. `inspect_failures` counts child processes that the file
 * ended, `inspect_errors` unexpected errors, so that no file is tried without end.
 *
 * Workers take files of organizations in turn. What ended a process before has a lane of its own. `fastupdate` keeps new entries in a
 * list that each search reads as a whole.
 */
export const FILES = `
  CREATE TABLE media.file (
    id uuid PRIMARY KEY,
    brand_id uuid NOT NULL,
    status text NOT NULL CHECK (status IN ('uploading', 'inspecting', 'ready', 'rejected')),
    kind text NOT NULL CHECK (kind IN ('image', 'animation', 'video')),
    file_name text NOT NULL,
    content_type text NOT NULL,
    bytes bigint NOT NULL CHECK (bytes > 0),
    sha256 text,
    object_key text NOT NULL UNIQUE,
    etag text,
    upload_id text,
    part_bytes int,
    upload_expires_at timestamptz NOT NULL,
    facts jsonb,
    width int,
    height int,
    duration_ms int,
    alt_text text,
    tags text[] NOT NULL DEFAULT '{}',
    focus_x real NOT NULL DEFAULT 0.5 CHECK (focus_x BETWEEN 0 AND 1),
    focus_y real NOT NULL DEFAULT 0.5 CHECK (focus_y BETWEEN 0 AND 1),
    thumbnail_key text,
    preview_key text,
    poster_of uuid REFERENCES media.file ON DELETE CASCADE,
    rejection jsonb,
    created_by_type text NOT NULL,
    created_by text NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    updated_at timestamptz NOT NULL DEFAULT now(),
    version int NOT NULL DEFAULT 1,
    inspect_due_at timestamptz,
    inspect_attempts int NOT NULL DEFAULT 0,
    search tsvector NOT NULL GENERATED ALWAYS AS (
      to_tsvector('simple', media.words(file_name || ' ' || coalesce(alt_text, '') || ' ' || media.joined(tags))) ||
      array_to_tsvector(media.marks(brand_id, status, kind, tags, poster_of))) STORED,
    inspect_is_claimed boolean NOT NULL DEFAULT false,
    inspect_takeovers int NOT NULL DEFAULT 0,
    inspect_failures int NOT NULL DEFAULT 0,
    inspect_errors int NOT NULL DEFAULT 0,
    ai_mark text CHECK (ai_mark IN ('none', 'generated', 'composite'))
  );
  CREATE INDEX file_of_brand ON media.file (brand_id, id) WHERE poster_of IS NULL;
  CREATE INDEX file_search ON media.file USING gin (search) WITH (fastupdate = off);
  CREATE INDEX file_to_inspect ON media.file (inspect_due_at) WHERE status = 'inspecting';
  CREATE INDEX file_to_inspect_in_turn ON media.file ((inspect_failures > 0), brand_id, inspect_due_at)
    WHERE status = 'inspecting';
  CREATE INDEX file_upload_expiry ON media.file (upload_expires_at) WHERE status = 'uploading';
  CREATE INDEX file_rejected ON media.file (updated_at) WHERE status = 'rejected' AND facts IS NULL;
  CREATE INDEX file_poster_of ON media.file (poster_of) WHERE poster_of IS NOT NULL;

  CREATE TABLE media.use (
    media_id uuid NOT NULL REFERENCES media.file ON DELETE CASCADE,
    post_id uuid NOT NULL,
    brand_id uuid NOT NULL,
    needed boolean NOT NULL,
    PRIMARY KEY (post_id, media_id)
  );
  CREATE INDEX use_of_file ON media.use (media_id)`;

/**
 * `storage_of_brand.organization_id` is the organization that is charged for the bytes; after a transfer of the brand a sweep
 * charges the new owner.
 * `object_to_remove` lists objects without a row. `writable_until`: an address that can write the object is valid until then.
 */
export const OBJECTS = `
  CREATE TABLE media.storage_of_brand (
    brand_id uuid PRIMARY KEY,
    organization_id uuid NOT NULL,
    bytes bigint NOT NULL
  ) WITH (fillfactor = 50);

  CREATE TABLE media.object_to_remove (
    key text PRIMARY KEY,
    adoptable boolean NOT NULL DEFAULT false,
    due_at timestamptz NOT NULL DEFAULT now(),
    writable_until timestamptz,
    upload_id text
  );
  CREATE INDEX object_to_remove_due ON media.object_to_remove (due_at)`;
