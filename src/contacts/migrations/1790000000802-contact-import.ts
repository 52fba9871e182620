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
    for (const definition of EXPORT_CELLS) await runner.query(`CREATE FUNCTION ${definition}`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP FUNCTION contacts.list_cell(text[])');
    await runner.query('DROP FUNCTION contacts.guarded(text)');
    await runner.query('DROP TABLE contacts.import_failed_row');
    await runner.query('DROP TABLE contacts.contact_import');
  }
}

/**
 * What the export did to a cell until 0804; rows/formula-guard.ts and rows/list-cell.ts undo it and say why. The first character
 * is looked at as a number, because that is cheap, and hardly any cell needs more: apostrophe, = + - @, TAB, CR, LF,
 * and the full-width ones. Both are made to be inlined: as calls they would cost ten times as much.
 */
export const EXPORT_CELLS = [
  `contacts.guarded(cell text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
     SELECT CASE WHEN ascii(cell) IN (39, 61, 43, 45, 64, 9, 13, 10, 65309, 65291, 65293, 65312)
                  AND cell ~ '^''*[=+@\\t\\r\\n＝＋－＠-]'
                  AND cell !~ '^([+-]?\\d+([.,]\\d+)*|[+]\\d[\\d\\s()./-]*(; [+]?\\d[\\d\\s()./-]*)*)$'
            THEN '''' || cell ELSE cell END $$`,
  `contacts.list_cell(list text[]) RETURNS text LANGUAGE sql STABLE PARALLEL SAFE AS $$
     SELECT CASE WHEN cardinality(list) = 0 THEN NULL
                 WHEN array_to_string(list, E'\\x1f') ~ ':::|[;,\\r\\n]|(^|\\x1f)([*] |\\[)'
                 THEN array_to_json(list)::text ELSE array_to_string(list, '; ') END $$`,
];
