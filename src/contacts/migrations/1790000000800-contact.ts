import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Contacts are rows, not events: a person must be forgettable. `unaccent` and `pg_trgm` are trusted extensions of
 * PostgreSQL: the owner of the database may install them.
 */
export class Contact1790000000800 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('CREATE SCHEMA contacts');
    await runner.query('CREATE EXTENSION IF NOT EXISTS unaccent WITH SCHEMA public');
    await runner.query('CREATE EXTENSION IF NOT EXISTS pg_trgm WITH SCHEMA public');
    for (const definition of FUNCTIONS) await runner.query(`CREATE FUNCTION ${definition}`);
    await runner.query(`
      CREATE TABLE contacts.contact (
        id uuid PRIMARY KEY,
        organization_id uuid NOT NULL,
        name text,
        email text,
        email_key text,
        company text,
        job_title text,
        phones text[] NOT NULL DEFAULT '{}',
        tags text[] NOT NULL DEFAULT '{}',
        custom_fields jsonb NOT NULL DEFAULT '{}',
        external_id text,
        import_id uuid,
        version int NOT NULL DEFAULT 1,
        created_at timestamptz NOT NULL DEFAULT now(),
        updated_at timestamptz NOT NULL DEFAULT now(),
        deleted_at timestamptz,
        ${SEARCH_COLUMNS.join(', ')},
        CONSTRAINT contact_has_a_name_or_an_email CHECK (name IS NOT NULL OR email IS NOT NULL)
      )`);
    for (const index of [...INDEXES, ...SEARCH_INDEXES]) await runner.query(`CREATE INDEX ${index}`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP SCHEMA contacts CASCADE');
  }
}

/** These two, and what cuts words for them, were made anew later: the way back from there leads here. */
export const SEARCH_COLUMNS = [
  `search tsvector NOT NULL GENERATED ALWAYS AS (
     setweight(to_tsvector('simple', contacts.fold(name)), 'A') ||
     setweight(to_tsvector('simple', contacts.fold(email) || ' ' || translate(contacts.fold(email), '@.+-_', '     ')), 'B') ||
     setweight(to_tsvector('simple', contacts.fold(company)), 'C') ||
     setweight(to_tsvector('simple', contacts.fold(contacts.joined(tags))), 'D')) STORED`,
  `haystack text NOT NULL GENERATED ALWAYS AS (
     contacts.fold(name) || ' ' || contacts.fold(email) || ' ' || contacts.fold(company) || ' ' ||
     contacts.fold(contacts.joined(tags))) STORED`,
];
export const SEARCH_INDEXES = [
  'contact_search ON contacts.contact USING gin (search)',
  'contact_haystack ON contacts.contact USING gin (haystack public.gin_trgm_ops)',
];

/** `(organization_id, id)` is also the order of lists: ids are UUIDv7. */
const INDEXES = [
  'contact_of_organization ON contacts.contact (organization_id, id) WHERE deleted_at IS NULL',
  'contact_by_email ON contacts.contact (organization_id, email_key) WHERE email_key IS NOT NULL',
  'contact_by_external_id ON contacts.contact (organization_id, external_id) WHERE external_id IS NOT NULL',
];

/** A generated column needs what it calls to be immutable; with the dictionary named, unaccent is. */
export const FOLD = `contacts.fold(value text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
   AS $$ SELECT coalesce(public.unaccent('public.unaccent'::regdictionary, lower(normalize(value, NFKC))), '') $$`;
export const JOINED = `contacts.joined(list text[]) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
   AS $$ SELECT array_to_string(list, ' ') $$`;
const FUNCTIONS = [FOLD, JOINED];
