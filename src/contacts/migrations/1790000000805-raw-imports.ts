import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Whether apostrophes before formula signs were cells' own: failed rows are given back as they have to be sent again. */
export class RawImports1790000000805 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE contacts.contact_import ADD COLUMN raw boolean NOT NULL DEFAULT false');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE contacts.contact_import DROP COLUMN raw');
  }
}
