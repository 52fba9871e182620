import type { MigrationInterface, QueryRunner } from 'typeorm';
import { IMPORT_FUNCTIONS, IMPORTS, STAGING } from './initial-imports.js';
import { HAYSTACK, SEARCH, SEARCH_FUNCTIONS } from './initial-search.js';

/**
 * A contact needs a name, an address, a company or a phone number. `(organization_id, id)` is also the order of lists: ids are
 * UUIDv7. Few contacts have details; the export and the import ask for those that do.
 *
 * `fastupdate` would keep what was just written in a list that each lookup reads as a whole: after some thousand new contacts a
 * search with hundreds of lookups took 400 ms instead of 6. Without it writes of a row cost a third more. Trigrams have no room for a
 * mark of the organization. GIN reads a rare entry, such as the organization, and only looks into the frequent ones.
 */
const CONTACT = `
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
    additional_emails text[] NOT NULL DEFAULT '{}',
    additional_email_keys text[] NOT NULL DEFAULT '{}',
    addresses jsonb NOT NULL DEFAULT '[]',
    birthday text,
    department text,
    websites text[] NOT NULL DEFAULT '{}',
    haystack text NOT NULL GENERATED ALWAYS AS (${HAYSTACK}) STORED,
    search tsvector NOT NULL GENERATED ALWAYS AS (${SEARCH}) STORED,
    CONSTRAINT contact_is_known_by_something CHECK (
      name IS NOT NULL OR email IS NOT NULL OR company IS NOT NULL OR phones <> '{}')
  );

  CREATE INDEX contact_of_organization ON contacts.contact (organization_id, id) WHERE deleted_at IS NULL;
  CREATE INDEX contact_deleted_of_organization ON contacts.contact (organization_id, id) WHERE deleted_at IS NOT NULL;
  CREATE INDEX contact_by_name ON contacts.contact (organization_id, contacts.sort_name(name, email), id)
    WHERE deleted_at IS NULL;
  CREATE INDEX contact_deleted_by_name ON contacts.contact (organization_id, contacts.sort_name(name, email), id)
    WHERE deleted_at IS NOT NULL;

  CREATE INDEX contact_search ON contacts.contact USING gin (search) WITH (fastupdate = off);
  CREATE INDEX contact_haystack ON contacts.contact
    USING gin (haystack public.gin_trgm_ops, (ARRAY[organization_id]));

  CREATE INDEX contact_by_email ON contacts.contact (organization_id, email_key) WHERE email_key IS NOT NULL;
  CREATE INDEX contact_by_additional_email ON contacts.contact USING gin (additional_email_keys)
    WHERE additional_email_keys <> '{}';
  CREATE INDEX contact_by_external_id ON contacts.contact (organization_id, external_id) WHERE external_id IS NOT NULL;
  CREATE INDEX contact_with_phone_by_name ON contacts.contact (organization_id, contacts.name_key(name))
    WHERE phones <> '{}';
  CREATE INDEX contact_without_email_by_company ON contacts.contact (organization_id, contacts.name_key(company))
    WHERE email_key IS NULL AND company IS NOT NULL;

  CREATE INDEX contact_with_custom_fields ON contacts.contact (organization_id, id) WHERE custom_fields <> '{}';
  CREATE INDEX contact_with_details ON contacts.contact (organization_id, id)
    WHERE additional_email_keys <> '{}' OR addresses <> '[]' OR birthday IS NOT NULL
      OR department IS NOT NULL OR websites <> '{}';

  CREATE VIEW contacts.contact_summary AS
    SELECT id, organization_id, name, email, company, deleted_at FROM contacts.contact;
  COMMENT ON VIEW contacts.contact_summary IS 'Published: what a card shows of a contact; deleted ones too.'`;

const NOTES = `
  CREATE TABLE contacts.note (
    id uuid PRIMARY KEY,
    contact_id uuid NOT NULL REFERENCES contacts.contact ON DELETE CASCADE,
    body text NOT NULL,
    author_type text NOT NULL,
    author_id text NOT NULL,
    version int NOT NULL DEFAULT 1,
    created_at timestamptz NOT NULL DEFAULT now(),
    updated_at timestamptz NOT NULL DEFAULT now()
  );
  CREATE INDEX note_of_contact ON contacts.note (contact_id, id)`;

