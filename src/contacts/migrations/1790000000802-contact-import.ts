import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What came in when, with numbers that have to add up, and for some days the rows that did not come in. */
export class ContactImport1790000000802 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE contacts.contact_import (
        id uuid PRIMARY KEY,
        organization_id uuid NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now(),
        file_sha256 text NOT NULL,
        rows_read int NOT NULL,
        created int NOT NULL,
        updated int NOT NULL,
        unchanged int NOT NULL,
        skipped_duplicate int NOT NULL,
        skipped_empty int NOT NULL,
        failed int NOT NULL,
        header text[] NOT NULL,
        delimiter text NOT NULL,
        report jsonb NOT NULL,
        failed_rows_erased_at timestamptz,
        CONSTRAINT contact_import_adds_up CHECK (
          rows_read = created + updated + unchanged + skipped_duplicate + skipped_empty + failed)
      )`);
    await runner.query(
      'CREATE INDEX contact_import_of_file ON contacts.contact_import (organization_id, file_sha256, created_at)',
    );
    await runner.query(
      'CREATE INDEX contact_import_to_erase ON contacts.contact_import (created_at) WHERE failed_rows_erased_at IS NULL',
    );
    await runner.query(`
      CREATE TABLE contacts.import_failed_row (
        import_id uuid NOT NULL REFERENCES contacts.contact_import ON DELETE CASCADE,
        row int NOT NULL,
        problems text NOT NULL,
        raw text NOT NULL,
        PRIMARY KEY (import_id, row)
      )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE contacts.import_failed_row');
    await runner.query('DROP TABLE contacts.contact_import');
  }
}
