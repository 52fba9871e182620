import type { MigrationInterface, QueryRunner } from 'typeorm';
import { EXPORT_CELLS } from './1790000000802-contact-import.js';

/** The export writes its cells beside the database: lists and formulas have one rule each, in csv/rows. */
export class ExportCells1790000000804 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('DROP FUNCTION contacts.list_cell(text[])');
    await runner.query('DROP FUNCTION contacts.guarded(text)');
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const definition of EXPORT_CELLS) await runner.query(`CREATE FUNCTION ${definition}`);
  }
}