/**
 * The organization is kept with the row: when a contact is erased, its own row is gone before its attachments are.
 *
 * `object_to_remove` names every object that no attachment has: what is being uploaded, until a row adopts it, and what lost its row.
 * `UnownedObjects` of libs/uploads reads its last two columns. Attachments are uploaded through the API: theirs stay null.
 */
const ATTACHMENTS = `
  CREATE TABLE contacts.attachment (
    id uuid PRIMARY KEY,
    contact_id uuid NOT NULL REFERENCES contacts.contact ON DELETE CASCADE,
    object_key text NOT NULL UNIQUE,
    file_name text NOT NULL,
    content_type text NOT NULL,
    size int NOT NULL,
    sha256 text NOT NULL,
    author_type text NOT NULL,
    author_id text NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    organization_id uuid
  );
  CREATE INDEX attachment_of_contact ON contacts.attachment (contact_id, id);

  CREATE TABLE contacts.object_to_remove (
    key text PRIMARY KEY,
    adoptable boolean NOT NULL DEFAULT false,
    due_at timestamptz NOT NULL DEFAULT now(),
    writable_until timestamptz,
    upload_id text
  );
  CREATE INDEX object_to_remove_due ON contacts.object_to_remove (due_at)`;

/**
 * Triggers, so that whatever deletes the row (the erasure of a contact by its foreign key too) forgets neither its object nor its
 * bytes.
 */
const ATTACHMENT_TRIGGERS = `
  CREATE FUNCTION contacts.leave_object() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    INSERT INTO contacts.object_to_remove (key) VALUES (OLD.object_key);
    RETURN NULL;
  END $$;
  CREATE TRIGGER leave_object AFTER DELETE ON contacts.attachment
    FOR EACH ROW EXECUTE FUNCTION contacts.leave_object();

  CREATE FUNCTION contacts.name_organization_of_attachment() RETURNS trigger LANGUAGE plpgsql AS $$
   BEGIN
     SELECT contact.organization_id INTO NEW.organization_id
     FROM contacts.contact WHERE contact.id = NEW.contact_id;
     RETURN NEW;
   END $$;
  CREATE TRIGGER name_organization BEFORE INSERT ON contacts.attachment
    FOR EACH ROW EXECUTE FUNCTION contacts.name_organization_of_attachment();

  CREATE FUNCTION contacts.count_attachment_bytes() RETURNS trigger LANGUAGE plpgsql AS $$
   BEGIN
     PERFORM uploads.count_bytes(organization_id, bytes * CASE TG_OP WHEN 'INSERT' THEN 1 ELSE -1 END)
     FROM (SELECT organization_id, sum(size)::bigint AS bytes FROM changed
           WHERE organization_id IS NOT NULL GROUP BY organization_id ORDER BY organization_id) AS sums;
     RETURN NULL;
   END $$;
  CREATE TRIGGER count_added_bytes AFTER INSERT ON contacts.attachment
    REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION contacts.count_attachment_bytes();
  CREATE TRIGGER count_removed_bytes AFTER DELETE ON contacts.attachment
    REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION contacts.count_attachment_bytes()`;

const SQL = [
  ...SEARCH_FUNCTIONS,
  CONTACT,
  NOTES,
  ATTACHMENTS,
  ATTACHMENT_TRIGGERS,
  IMPORTS,
  ...STAGING,
  ...IMPORT_FUNCTIONS,
];

/**
 * Contacts are rows, not events: a person must be forgettable. `unaccent` and `pg_trgm` are trusted extensions of
 * PostgreSQL: the owner of the database may install them.
 */
export class Contacts1790001000800 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('CREATE SCHEMA contacts');
    await runner.query('CREATE EXTENSION IF NOT EXISTS unaccent WITH SCHEMA public');
    await runner.query('CREATE EXTENSION IF NOT EXISTS pg_trgm WITH SCHEMA public');
    for (const sql of SQL) await runner.query(sql);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP SCHEMA contacts CASCADE');
  }
}
