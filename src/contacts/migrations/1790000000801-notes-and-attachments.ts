import type { MigrationInterface, QueryRunner } from 'typeorm';

export class NotesAndAttachments1790000000801 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const definition of TABLES) await runner.query(`CREATE TABLE ${definition}`);
    await runner.query('CREATE INDEX note_of_contact ON contacts.note (contact_id, id)');
    await runner.query('CREATE INDEX attachment_of_contact ON contacts.attachment (contact_id, id)');
    await runner.query('CREATE INDEX object_to_remove_due ON contacts.object_to_remove (due_at)');
    await runner.query(LEAVE_OBJECT);
    await runner.query(`
      CREATE TRIGGER leave_object AFTER DELETE ON contacts.attachment
      FOR EACH ROW EXECUTE FUNCTION contacts.leave_object()`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE contacts.attachment, contacts.object_to_remove, contacts.note');
    await runner.query('DROP FUNCTION contacts.leave_object()');
  }
}

/**
 * `object_to_remove` names every object that no attachment has: what is being uploaded, until a row adopts it, and
 * what lost its row.
 */
const TABLES = [
  `contacts.note (
    id uuid PRIMARY KEY,
    contact_id uuid NOT NULL REFERENCES contacts.contact ON DELETE CASCADE,
    body text NOT NULL,
    author_type text NOT NULL,
    author_id text NOT NULL,
    version int NOT NULL DEFAULT 1,
    created_at timestamptz NOT NULL DEFAULT now(),
    updated_at timestamptz NOT NULL DEFAULT now()
  )`,
  `contacts.attachment (
    id uuid PRIMARY KEY,
    contact_id uuid NOT NULL REFERENCES contacts.contact ON DELETE CASCADE,
    object_key text NOT NULL UNIQUE,
    file_name text NOT NULL,
    content_type text NOT NULL,
    size int NOT NULL,
    sha256 text NOT NULL,
    author_type text NOT NULL,
    author_id text NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now()
  )`,
  `contacts.object_to_remove (
    key text PRIMARY KEY,
    adoptable boolean NOT NULL DEFAULT false,
    due_at timestamptz NOT NULL DEFAULT now()
  )`,
];

/** A trigger, so that whatever deletes the row (the erasure of a contact by its foreign key too) cannot forget it. */
const LEAVE_OBJECT = `
  CREATE FUNCTION contacts.leave_object() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    INSERT INTO contacts.object_to_remove (key) VALUES (OLD.object_key);
    RETURN NULL;
  END $$`;
