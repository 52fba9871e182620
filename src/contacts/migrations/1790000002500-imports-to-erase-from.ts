import type { MigrationInterface, QueryRunner } from 'typeorm';

/** An erasure reads the imports that still have cells of people, not all of the organization. */
export class ImportsToEraseFrom1790000002500 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const index of INDEXES) await runner.query(`CREATE INDEX ${index}`);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const name of ['contact_import_with_failed_rows', 'contact_import_with_values'])
      await runner.query(`DROP INDEX contacts.${name}`);
  }
}

/** The conditions of IMPORTS_WITH_FAILED_ROWS and ERASE_REPORTED_VALUES. */
const INDEXES = [
  `contact_import_with_failed_rows ON contacts.contact_import (organization_id)
   WHERE failed > 0 AND failed_rows_erased_at IS NULL`,
  `contact_import_with_values ON contacts.contact_import (organization_id, id)
   WHERE report #> '{file,name}' <> 'null' OR report @? '$.errors[*].value ? (@ != null)'`,
];
